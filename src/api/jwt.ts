import { isRecord } from "../json/exact.ts";

/** The last instant that a date can hold, in epoch milliseconds. */
const lastInstant = 8.64e15;

/**
 * Returns the end of a JSON Web Token (its `exp`) in epoch milliseconds, or null for an opaque
 * token or one without it. The signature is not checked, because that is the service's task.
 */
export function expiryOf(token: string): number | null {
  return instantIn(token, "exp");
}

/**
 * Returns the time at which a JSON Web Token was issued by the service's clock (its `iat`), like
 * {@link expiryOf}.
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
