import { sandboxName } from "../text/as-command.ts";
import type { Profile } from "./profile.ts";

/** The name of a profile made from the environment; no stored one may have it. */
export const adHocName = "ad-hoc";

/** The built-in profile of the embedded sandbox; it is never stored. */
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
 * What `--profile` has to say for a command to mean this profile; null for one of the environment,
 * to which no name leads. An embedded sandbox is another one for each command.
 */
export function profileFlag(profile: Profile): string | null {
  return profile.name === adHocName ? null : profile.name;
}

/**
 * How a place that is on record is reached again, as a sentence: a profile that was made from the
 * environment has no name to choose, and an embedded sandbox has ended with its program.
 */
export function wayBack({
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
    return `Set SUPPLYLINE_BASE_URL to ${baseUrl}, and SUPPLYLINE_API_KEY or SUPPLYLINE_TOKEN, to reach it.`;
  }
  return `Choose its profile: --profile ${profile}`;
}
