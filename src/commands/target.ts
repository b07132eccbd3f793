/** Connects a command to the service of its profile. */

import { createService } from "../api/client.ts";
import type { RateLimitPause } from "../api/rate-limit.ts";
import type { Service } from "../api/service.ts";
import type { ErrorContext } from "../errors/app-error.ts";
import { memoryCredentials } from "../settings/credentials.ts";
import type { ResolvedProfile } from "../settings/resolve.ts";
import type { Profile } from "../settings/schemas.ts";
import { createSecrets } from "../settings/secrets.ts";
import { serviceOptions } from "../settings/service-options.ts";
import { waitText } from "../text/durations.ts";
import type { ObservationsPlace } from "../triage/observations/observation-files.ts";
import { credentialFactsOf, needTarget, unusedSecretWords } from "./find-target.ts";
import type { Invocation } from "./invocation.ts";

export interface Target {
  readonly profile: Profile;
  readonly service: Service;
  readonly observationsPlace: ObservationsPlace;
  context(doing: string, subject?: ErrorContext["subject"]): ErrorContext;
}

/**
 * Runs work with the service of the selected profile, and closes it afterwards. Starts the embedded
 * sandbox first if it is selected.
 */
export async function withTarget<T>(
  invocation: Invocation,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const resolved = needTarget(invocation);
  const embedded = resolved.origin === "sandbox" ? await startSandbox() : null;
  try {
    const service = serviceFor(invocation, resolved, embedded);
    try {
      const { profile } = resolved;
      const facts = credentialFactsOf(invocation, resolved);
      const unusedSecret = unusedSecretWords(invocation, profile, facts) ?? undefined;
      return await work({
        profile,
        service,
        observationsPlace: embedded ?? { folder: invocation.folders.stateDir },
        context: (doing, subject) => ({
          doing,
          subject,
          baseUrl: service.baseUrl,
          profile: resolved.origin === "flag" ? profile.name : undefined,
          fromEnvironment: resolved.origin === "ad-hoc",
          unusedSecret,
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

/**
 * Creates the service of a profile. `embedded` is the started sandbox, or null for another service.
 */
export function serviceFor(
  invocation: Invocation,
  resolved: ResolvedProfile,
  embedded: { readonly baseUrl: string; readonly apiKey: string } | null,
): Service {
  const { io } = invocation;
  const { profile, origin } = resolved;
  const isStored = embedded === null && origin !== "ad-hoc";
  const form = isStored ? invocation.settings().knownForm(profile.name) : null;
  const credentials = embedded
    ? memoryCredentials(createSecrets({ apiKey: embedded.apiKey }))
    : resolved.credentials;
  const selected = embedded ? { profile, baseUrl: embedded.baseUrl } : { profile };
  return createService({
    ...serviceOptions(selected, io.env, credentials, form),
    clock: io.clock,
    userAgent: `supplyline/${io.version}`,
    onRateLimited: rateLimitReporter(invocation),
  });
}

/**
 * Maximum milliseconds between the ends of two pauses that are reported as one, because simultaneous
 * requests pause together.
 */
const samePauseMs = 2_000;

/**
 * Returns a function that reports on stderr that requests pause because the service requires it
 * (429).
 */
function rateLimitReporter(invocation: Invocation): (wait: RateLimitPause) => void {
  const { clock } = invocation.io;
  let reportedUntil = Number.NEGATIVE_INFINITY;
  return ({ until }) => {
    if (until <= reportedUntil + samePauseMs) return;
    reportedUntil = until;
    const span = waitText(until - clock.now());
    invocation.progress(`Waiting ${span}, as the service asks (429); then retrying.`);
  };
}
