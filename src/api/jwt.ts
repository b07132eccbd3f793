/** Reads the times in a JSON Web Token, to renew it before it expires. */
import { isRecord } from "../json/exact.ts";

/** The last instant of JavaScript dates, in epoch milliseconds. */
const lastInstant = 8.64e15;

/**
 * Returns the expiry of a JSON Web Token (`exp`) in epoch milliseconds, or null if the token is
 * opaque or has none. The signature is not checked, because that is the service's task.
 */
export function expiryOf(token: string): number | null {
  return instantIn(token, "exp");
}

/**
 * Returns the time of issue of a JSON Web Token (`iat`) in epoch milliseconds of the service's
 * clock, or null if it has none.
 */
export function issueOf(token: string): number | null {
  return instantIn(token, "iat");
}

function instantIn(token: string, claim: "exp" | "iat"): number | null {
  const parts = token.split(".");
  const payload = parts[1];
  if (parts.length !== 3 || !payload || !/^[\w-]+=*$/.test(payload)) return null;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    const claimed = isRecord(claims) ? claims[claim] : null;
    if (typeof claimed !== "number") return null;
    const at = claimed * 1000;
    return Math.abs(at) <= lastInstant ? at : null;
  } catch {
    return null;
  }
}
