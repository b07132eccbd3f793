/** What is kept for a profile at a service is kept under this: a number means nothing at another one. */
export function profileKey(profile: string, service: string): string {
  return JSON.stringify([profile, service]);
}

/** Whether a key is one of this profile, at whichever service. */
export function isOf(key: string, profile: string): boolean {
  try {
    const named: unknown = JSON.parse(key);
    return Array.isArray(named) && named[0] === profile;
  } catch {
    return false;
  }
}
