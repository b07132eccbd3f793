import { isRecord } from "../json/exact.ts";

/** The last instant that a date can hold, in epoch milliseconds. */
const lastInstant = 8.64e15;

/**
 * When a JSON Web Token ends (its `exp`), in epoch milliseconds; null for an opaque token or one
 * that does not say. The signature is the service's business and is not looked at.
 */
export function expiryOf(token: string): number | null {
  return instantIn(token, "exp");
}

/** When a JSON Web Token was issued by the service's clock (its `iat`); like {@link expiryOf}. */
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
