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

const defaultTimeoutMs = 10_000;

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
    return [
      failed("profile", error),
      ...notChecked(["credentials", ...steps], "there is no profile"),
    ];
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
    return [...checks, failed("reachability", error), ...notChecked(steps.slice(1), "see above")];
  }
}

function gzipWords(profile: Profile): string {
  const encoding = acceptsGzip(profile) ? "with gzip" : "without gzip";
  return `lists and statuses ${encoding} (compression ${profile.compression ?? "auto"})`;
}

/** The checks of the connection, in the order in which a call can fail. */
const steps = ["reachability", "TLS", "token", "authorization", "clock"] as const;

function notChecked(checks: readonly string[], reason: string): Check[] {
  return checks.map((check) => skipped(check, `not checked: ${reason}`));
}

function credentialCheck(
  { origin, profile }: ResolvedProfile,
  { source }: CredentialFacts,
  unused: string | null,
): Check {
  if (origin === "sandbox") return ok("credentials", "the sandbox has a key");
  const unusedNotice = unused === null ? "" : ` ${unused}`;
  if (source !== "none")
    return ok("credentials", `for ${profile.baseUrl}: ${sourceWords[source]}.${unusedNotice}`);
  const alternative = unused === null ? ", or set SUPPLYLINE_API_KEY" : "";
  return {
    check: "credentials",
    result: "fail",
    detail: `there is no API key and no token for ${profile.baseUrl}. Run: supplyline login --api-key-stdin${alternative}.${unusedNotice}`,
    exitCode: 3,
  };
}

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
  const options = { signal: io.signal, timeoutMs: globals.timeoutMs ?? defaultTimeoutMs };
  const { service } = target;
  const reached = ok("reachability", `${service.baseUrl} responds`);
  const secure = ok(
    "TLS",
    service.baseUrl.startsWith("https:")
      ? "the certificate is valid"
      : "not used on loopback, where it is not needed",
  );
  let token: TokenFacts | null = null;
  let tokenAt = 0;
  const clock = () => clockCheck({ aheadOfDate: service.clockAheadMs(), token, tokenAt });
  // The embedded sandbox has a key.
  if (source === "none" && target.profile.baseUrl !== null) {
    // Without a key, these steps still find a connection problem, which would be the next error.
    try {
      await service.reach(options);
    } catch (error) {
      io.signal.throwIfAborted();
      return stoppedAt(target, error, "reaching the service", "reachability", []);
    }
    return [
      reached,
      secure,
      ...notChecked(["token", "authorization"], "there is no API key and no token"),
      clock(),
    ];
  }
  try {
    // Without a key no new token can be obtained, so the cached token is checked.
    token = await service.authenticate({ ...options, fresh: source !== "cached-token" });
  } catch (error) {
    io.signal.throwIfAborted();
    const checks = stoppedAt(target, error, "obtaining a token", "token", [reached, secure]);
    return withClock(checks, clock());
  }
  tokenAt = io.clock.now();
  const tokenCheck = ok("token", tokenWords(token, tokenAt));
  try {
    await service.accounts.status(
      target.profile.suppliers[0] ?? "ACME",
      "supplyline-doctor",
      options,
    );
  } catch (error) {
    io.signal.throwIfAborted();
    if (!isServiceError(error, "not-found")) {
      const before = [reached, secure, tokenCheck];
      const checks = stoppedAt(target, error, "using the token", "authorization", before);
      return withClock(checks, clock());
    }
  }
  return [
    reached,
    secure,
    tokenCheck,
    ok("authorization", "the service accepts the token"),
    clock(),
  ];
}

/**
 * Replaces the clock check unless it was skipped, because a wrong clock might be the reason for a
 * failed step.
 */
function withClock(checks: readonly Check[], clock: Check): Check[] {
  return checks.map((check) =>
    check.check === "clock" && clock.result !== "skipped" ? clock : check,
  );
}

/**
 * Returns the checks of a failed call: the steps before the failed step passed, and those after it
 * were not reached. The failed step is `usual` unless the kind of the error names another.
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
    const failure = failureOf(error, target.context(doing));
    return [
      ...notChecked(["reachability", "TLS"], "nothing could be sent"),
      failedAs(usual, failure),
    ].concat(notChecked(steps.slice(steps.indexOf(usual) + 1), "see above"));
  }
  const step = (isServiceError(error) ? failedStep[error.kind] : undefined) ?? usual;
  const index = steps.indexOf(step);
  const failure = failureOf(error, target.context(doing));
  return [
    ...before.slice(0, index),
    failedAs(step, failure),
    ...notChecked(steps.slice(index + 1), `${step} failed`),
  ];
}

function tokenWords({ source, expiresAt, form }: TokenFacts, now: number): string {
  const origin = { obtained: "obtained just now", cached: "cached", given: "given" }[source];
  const life =
    expiresAt === null
      ? "has no expiry time"
      : expiresAt > now
        ? `valid for another ${formatDuration(expiresAt - now)}`
        : `expired ${formatDuration(now - expiresAt)} ago`;
  const formWords = form === null ? "" : `, Authorization form ${form}`;
  return `${origin}, ${life}${formWords}`;
}

/**
 * Tolerated clock difference in milliseconds: responses take time, and the Date header counts in
 * seconds.
 */
const toleratedMs = 60_000;

interface ServiceTimes {
  /**
   * Milliseconds by which this machine's clock is ahead of the Date header of a response, or null
   * without one.
   */
  readonly aheadOfDate: number | null;
  readonly token: TokenFacts | null;
  /** Epoch milliseconds at which the token arrived. */
  readonly tokenAt: number;
}

/**
 * Compares this machine's clock with the service's: with the Date header of its last response, and
 * with the times in a token that was just obtained.
 */
function clockCheck({ aheadOfDate, token, tokenAt }: ServiceTimes): Check {
  const obtained = token?.source === "obtained" ? token : null;
  const aheadOfToken =
    obtained === null || obtained.issuedAt === null ? null : tokenAt - obtained.issuedAt;
  for (const [ahead, source] of [
    [aheadOfDate, "the Date header of its response"],
    [aheadOfToken, "the token that it issued just now"],
  ] as const) {
    if (ahead !== null && Math.abs(ahead) > toleratedMs)
      return warn("clock", differenceWords(ahead, source));
  }
  const expiresAt = obtained?.expiresAt ?? null;
  if (expiresAt !== null && expiresAt <= tokenAt)
    return warn(
      "clock",
      `a token obtained just now ended ${formatDuration(tokenAt - expiresAt)} ago by this clock. Set this machine's clock right.`,
    );
  if (aheadOfDate === null && aheadOfToken === null)
    return skipped("clock", "not checked: the service sent no time");
  const largest = Math.max(Math.abs(aheadOfDate ?? 0), Math.abs(aheadOfToken ?? 0));
  return ok(
    "clock",
    `agrees with the service's clock within ${formatDuration(roundUpToSeconds(largest))}`,
  );
}

function differenceWords(ahead: number, source: string): string {
  const side = ahead > 0 ? "ahead of" : "behind";
  return `this machine's clock is ${formatDuration(Math.abs(ahead))} ${side} the service's, by ${source}. Set this machine's clock right.`;
}

/** Rounds milliseconds up to whole seconds, because the header has no fractions. */
function roundUpToSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000)) * 1_000;
}
