/**
 * The two profiles that are never stored (the embedded sandbox, and a profile from the
 * environment), and texts that name or select a profile.
 */
import { isSameService } from "../api/url.ts";
import { sandboxName } from "../text/as-command.ts";
import type { Profile } from "./schemas.ts";

/** The name of a profile from the environment. No stored profile can have this name. */
export const adHocName = "ad-hoc";

export const sandboxProfile: Profile = Object.freeze({
  name: sandboxName,
  baseUrl: null,
  environment: "sandbox",
  readOnly: false,
  authForm: "auto",
  brand: "service",
  suppliers: Object.freeze(["ACME", "PAUSED", "DONE", "NORTH"]),
});

/**
 * Returns the value of `--profile` that selects this profile, or null for a profile from the
 * environment, which has no name. For the sandbox, each command starts a new sandbox.
 */
export function profileFlag(profile: Profile): string | null {
  return profile.name === adHocName ? null : profile.name;
}

export function reconnectHint({
  profile,
  baseUrl,
}: {
  readonly profile: string;
  readonly baseUrl: string;
}): string {
  if (profile === sandboxProfile.name) {
    return "That was an embedded sandbox; it ended with its program.";
  }
  if (profile === adHocName) {
    return `To connect, set SUPPLYLINE_BASE_URL=${baseUrl}, and SUPPLYLINE_API_KEY or SUPPLYLINE_TOKEN.`;
  }
  return `Choose its profile: --profile ${profile}`;
}

/**
 * Returns the name of a profile with its environment and host: `mine (test, api.acme.example)`. The
 * address of an embedded sandbox is left out, because it changes with each start.
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

/**
 * Returns the names of the stored profiles of a service. Returns none if the profiles cannot be
 * read: commands then name the profile in use.
 */
export function namesOfService(
  profiles: () => readonly Profile[],
  baseUrl: string,
): readonly string[] {
  try {
    return profiles().flatMap((profile) =>
      profile.baseUrl !== null && isSameService(profile.baseUrl, baseUrl) ? [profile.name] : [],
    );
  } catch {
    return [];
  }
}
