/** Watches cohorts, and suppliers with many watched accounts, by their lists. */
import type { Clock } from "../../api/clock.ts";
import { isServiceError, ServiceError } from "../../api/errors.ts";
import type { Service } from "../../api/service.ts";
import type { FollowByLists, ListedSupplier } from "../../watch/by-lists.ts";
import type { CheckHistory } from "../../watch/check-history.ts";
import { reloadMs } from "../../watch/pace.ts";
import { cohortState, leftLists, listedPending, type SeenState } from "../../watch/timeline.ts";
import type { CheckResult, Watched } from "../../watch/watched.ts";
import { NumberSet, numberColumn } from "../account-numbers.ts";
import type { Cohorts } from "../cohorts/cohorts.ts";
import type { Observations } from "../observations/observations.ts";
import { ListMembers, type MemberState } from "./list-members.ts";
import { createListPace } from "./list-pace.ts";
import { createListWatch, type ListWatchEvent, listReaders, maxByStatus } from "./list-watch.ts";

interface RoundsOptions {
  readonly service: Service;
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly observations: Observations;
  readonly cohorts: Pick<Cohorts, "read">;
  readonly checkHistory: Pick<CheckHistory, "saw">;
  readonly checked: (error: unknown) => void;
}

/**
 * Creates the watch by lists for cohorts and for many accounts of a supplier. All suppliers share
 * one pace.
 */
export function createRounds(options: RoundsOptions): FollowByLists {
  const { service, clock, intervalMs, observations, checkHistory, checked } = options;
  const pace = createListPace(clock);
  const readCohorts = createCohortReader(options.cohorts);
  return {
    above: maxByStatus,
    follow(followed) {
      const { supplier, signal, open, report, reported } = followed;
      let cohorts: readonly CohortMembers[] = [];
      let hasFailed = false;
      const read = async () => {
        const { readable, failed } = await readCohorts(supplier, open("cohort"));
        cohorts = readable;
        hasFailed = failed.length > 0;
        const at = clock.now();
        for (const { number, error } of failed)
          report("cohort", number, { kind: "failed", at, nextAt: at + reloadMs(0), error });
        if (hasFailed) reported();
        return cohorts.map(({ members }) => members);
      };
      const watch = createListWatch({
        ...listReaders(service, { supplier, clock, observations }),
        numbers: reuseWhileEqual(() => open("account")),
        wasListed: (number) => statesOf(open("account")).get(number) === listedPending,
        cohorts: read,
        pace,
        intervalMs,
        clock,
        signal,
      });

      const run = async () => {
        do {
          hasFailed = false;
          for await (const event of watch.events()) {
            if (signal.aborted) return;
            if (event.kind === "checking") continue;
            checked("error" in event ? event.error : null);
            const nextAt = "nextAt" in event ? event.nextAt : event.at + watch.everyMs();
            reportAll(event, { ...followed, cohorts, checkHistory, nextAt });
            reported();
          }
          // Only unreadable cohorts are left. A retry might read them.
          if (hasFailed) await clock.sleep(reloadMs(0), signal).catch(() => {});
        } while (hasFailed && !signal.aborted);
      };
      void run();
      return watch;
    },
  };
}

interface Reporting extends ListedSupplier, Pick<RoundsOptions, "checkHistory"> {
  readonly cohorts: readonly CohortMembers[];
  /** The start of the next round in epoch milliseconds. */
  readonly nextAt: number;
}

function reportAll(
  event: Exclude<ListWatchEvent, { kind: "checking" }>,
  { supplier, open, report, cohorts, checkHistory, nextAt }: Reporting,
): void {
  const { at } = event;
  const cohort =
    "members" in event ? cohorts.find(({ members }) => members === event.members) : null;
  const reportState = (kind: "account" | "cohort", number: string, value: CheckResult) =>
    report(kind, number, { kind: "answer", at, nextAt, value });
  const fail = (kind: "account" | "cohort", number: string, error: unknown) =>
    report(kind, number, { kind: "failed", at, nextAt, error });
  const reportCohort = ({ number, state, failedNow }: CohortMembers, seen?: MemberState) => {
    const failed = seen && failedNow(seen);
    const value = { ...state(), serviceNumber: "" };
    reportState("cohort", number, failed == null ? value : { ...value, failed });
  };
  const saw = ({ number, state }: MemberState) =>
    checkHistory.saw({ kind: "account", supplier, number }, state, at);
  switch (event.kind) {
    case "round": {
      const before = statesOf(open("account"));
      for (const seen of event.seen) {
        const { number, serviceNumber } = seen;
        const known = before.get(number) ?? null;
        const state = stateOnList(seen, known);
        if (state !== known && state !== listedPending) saw(seen);
        reportState("account", number, { state, serviceNumber });
      }
      for (const members of cohorts) reportCohort(members);
      return;
    }
    case "looked-up": {
      const { number, state, serviceNumber, hasFailed } = event.seen;
      saw(event.seen);
      if (cohort) reportCohort(cohort, event.seen);
      else reportState("account", number, { state: hasFailed ? leftLists : state, serviceNumber });
      return;
    }
    case "failed": {
      const error = errorOfList(event.error);
      for (const { number } of open("account")) fail("account", number, error);
      for (const { number } of cohorts) fail("cohort", number, error);
      return;
    }
    case "look-up-failed": {
      if (cohort) fail("cohort", cohort.number, event.error);
      else fail("account", event.number, event.error);
    }
  }
}

/**
 * Returns the state of a listed account. If the account is pending, its known status remains, because
 * a list does not show the status.
 */
function stateOnList({ state }: MemberState, known: string | null): string {
  const isKnown = known === "UNKNOWN" || known === "IN_PROGRESS";
  return state === listedPending && isKnown ? known : state;
}

/** Returns the same set until the accounts change, so that their states stay. */
function reuseWhileEqual(accounts: () => readonly Watched[]): () => NumberSet {
  let key: string | null = null;
  let numbers = new NumberSet(numberColumn([]));
  return () => {
    const current = accounts().map(({ number }) => number);
    const nextKey = JSON.stringify(current);
    if (nextKey !== key) numbers = new NumberSet(numberColumn(current));
    key = nextKey;
    return numbers;
  };
}

/** Converts a 404 of the list to another error, because a 404 would be the state of an account. */
function errorOfList(error: unknown): unknown {
  if (!isServiceError(error, "not-found")) return error;
  return new ServiceError("unexpected-status", "There is no list (404).", error.facts);
}

function statesOf(accounts: readonly Watched[]): ReadonlyMap<string, string | null> {
  return new Map(accounts.map(({ number, timeline }) => [number, timeline.at(-1)?.state ?? null]));
}

interface CohortMembers {
  readonly number: string;
  readonly members: ListMembers;
  state(): SeenState;
  /** Returns the account number if a lookup has newly found that the account failed, else null. */
  failedNow(seen: MemberState): string | null;
}

/**
 * Returns a function that reads the watched cohorts of a supplier, each once in a session. The
 * states of their accounts are preserved while watching is paused.
 */
function createCohortReader(cohorts: Pick<Cohorts, "read">) {
  const known = new Map<string, CohortMembers>();
  return async (supplier: string, wanted: readonly Watched[]) => {
    const readable: CohortMembers[] = [];
    const failed: { readonly number: string; readonly error: unknown }[] = [];
    for (const { number, progress } of wanted) {
      const key = JSON.stringify([supplier, number]);
      try {
        const members =
          known.get(key) ??
          cohortMembers(
            number,
            new ListMembers((await cohorts.read(number, supplier)).numbers, null, null),
            progress?.failed ?? null,
          );
        known.set(key, members);
        readable.push(members);
      } catch (error) {
        failed.push({ number, error });
      }
    }
    return { readable, failed };
  };
}

/**
 * Returns the members of a watched cohort. `failedBefore` is the number of failed accounts that an
 * earlier session found, or null for a new watch.
 */
function cohortMembers(
  number: string,
  members: ListMembers,
  failedBefore: number | null,
): CohortMembers {
  /**
   * Returns the number of failed accounts. Until each account on no list is decided, undecided
   * accounts count as failed, up to the number of the earlier session.
   */
  const failed = () =>
    Math.max(members.failed, Math.min(failedBefore ?? 0, members.failed + members.undecided));
  return {
    number,
    members,
    state() {
      const done = members.index.size - members.open - members.failed;
      return cohortState({ done, failed: failed(), open: members.index.size - done - failed() });
    },
    failedNow: ({ number: account, hasFailed, previous }) =>
      hasFailed && (previous !== null || (failedBefore !== null && members.failed > failedBefore))
        ? account
        : null,
  };
}
