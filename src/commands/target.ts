import { createService } from "../api/client.ts";
import type { Service } from "../api/service.ts";
import { passingCredentials } from "../settings/credentials.ts";
import type { Profile } from "../settings/profile.ts";
import { type ResolvedProfile, resolvedSandbox, resolveProfile } from "../settings/resolve.ts";
import { sandboxProfile } from "../settings/sandbox-profile.ts";
import { holdSecrets } from "../settings/secrets.ts";
import { serviceOptions } from "../settings/service-options.ts";
import type { Settings } from "../settings/settings.ts";
import type { ErrorContext } from "../text/describe-error.ts";
import { CommandError } from "./command-error.ts";
import type { Invocation } from "./invocation.ts";

/** A service at hand, and what is to be said about it. */
export interface Target {
  readonly profile: Profile;
  readonly service: Service;
  /** The words for an error met while doing something here. */
  context(doing: string, subject?: ErrorContext["subject"]): ErrorContext;
}

/** The place a command is meant for, or null when nothing is chosen. Nothing is sent. */
export async function findTarget(invocation: Invocation): Promise<ResolvedProfile | null> {
  const { io, globals, secrets } = invocation;
  const flag = globals.profile;
  if (globals.sandbox) {
    if (flag !== undefined && flag !== sandboxProfile.name)
      throw new CommandError("usage", "--sandbox and --profile name two places", "Give one.");
    return resolvedSandbox();
  }
  const settings = await settingsIfMeant(invocation, flag === sandboxProfile.name);
  const found = () => {
    if (settings === null) throw new Error("the settings were not opened");
    return settings;
  };
  return resolveProfile({ flag, env: io.env, secrets, settings: found });
}

/** The settings, unless the sandbox or the environment says it all: then the disk is left alone. */
async function settingsIfMeant(
  invocation: Invocation,
  isSandbox: boolean,
): Promise<Settings | null> {
  const { io, globals } = invocation;
  const isAdHoc = globals.profile === undefined && Boolean(io.env.SUPPLYLINE_BASE_URL);
  return isSandbox || isAdHoc ? null : await invocation.settings();
}

/** The same, where there must be one. Throws `no-profile`, or `usage` when there are several. */
export async function needTarget(invocation: Invocation): Promise<ResolvedProfile> {
  const found = await findTarget(invocation);
  if (found !== null) return found;
  const known = (await invocation.settings()).profiles().map((profile) => profile.name);
  if (known.length > 0)
    throw new CommandError(
      "usage",
      `several profiles are set up and none is chosen: ${known.join(", ")}`,
      "Choose one with --profile NAME, or for good with: supplyline profiles use NAME",
    );
  throw new CommandError(
    "no-profile",
    "no service is set up here yet",
    "Add one with `supplyline profiles add NAME --base-url URL` and `supplyline login --api-key-stdin`, set SUPPLYLINE_BASE_URL and SUPPLYLINE_API_KEY, or try --sandbox.",
  );
}

/**
 * Does work against the service that is meant, and lets go of it afterwards. The sandbox is started
 * first when that is what it is.
 */
export async function withTarget<T>(
  invocation: Invocation,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const resolved = await needTarget(invocation);
  const embedded = resolved.origin === "sandbox" ? await startSandbox() : null;
  try {
    const service = await serviceFor(invocation, resolved, embedded);
    try {
      const { profile } = resolved;
      return await work({
        profile,
        service,
        context: (doing, subject) => ({
          doing,
          subject,
          baseUrl: service.baseUrl,
          profile: resolved.origin === "flag" ? profile.name : undefined,
        }),
      });
    } finally {
      await service.close();
    }
  } finally {
    await embedded?.close();
  }
}

async function startSandbox() {
  const { startEmbeddedSandbox } = await import("../sandbox/embedded.ts");
  return startEmbeddedSandbox();
}

/** A service for a resolved place; `embedded` is the sandbox that was started for it. */
export async function serviceFor(
  invocation: Invocation,
  resolved: ResolvedProfile,
  embedded: { readonly baseUrl: string; readonly apiKey: string } | null,
): Promise<Service> {
  const { io } = invocation;
  const { profile, origin } = resolved;
  const isStored = embedded === null && origin !== "ad-hoc";
  const form = isStored ? (await invocation.settings()).knownForm(profile.name) : null;
  const credentials = embedded
    ? passingCredentials(holdSecrets({ apiKey: embedded.apiKey }))
    : resolved.credentials;
  const place = embedded ? { profile, baseUrl: embedded.baseUrl } : { profile };
  return createService({
    ...serviceOptions(place, io.env, credentials, form),
    clock: io.clock,
    userAgent: `supplyline/${io.version}`,
  });
}
