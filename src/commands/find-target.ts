/** Finds the profile that a command uses, by its options, the environment and the settings. */

import { AppError } from "../errors/app-error.ts";
import { type ResolvedProfile, resolvedSandbox, resolveProfile } from "../settings/resolve.ts";
import { sandboxProfile } from "../settings/sandbox-profile.ts";
import type { Settings } from "../settings/settings.ts";
import { usageError } from "./command-error.ts";
import { warnOfHiddenProfile } from "./environment.ts";
import type { Invocation } from "./invocation.ts";

/** Returns the profile that a command uses, or null if none is chosen. Sends nothing. */
export async function findTarget(invocation: Invocation): Promise<ResolvedProfile | null> {
  const { io, globals, secrets } = invocation;
  const flag = globals.profile;
  if (globals.sandbox) {
    if (flag !== undefined && flag !== sandboxProfile.name)
      throw usageError("--sandbox and --profile exclude each other", "Give one.");
    return resolvedSandbox();
  }
  const settings = await settingsIfMeant(invocation, flag === sandboxProfile.name);
  const found = () => {
    if (settings === null) throw new Error("the settings were not opened");
    return settings;
  };
  return resolveProfile({ flag, env: io.env, secrets, settings: found });
}

/**
 * Opens the settings. Returns null, without reading the disk, if the sandbox or the environment
 * determines the profile.
 */
async function settingsIfMeant(
  invocation: Invocation,
  isSandbox: boolean,
): Promise<Settings | null> {
  const { io, globals } = invocation;
  const isAdHoc = globals.profile === undefined && Boolean(io.env.SUPPLYLINE_BASE_URL);
  return isSandbox || isAdHoc ? null : await invocation.settings();
}

/**
 * Returns the profile of a command that needs one. Throws `no-profile`, or `usage` if there are
 * several and none is chosen.
 */
export async function needTarget(invocation: Invocation): Promise<ResolvedProfile> {
  const found = await findTarget(invocation);
  if (found?.origin === "ad-hoc") await warnOfHiddenProfile(invocation);
  if (found !== null) return found;
  const known = (await invocation.settings()).profiles().map((profile) => profile.name);
  if (known.length > 0)
    throw usageError(
      `there are several profiles and none is chosen: ${known.join(", ")}`,
      "Choose one with --profile NAME, or permanently with: supplyline profiles use NAME",
    );
  throw new AppError("command", "no-profile", "no service is set up yet", {
    remedy:
      "Add one with `supplyline profiles add NAME --base-url URL` and `supplyline login --api-key-stdin`, set SUPPLYLINE_BASE_URL and SUPPLYLINE_API_KEY, or try --sandbox.",
  });
}
