import type { Profile } from "./schemas.ts";

/**
 * Returns the name of a profile with its environment and host: `mine (test, api.acme.example)`. The
 * address of an embedded sandbox has no meaning, and is left out.
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
