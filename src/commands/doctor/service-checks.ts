/** The checks of `doctor` for the profile, its credentials and its service. */

import { isServiceError, type ServiceErrorKind } from "../../api/errors.ts";
import type { TokenFacts } from "../../api/service.ts";
import type { CredentialFacts } from "../../settings/credentials.ts";
import type { ResolvedProfile } from "../../settings/resolve.ts";
import type { Profile } from "../../settings/schemas.ts";
import { acceptsGzip } from "../../settings/service-options.ts";
import { formatDuration } from "../../text/durations.ts";
import { sourceWords } from "../credentials/whoami.ts";
import { failureOf } from "../failure.ts";
import { credentialFactsOf, needTarget, unusedSecretWords } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";
import { type Target, withTarget } from "../target.ts";
import { type Check, failed, failedAs, ok, skipped, warn } from "./check.ts";

/** Time limit of a request in milliseconds, if `--timeout` is not given. */
const patienceMs = 10_000;

/**
 * Checks the connection to the service step by step. The first failed step is the problem to fix.
 */
export async function serviceChecks(invocation: Invocation): Promise<Check[]> {
  let resolved: ResolvedProfile;
  let facts: CredentialFacts;
  try {
    resolved = needTarget(invocation);
    facts = credentialFactsOf(invocation, resolved);
  } catch (error) {
    return [failed("profile", error), ...unseen(["credentials", ...steps], "there is no profile")];
  }
  const { profile, origin } = resolved;
  const where = profile.baseUrl ?? "the embedded sandbox";
  const checks = [
    ok(
      "profile",
      `${profile.name} (${profile.environment}, chosen by: ${origin}) at ${where}, ${gzipWords(profile)}`,
    ),
    credentialCheck(resolved, facts, unusedSecretWords(invocation, profile, facts)),
  ];
  try {
    return [
      ...checks,
      ...(await withTarget(invocation, (target) => callChecks(invocation, target, facts))),
    ];
  } catch (error) {
    invocation.io.signal.throwIfAborted();
    return [...checks, failed("reachability", error), ...unseen(steps.slice(1), "see above")];
  }
}

function gzipWords(profile: Profile): string {
  const asked = acceptsGzip(profile) ? "with gzip" : "without gzip";
  return `lists and statuses ${asked} (compression ${profile.compression ?? "auto"})`;
}

const steps = ["reachability", "TLS", "token", "authorization", "clock"] as const;

function unseen(checks: readonly string[], why: string): Check[] {
  return checks.map((check) => skipped(check, `not checked: ${why}`));
}

function credentialCheck(
  { origin, profile }: ResolvedProfile,
  { source }: CredentialFacts,
  unused: string | null,
): Check {
  if (origin === "sandbox") return ok("credentials", "the sandbox brings its own key");
  const more = unused === null ? "" : ` ${unused}`;
  if (source !== "none")
    return ok("credentials", `for ${profile.baseUrl}: ${sourceWords[source]}.${more}`);
  const way = unused === null ? ", or set SUPPLYLINE_API_KEY" : "";
  return {
    check: "credentials",
    result: "fail",
    detail: `there is no API key and no token for ${profile.baseUrl}. Run: supplyline login --api-key-stdin${way}.${more}`,
    exitCode: 3,
  };
}

/** The step at which a call with this kind of error failed. */
const failedStep: Partial<Record<ServiceErrorKind, (typeof steps)[number]>> = {
  unreachable: "reachability",
  timeout: "reachability",
  redirect: "reachability",
  tls: "TLS",
};

async function callChecks(
  invocation: Invocation,
  target: Target,
  { source }: CredentialFacts,
): Promise<Check[]> {
  const { io, globals } = invocation;
  const options = { signal: io.signal, timeoutMs: globals.timeoutMs ?? patienceMs };
  const { service } = target;
  const reached = ok("reachability", `${service.baseUrl} answers`);
  const secure = ok(
    "TLS",
    service.baseUrl.startsWith("https:")
      ? "the certificate is valid"
      : "not used on loopback, where it is not needed",
  );
  let token: TokenFacts | null = null;
  let tokenAt = 0;
  const clock = () => clockCheck({ aheadOfDate: service.clockAheadMs(), token, tokenAt });
  // The embedded sandbox brings a key.
  if (source === "none" && target.profile.baseUrl !== null) {
    // These steps need no key, and a connection problem would be the next error.
    try {
      await service.reach(options);
    } catch (error) {
      io.signal.throwIfAborted();
      return stoppedAt(target, error, "reaching the service", "reachability", []);
    }
    return [
      reached,
      secure,
      ...unseen(["token", "authorization"], "there is no API key and no token"),
      clock(),
    ];
  }
  try {
    // Without a key no new token can be obtained, so the cached token is checked.
    token = await service.authenticate({ ...options, fresh: source !== "cached-token" });
  } catch (error) {
    io.signal.throwIfAborted();
    const found = stoppedAt(target, error, "obtaining a token", "token", [reached, secure]);
    return withClock(found, clock());
  }
  tokenAt = io.clock.now();
  // An obtained token shows that the service was reached. A given or cached token was not sent yet.
  const known = token.source === "obtained" ? [reached, secure] : [];
  const held = ok("token", tokenWords(token, tokenAt));
  try {
    await service.accounts.status(
      target.profile.suppliers[0] ?? "ACME",
      "supplyline-doctor",
      options,
    );
  } catch (error) {
    io.signal.throwIfAborted();
    if (!isServiceError(error, "not-found")) {
      const before = known.length > 0 ? [...known, held] : [reached, secure, held];
      const found = stoppedAt(target, error, "asking with the token", "authorization", before);
      return withClock(found, clock());
    }
  }
  return [reached, secure, held, ok("authorization", "the service accepts the token"), clock()];
}

/**
 * Replaces the clock check. A wrong clock might be the reason for a failed step, so it is reported
 * in any case.
 */
function withClock(checks: readonly Check[], clock: Check): Check[] {
  return checks.map((one) => (one.check === "clock" && clock.result !== "skipped" ? clock : one));
}

/**
 * Returns the checks of a failed call: the steps before the failed one passed, and those after it
 * were not reached.
 */
function stoppedAt(
  target: Target,
  error: unknown,
  doing: string,
  usual: (typeof steps)[number],
  before: readonly Check[],
): Check[] {
  const wasSent = isServiceError(error) && error.facts.sent !== false;
  const isMissing = isServiceError(error, "credentials") && error.facts.httpStatus === undefined;
  if (isMissing || (!wasSent && !(isServiceError(error) && failedStep[error.kind]))) {
    const why = failureOf(error, target.context(doing));
    return [
      ...unseen(["reachability", "TLS"], "nothing could be sent"),
      failedAs(usual, why),
    ].concat(unseen(steps.slice(steps.indexOf(usual) + 1), "see above"));
  }
  const step = (isServiceError(error) ? failedStep[error.kind] : undefined) ?? usual;
  const at = steps.indexOf(step);
  const failure = failureOf(error, target.context(doing));
  return [
    ...before.slice(0, at),
    failedAs(step, failure),
    ...unseen(steps.slice(at + 1), `${step} failed`),
  ];
}

function tokenWords({ source, expiresAt, form }: TokenFacts, now: number): string {
  const origin = { obtained: "obtained just now", cached: "cached", given: "given" }[source];
  const life =
    expiresAt === null
      ? "has no expiry time"
      : expiresAt > now
        ? `lasts another ${formatDuration(expiresAt - now)}`
        : `expired ${formatDuration(now - expiresAt)} ago`;
  const written = form === null ? "" : `, Authorization form ${form}`;
  return `${origin}, ${life}${written}`;
}

/**
 * Tolerated clock difference in milliseconds: responses take time, and the Date header counts in
 * seconds.
 */
const tolerated = 60_000;

/** The times that the service reported. */
interface ServiceTimes {
  /**
   * Milliseconds by which this machine's clock is ahead of the Date header of a response, or null
   * without one.
   */
  readonly aheadOfDate: number | null;
  /** The facts about the token in use, or null if there is none. */
  readonly token: TokenFacts | null;
  /** Epoch milliseconds at which the token arrived. */
  readonly tokenAt: number;
}

/**
 * Compares this machine's clock with the service's: with the Date header of its last response, and
 * with the times in a token that was just obtained.
 */
function clockCheck({ aheadOfDate, token, tokenAt }: ServiceTimes): Check {
  const fresh = token?.source === "obtained" ? token : null;
  const aheadOfToken = fresh?.issuedAt === null || fresh === null ? null : tokenAt - fresh.issuedAt;
  for (const [ahead, source] of [
    [aheadOfDate, "the Date header of its answer"],
    [aheadOfToken, "the token that it issued just now"],
  ] as const) {
    if (ahead !== null && Math.abs(ahead) > tolerated) return warn("clock", apart(ahead, source));
  }
  if (fresh?.expiresAt !== undefined && fresh.expiresAt !== null && fresh.expiresAt <= tokenAt)
    return warn(
      "clock",
      `a token obtained just now ended ${formatDuration(tokenAt - fresh.expiresAt)} ago by this clock. Set this machine's clock right.`,
    );
  if (aheadOfDate === null && aheadOfToken === null)
    return skipped("clock", "not checked: the service sent no time");
  const largest = Math.max(Math.abs(aheadOfDate ?? 0), Math.abs(aheadOfToken ?? 0));
  return ok("clock", `agrees with the service's clock within ${formatDuration(seconds(largest))}`);
}

function apart(ahead: number, source: string): string {
  const side = ahead > 0 ? "ahead of" : "behind";
  return `this machine's clock is ${formatDuration(Math.abs(ahead))} ${side} the service's, by ${source}. Set this machine's clock right.`;
}

/** Rounds up to seconds, because the header has no fractions. */
function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000)) * 1_000;
}
