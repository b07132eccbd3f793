/**
 * Returns the key under which data for a profile at a service is stored. A number has no meaning at
 * another service.
 */
export function profileKey(profile: string, service: string): string {
  return JSON.stringify([profile, service]);
}

/** Returns true if a key belongs to this profile, at any service. */
export function belongsToProfile(key: string, profile: string): boolean {
  try {
    const named: unknown = JSON.parse(key);
    return Array.isArray(named) && named[0] === profile;
  } catch {
    return false;
  }
}
