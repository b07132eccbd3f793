/** Selects the profile to use by the flag `--profile`, the environment and the settings. */
import * as z from "zod/mini";
import type { CredentialSource } from "../api/service.ts";
import { memoryCredentials } from "./credentials.ts";
import { invalidSetting } from "./invalid-setting.ts";
import { unknownProfile } from "./profile-book.ts";
import { adHocName, sandboxProfile } from "./sandbox-profile.ts";
import {
  type Profile,
  type ProfileKey,
  profileKeys,
  profileSchema,
  profileSettings,
} from "./schemas.ts";
import { noSecrets, type Secrets } from "./secrets.ts";
import type { Settings } from "./settings.ts";

export interface ResolvedProfile {
  readonly profile: Profile;
  /** The setting that selected the profile, or `sandbox` for the built-in sandbox always. */
  readonly origin: "flag" | "environment" | "current" | "ad-hoc" | "only" | "sandbox";
  readonly credentials: CredentialSource;
}

interface ResolveInput {
  readonly flag?: string | undefined;
  readonly env: Record<string, string | undefined>;
  readonly secrets: Secrets;
  /** Opens the settings. Called only if a stored profile might be used. */
  readonly settings: () => Settings;
}

/**
 * Returns the first profile of: `--profile`; `SUPPLYLINE_BASE_URL`, an ad-hoc profile that reads
 * and writes no file; `SUPPLYLINE_PROFILE`; the current one; the only one. Returns null if there is
 * no profile, or if there are several and none was selected.
 *
 * As in other commands, a flag overrides the environment. In the environment, an address overrides
 * a name because it is more specific.
 *
 * Throws `unknown-profile` with the known names, `invalid` with the name of the variable, and the
 * errors of opening the settings.
 */
export function resolveProfile(input: ResolveInput): ResolvedProfile | null {
  const { flag, env, secrets } = input;
  if (flag !== undefined) return resolveByName(flag, "flag", input);
  if (env.SUPPLYLINE_BASE_URL)
    return {
      profile: adHocProfile(env),
      origin: "ad-hoc",
      credentials: memoryCredentials(secrets),
    };
  const selected = selectedProfile(input);
  return selected && resolveByName(selected.name, selected.origin, input);
}

/**
 * Returns the profile that is used if neither a flag nor an address in the environment selects one,
 * or null if there is none. Throws the errors of opening the settings.
 */
export function selectedProfile({ env, settings }: Pick<ResolveInput, "env" | "settings">): {
  readonly name: string;
  readonly origin: "environment" | "current" | "only";
} | null {
  if (env.SUPPLYLINE_PROFILE) return { name: env.SUPPLYLINE_PROFILE, origin: "environment" };
  const current = settings().currentName();
  if (current !== null) return { name: current, origin: "current" };
  const [only, ...others] = settings().profiles();
  return only && others.length === 0 ? { name: only.name, origin: "only" } : null;
}

/** Returns the embedded sandbox, without its key, which is known only while the sandbox runs. */
export function resolvedSandbox(): ResolvedProfile {
  return { profile: sandboxProfile, origin: "sandbox", credentials: memoryCredentials(noSecrets) };
}

/** Returns the profile with a name. Throws `unknown-profile`. */
function resolveByName(
  name: string,
  origin: "flag" | "environment" | "current" | "only",
  input: ResolveInput,
): ResolvedProfile {
  if (name === sandboxProfile.name) return resolvedSandbox();
  const settings = input.settings();
  const profile = settings.find(name);
  if (!profile) throw unknownProfile(name, settings.profiles());
  return { profile, origin, credentials: settings.credentials(profile, input.secrets) };
}

/** Creates a profile from the variables of the environment. Throws `invalid`. */
function adHocProfile(env: ResolveInput["env"]): Profile {
  const values = profileKeys
    .map((key) => [key, env[profileSettings[key].variable ?? ""]] as const)
    .filter(([, value]) => value);
  const parsed = z.safeParse(profileSchema, { name: adHocName, ...Object.fromEntries(values) });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const variable = profileSettings[issue?.path[0] as ProfileKey]?.variable ?? "the environment";
  throw invalidSetting(`${variable}: ${issue?.message}`);
}
