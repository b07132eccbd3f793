/** Reads the times in a JSON Web Token, to renew it before it expires. */
import { isRecord } from "../json/exact.ts";

/** The maximum time of a JavaScript Date, in epoch milliseconds. */
const maxEpochMs = 8.64e15;

/**
 * Returns the expiry of a JSON Web Token (`exp`) in epoch milliseconds, or null if the token is
 * opaque or has none. The signature is not checked, because only the service can do that.
 */
export function expiryOf(token: string): number | null {
  return timeIn(token, "exp");
}

/**
 * Returns the time of issue of a JSON Web Token (`iat`) in epoch milliseconds of the service's
 * clock, or null if the token is opaque or has none.
 */
export function issuedAtOf(token: string): number | null {
  return timeIn(token, "iat");
}

/** Returns the time in a claim in epoch milliseconds, or null if there is none. */
function timeIn(token: string, claim: "exp" | "iat"): number | null {
  const parts = token.split(".");
  const payload = parts[1];
  if (parts.length !== 3 || !payload || !/^[\w-]+=*$/.test(payload)) return null;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    const seconds = isRecord(claims) ? claims[claim] : null;
    if (typeof seconds !== "number") return null;
    const epochMs = seconds * 1000;
    return Math.abs(epochMs) <= maxEpochMs ? epochMs : null;
  } catch {
    return null;
  }
}
