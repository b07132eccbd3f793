/**
 * Describes environment variables that override the profile, and secrets in the environment that
 * are not used.
 */

import { isAppError } from "../errors/app-error.ts";
import { type CredentialFacts, isOfEnvironment } from "../settings/credentials.ts";
import { selectedProfile } from "../settings/resolve.ts";
import type { Profile } from "../settings/schemas.ts";
import { hasSecret } from "../settings/secrets.ts";
import { shellQuote } from "../text/shell-quote.ts";
import type { Invocation } from "./invocation.ts";

type Surroundings = Pick<Invocation, "io" | "secrets">;

/** Returns the names of the variables that held secrets when the program started. */
function secretVariables({ secrets }: Surroundings): string[] {
  return [
    ...(secrets.apiKey === null ? [] : ["SUPPLYLINE_API_KEY"]),
    ...(secrets.token === null ? [] : ["SUPPLYLINE_TOKEN"]),
  ];
}

/** Returns the address in `SUPPLYLINE_BASE_URL`, without a password. */
function givenAddress({ io }: Surroundings): string {
  return URL.parse(io.env.SUPPLYLINE_BASE_URL ?? "")?.origin ?? "an address that is none";
}

/**
 * Returns a sentence about the environment variables that override a stored profile, with the ways
 * to use the profile, or null if there are none.
 */
export function overrideWords(invocation: Surroundings, profile: string): string | null {
  const { SUPPLYLINE_BASE_URL: baseUrl, SUPPLYLINE_PROFILE: named } = invocation.io.env;
  if (!baseUrl && (!named || named === profile)) return null;
  // If only the address were unset, its key would apply to the stored profile.
  const variables = baseUrl
    ? ["SUPPLYLINE_BASE_URL", ...secretVariables(invocation)]
    : ["SUPPLYLINE_PROFILE"];
  const used = baseUrl ? givenAddress(invocation) : named;
  return `${variables[0]} is set and has precedence: commands in this shell use ${used}. To use ${profile}: unset ${variables.join(" ")}, or add --profile ${shellQuote(profile)}.`;
}

/**
 * Returns the name of the selected profile that SUPPLYLINE_BASE_URL overrides, or null if there is
 * none.
 */
export async function hiddenProfile(invocation: Invocation): Promise<string | null> {
  try {
    const settings = await invocation.settings();
    const { env } = invocation.io;
    return selectedProfile({ env, settings: () => settings })?.name ?? null;
  } catch (error) {
    // A profile from the environment needs no settings, so an error in them is ignored.
    if (isAppError(error, "settings")) return null;
    throw error;
  }
}

/**
 * Warns if SUPPLYLINE_BASE_URL overrides a selected profile. For a command that writes, `--quiet`
 * does not hide the warning.
 */
export async function warnOfHiddenProfile(invocation: Invocation): Promise<void> {
  const hidden = await hiddenProfile(invocation);
  const words = hidden === null ? null : overrideWords(invocation, hidden);
  if (words !== null) invocation.warn(words, invocation.sendsWrites ? "lasting" : undefined);
}

/**
 * Returns a sentence about secrets of the environment that a profile does not use, or null if there
 * are none or they are used.
 */
export function unusedSecretWords(
  invocation: Surroundings,
  profile: Profile,
  { source }: Pick<CredentialFacts, "source">,
): string | null {
  const { secrets } = invocation;
  if (profile.baseUrl === null || !hasSecret(secrets) || isOfEnvironment(source)) return null;
  const variables = secretVariables(invocation);
  const [are, them] = variables.length === 1 ? ["is", "it"] : ["are", "them"];
  const why = secrets.areFor(profile)
    ? `, which has ${source === "helper" ? "a credential helper" : "saved credentials"}`
    : `: SUPPLYLINE_BASE_URL gives ${them} to ${givenAddress(invocation)} alone`;
  return `${variables.join(" and ")} ${are} not used for ${profile.name}${why}.`;
}
