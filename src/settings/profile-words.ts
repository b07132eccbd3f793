import type { Profile } from "./schemas.ts";

/**
 * Returns a profile with its environment and the host behind it: `mine (test, api.acme.example)`. An
 * embedded sandbox has no address that means anything.
 */
export function profileWords({
  name,
  environment,
  baseUrl,
}: Pick<Profile, "name" | "baseUrl"> & Partial<Pick<Profile, "environment">>): string {
  const facts = [
    ...(environment === undefined || environment === name ? [] : [environment]),
    ...(baseUrl === null ? [] : [new URL(baseUrl).host]),
  ];
  return facts.length === 0 ? name : `${name} (${facts.join(", ")})`;
}
