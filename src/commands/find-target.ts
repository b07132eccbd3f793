/**
 * Finds the profile that a command uses, by its options, the environment and the settings, and
 * describes variables of the environment that override it or are not used.
 */

import { expiryOf } from "../api/jwt.ts";
import { AppError, isAppError } from "../errors/app-error.ts";
import {
  type CredentialFacts,
  environmentSource,
  isEnvironmentSource,
} from "../settings/credentials.ts";
import { unknownProfile } from "../settings/profile-book.ts";
import {
  type ResolvedProfile,
  resolvedSandbox,
  resolveProfile,
  selectedProfile,
} from "../settings/resolve.ts";
import { sandboxProfile } from "../settings/sandbox-profile.ts";
import type { Profile } from "../settings/schemas.ts";
import { hasSecret, noSecrets } from "../settings/secrets.ts";
import { shellQuote } from "../text/shell-quote.ts";
import { usageError } from "./command-error.ts";
import type { Invocation } from "./invocation.ts";

export function findTarget(invocation: Invocation): ResolvedProfile | null {
  const { io, globals, secrets } = invocation;
  const flag = globals.profile;
  if (globals.sandbox) {
    if (flag !== undefined && flag !== sandboxProfile.name)
      throw usageError("--sandbox and --profile exclude each other", "Give one.");
    return resolvedSandbox();
  }
  return resolveProfile({ flag, env: io.env, secrets, settings: invocation.settings });
}

/** Throws `no-profile`, or `usage` if several profiles could be meant. */
export function needTarget(invocation: Invocation): ResolvedProfile {
  const resolved = findTarget(invocation);
  if (resolved?.origin === "ad-hoc") warnOfOverriddenProfile(invocation);
  if (resolved !== null) return resolved;
  const names = invocation
    .settings()
    .profiles()
    .map((profile) => profile.name);
  if (names.length > 0)
    throw usageError(
      `there are several profiles and none is chosen: ${names.join(", ")}`,
      "Choose one with --profile NAME, or permanently with: supplyline profiles use NAME",
    );
  throw new AppError("command", "no-profile", "no service is set up yet", {
    remedy:
      "Add one with `supplyline profiles add NAME --base-url URL` and `supplyline login --api-key-stdin`, set SUPPLYLINE_BASE_URL and SUPPLYLINE_API_KEY, or try --sandbox.",
  });
}

/**
 * Returns the name of the profile that commands use now, or null if none is chosen. Also returns
 * null if the chosen profile does not exist, so that `profiles list` can show the existing profiles.
 */
export function nameInUse(invocation: Invocation): string | null {
  try {
    return findTarget(invocation)?.profile.name ?? null;
  } catch (error) {
    if (isAppError(error, "settings", "unknown-profile")) return null;
    throw error;
  }
}

/** Returns a profile by its name. Throws `unknown-profile`, with the names of all profiles. */
export function profileNamed(invocation: Invocation, name: string): Profile {
  const settings = invocation.settings();
  const profile = settings.find(name);
  if (profile === null) throw unknownProfile(name, settings.profiles());
  return profile;
}

/**
 * Returns the selected profile if it is stored. Throws `usage` for the sandbox or a profile from
 * the environment, because changes to those would be lost.
 */
export function storedProfile(invocation: Invocation): Profile {
  const { profile, origin } = needTarget(invocation);
  if (origin !== "sandbox" && origin !== "ad-hoc") return profile;
  throw usageError(
    `nothing is saved for ${origin === "sandbox" ? "the sandbox" : "a profile from the environment"}`,
    "Name a stored one with --profile NAME.",
  );
}

type SecretSources = Pick<Invocation, "io" | "secrets">;

function secretVariables({ secrets }: SecretSources): string[] {
  return [
    ...(secrets.apiKey === null ? [] : ["SUPPLYLINE_API_KEY"]),
    ...(secrets.token === null ? [] : ["SUPPLYLINE_TOKEN"]),
  ];
}

/** Returns the address in `SUPPLYLINE_BASE_URL`, without a password. */
function addressInEnvironment({ io }: SecretSources): string {
  return URL.parse(io.env.SUPPLYLINE_BASE_URL ?? "")?.origin ?? "an invalid address";
}

/**
 * Returns a sentence about the environment variables that override a stored profile, with the ways
 * to use the profile, or null if there are none.
 */
export function overrideWords(invocation: SecretSources, profile: string): string | null {
  const { SUPPLYLINE_BASE_URL: baseUrl, SUPPLYLINE_PROFILE: named } = invocation.io.env;
  if (!baseUrl && (!named || named === profile)) return null;
  // If only the address were unset, its key would apply to the stored profile.
  const variables = baseUrl
    ? ["SUPPLYLINE_BASE_URL", ...secretVariables(invocation)]
    : ["SUPPLYLINE_PROFILE"];
  const used = baseUrl ? addressInEnvironment(invocation) : named;
  return `${variables[0]} is set and has precedence: commands in this shell use ${used}. To use ${profile}: unset ${variables.join(" ")}, or add --profile ${shellQuote(profile)}.`;
}

/** Returns the selected profile that SUPPLYLINE_BASE_URL overrides, or null. */
export function overriddenProfile(invocation: Invocation): string | null {
  try {
    const settings = invocation.settings();
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
function warnOfOverriddenProfile(invocation: Invocation): void {
  const overridden = overriddenProfile(invocation);
  const words = overridden === null ? null : overrideWords(invocation, overridden);
  if (words !== null) invocation.warn(words, invocation.sendsWrites ? "lasting" : undefined);
}

/**
 * Returns a sentence about secrets of the environment that a profile does not use, or null if there
 * are none or they are used.
 */
export function unusedSecretWords(
  invocation: SecretSources,
  profile: Profile,
  { source }: Pick<CredentialFacts, "source">,
): string | null {
  const { secrets } = invocation;
  if (profile.baseUrl === null || !hasSecret(secrets) || isEnvironmentSource(source)) return null;
  const variables = secretVariables(invocation);
  const [verb, pronoun] = variables.length === 1 ? ["is", "it"] : ["are", "them"];
  const reason = secrets.areFor(profile)
    ? `, which has ${source === "helper" ? "a credential helper" : "saved credentials"}`
    : `: SUPPLYLINE_BASE_URL gives ${pronoun} to ${addressInEnvironment(invocation)} alone`;
  return `${variables.join(" and ")} ${verb} not used for ${profile.name}${reason}.`;
}

/**
 * Returns facts about the credentials of a profile. Reads no disk for the sandbox or a profile from
 * the environment.
 */
export function credentialFactsOf(
  invocation: Invocation,
  { profile, origin }: ResolvedProfile,
): CredentialFacts {
  if (origin !== "ad-hoc" && origin !== "sandbox")
    return invocation.settings().credentialFacts(profile, invocation.secrets);
  const secrets = origin === "sandbox" ? noSecrets : invocation.secrets;
  return {
    source: environmentSource(secrets),
    storedIn: null,
    keySaved: false,
    tokenCached: false,
    tokenExpiresAt: secrets.token === null ? null : expiryOf(secrets.token),
    form: null,
  };
}
