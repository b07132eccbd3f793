/** A watched subject, its last known state, and the progress of its checks. */
import { isServiceError } from "../api/errors.ts";
import type { AccountStatus, ReadResult, Service, SupplyPointProcess } from "../api/service.ts";
import type { PollEvent } from "./poll.ts";
import {
  type CohortProgress,
  type Finality,
  finalityOf,
  isSameState,
  keyOf,
  notFound,
  observe,
  progressIn,
  type SeenState,
  type StoredWatch,
  type Transition,
  timelineSince,
  type WatchSubject,
} from "./timeline.ts";

export interface CheckResult extends SeenState {
  /** The number that the service assigned, or an empty text if there is none. */
  readonly serviceNumber: string;
  readonly failed?: string;
  /** The response with the status, or absent if a list was read. */
  readonly answer?: ReadResult<AccountStatus | SupplyPointProcess>;
}

export interface Watched extends WatchSubject {
  readonly key: string;
  readonly addedAt: number;
  readonly timeline: readonly Transition[];
  readonly finality: Finality;
  /** A cohort's numbers of accounts by progress. Null for another subject or before a check. */
  readonly progress: CohortProgress | null;
  readonly serviceNumber: string;
  /** The error of the last check, or null if it succeeded. A 404 is a state, not an error. */
  readonly trouble: unknown;
}

/** The progress of checking a subject. It changes with every check, without a notification. */
export interface WatchProgress {
  readonly checking: boolean;
  /** Epoch milliseconds of the last conclusive response. A 404 is conclusive. */
  readonly checkedAt: number | null;
  readonly nextAt: number | null;
  readonly checks: number;
  readonly failures: number;
}

interface WatchState {
  readonly watched: Watched;
  readonly progress: WatchProgress;
}

export type CheckEnd = Exclude<PollEvent<CheckResult>, { kind: "checking" }>;

export function watchStateOf(stored: StoredWatch): WatchState {
  const { kind, supplier, number, addedAt, timeline } = stored;
  const finality = finalityOf(kind, timelineSince(timeline, addedAt));
  const key = keyOf(stored);
  return {
    watched: {
      key,
      kind,
      supplier,
      number,
      addedAt,
      timeline,
      finality,
      progress: progressIn(timeline),
      serviceNumber: "",
      trouble: null,
    },
    progress: { checking: false, checkedAt: null, nextAt: null, checks: 0, failures: 0 },
  };
}

/**
 * Returns a subject after one more check. Its timeline uses the service's time. This machine's
 * clock is ahead of the service's clock by `wrongByMs`. Returns the same `watched` object if there
 * is nothing to redraw, without the time of this check in the timeline.
 */
export function afterCheck(
  { watched, progress }: WatchState,
  end: CheckEnd,
  wrongByMs: number,
): WatchState {
  const next: WatchProgress = {
    ...progress,
    checking: false,
    nextAt: end.nextAt,
    checks: progress.checks + 1,
  };
  if (end.kind === "failed" && !isServiceError(end.error, "not-found")) {
    return {
      watched: isSameFailure(watched.trouble, end.error)
        ? watched
        : { ...watched, trouble: end.error },
      progress: { ...next, failures: progress.failures + 1 },
    };
  }
  const result = end.kind === "answer" ? end.value : { state: notFound, serviceNumber: "" };
  const progressAfter = { ...next, checkedAt: end.at };
  const latest = watched.timeline.at(-1);
  const isUnchanged =
    latest !== undefined &&
    isSameState(latest, result) &&
    watched.serviceNumber === result.serviceNumber &&
    watched.trouble === null;
  if (isUnchanged) return { watched, progress: progressAfter };
  const checkedAt = progress.checkedAt === null ? null : progress.checkedAt - wrongByMs;
  const before = withLastCheck(watched.timeline, checkedAt);
  const timeline = observe(before, result, end.at - wrongByMs);
  return {
    watched: {
      ...watched,
      timeline,
      finality: finalityOf(watched.kind, timelineSince(timeline, watched.addedAt)),
      progress: progressIn(timeline),
      serviceNumber: result.serviceNumber,
      trouble: null,
    },
    progress: progressAfter,
  };
}

/** Returns the timeline with the last check in its latest state, which not every check records. */
function withLastCheck(timeline: readonly Transition[], checkedAt: number | null) {
  const latest = timeline.at(-1);
  return latest && checkedAt !== null ? observe(timeline, latest, checkedAt) : timeline;
}

function isSameFailure(one: unknown, other: unknown): boolean {
  if (!isServiceError(one) || !isServiceError(other)) return one === other;
  return one.kind === other.kind && one.facts.httpStatus === other.facts.httpStatus;
}

/** Returns the state of an account's import from its status (INTERFACE 4.8). */
export function accountResult(status: AccountStatus): CheckResult {
  return { state: status.status, serviceNumber: status.service_account_number };
}

/**
 * Checks the status of an account or a supply point (INTERFACE 4.7, 4.8), and passes the state that
 * it found, a 404 included, to `saw`. A failed request is not retried, because the next check comes
 * soon.
 */
export async function checkStatus(
  service: Pick<Service, "accounts" | "supplyPoints">,
  subject: WatchSubject,
  signal: AbortSignal,
  saw: (state: string) => void,
): Promise<CheckResult> {
  try {
    const result = await requestStatus(service, subject, signal);
    saw(result.state);
    return result;
  } catch (error) {
    if (isServiceError(error, "not-found")) saw(notFound);
    throw error;
  }
}

async function requestStatus(
  { accounts, supplyPoints }: Pick<Service, "accounts" | "supplyPoints">,
  { kind, supplier, number }: WatchSubject,
  signal: AbortSignal,
): Promise<CheckResult> {
  const call = { signal, retries: 0 };
  if (kind === "account") {
    const answer = await accounts.status(supplier, number, call);
    return { ...accountResult(answer.value), answer };
  }
  // See INTERFACE 4.7.
  const answer = await supplyPoints.status(supplier, number, call);
  const { status: state, service_identifier: identifier } = answer.value;
  return { state, serviceNumber: identifier ?? "", answer };
}
