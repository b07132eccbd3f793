/** The last instant that a date can hold, in epoch milliseconds. */
const lastInstant = 8.64e15;

/**
 * When a JSON Web Token ends (its `exp`), in epoch milliseconds; null for an opaque token or one
 * that does not say. The signature is the service's business and is not looked at.
 */
export function expiryOf(token: string): number | null {
  const parts = token.split(".");
  const payload = parts[1];
  if (parts.length !== 3 || !payload || !/^[\w-]+=*$/.test(payload)) return null;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    const exp =
      typeof claims === "object" && claims !== null && "exp" in claims ? claims.exp : null;
    if (typeof exp !== "number") return null;
    const expiresAt = exp * 1000;
    return Math.abs(expiresAt) <= lastInstant ? expiresAt : null;
  } catch {
    return null;
  }
}
