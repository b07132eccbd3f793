import type { Clock } from "../api/clock.ts";
import { isServiceError, ServiceError } from "../api/errors.ts";
import type { Service } from "../api/service.ts";
import type { Cohorts } from "../triage/cohorts/cohorts.ts";
import type { ListMembers, Seen } from "../triage/list-watch/list-members.ts";
import { createListPace } from "../triage/list-watch/list-pace.ts";
import {
  createListWatch,
  type ListWatchEvent,
  mostByStatus,
} from "../triage/list-watch/list-watch.ts";
import { listsOf } from "../triage/list-watch/service-lists.ts";
import { NumberSet, numberColumn } from "../triage/number-set.ts";
import type { Observations } from "../triage/observations/observations.ts";
import type { FollowByLists, Followed, ListNews } from "../watch/by-lists.ts";
import { reloadMs } from "../watch/pace.ts";
import type { CheckHistory } from "../watch/sightings.ts";
import { leftLists, listedPending } from "../watch/transitions.ts";
import { type CohortMembers, createWatchedCohorts } from "./watched-cohorts.ts";

interface ByListsOptions {
  readonly service: Service;
  readonly clock: Clock;
  /** Milliseconds between two rounds, at least. */
  readonly askedMs: number;
  readonly observations: Observations;
  readonly cohorts: Pick<Cohorts, "read">;
  readonly sightings: Pick<CheckHistory, "saw">;
  /** Receives the error of each list and look-up, or null if it succeeded. */
  readonly checked: (error: unknown) => void;
}

type Follow = Parameters<FollowByLists["follow"]>[0];

/** Statuses that an account on the list of the pending ones can have: the list does not show which. */
const pendingStatuses: ReadonlySet<string | null> = new Set(["UNKNOWN", "IN_PROGRESS"]);

/** Watches cohorts, and many accounts of a supplier, with lists; all suppliers share one pace. */
export function watchByLists(options: ByListsOptions): FollowByLists {
  const { service, clock, askedMs, observations, checked } = options;
  const pace = createListPace(clock);
  const readCohorts = createWatchedCohorts(options.cohorts);
  return {
    above: mostByStatus,
    follow(followed) {
      const { supplier, signal } = followed;
      let cohorts: readonly CohortMembers[] = [];
      let hasFailed = false;
      /** Reads the cohorts that are new, and reports those that cannot be read. */
      const read = async () => {
        const { readable, failed } = await readCohorts(supplier, followed.cohorts());
        cohorts = readable;
        hasFailed = failed.length > 0;
        const at = clock.now();
        const nextAt = at + reloadMs(0);
        if (hasFailed && !signal.aborted)
          followed.report(
            failed.map(({ number, error }) => ({
              ...{ kind: "cohort", number },
              event: { kind: "failed", at, nextAt, error },
            })),
          );
        return cohorts.map(({ members }) => members);
      };
      const watch = createListWatch({
        ...listsOf(service, { supplier, clock, observations }),
        numbers: watchedNumbers(followed.numbers),
        wasListed: (number) => stateIn(followed.numbers(), number) === listedPending,
        cohorts: read,
        pace,
        askedMs,
        clock,
        signal,
      });
      const run = async () => {
        do {
          hasFailed = false;
          for await (const event of watch.events()) {
            if (event.kind === "checking") continue;
            const failed = event.kind === "failed" || event.kind === "look-up-failed";
            checked(failed ? event.error : null);
            const news = newsOf(event, { ...followed, members: cohorts }, options, watch.everyMs());
            if (signal.aborted) return;
            followed.report(news);
          }
          // Only cohorts that cannot be read are left: another try might read them.
          if (hasFailed) await clock.sleep(reloadMs(0), signal).catch(() => {});
        } while (hasFailed && !signal.aborted);
      };
      void run();
      return { refresh: () => watch.refresh(), everyMs: () => watch.everyMs() };
    },
  };
}

/** Returns the same set while the accounts are the same, so that the facts about them stay. */
function watchedNumbers(accounts: Follow["numbers"]): () => NumberSet {
  let key: string | null = null;
  let numbers = new NumberSet(numberColumn([]));
  return () => {
    const now = accounts().map(({ number }) => number);
    const nextKey = JSON.stringify(now);
    if (nextKey !== key) numbers = new NumberSet(numberColumn(now));
    key = nextKey;
    return numbers;
  };
}

function newsOf(
  event: Exclude<ListWatchEvent, { kind: "checking" }>,
  followed: Follow & { readonly members: readonly CohortMembers[] },
  { sightings }: ByListsOptions,
  everyMs: number,
): readonly ListNews[] {
  const { supplier, numbers, members } = followed;
  const { at } = event;
  switch (event.kind) {
    case "round": {
      const { nextAt } = event;
      const accounts = numbers();
      const seen = [...event.seen].map((seen): ListNews => {
        const { number, serviceNumber } = seen;
        const before = stateIn(accounts, number);
        const isSame = seen.state === listedPending && pendingStatuses.has(before);
        const state = isSame && before !== null ? before : seen.state;
        if (state !== before && state !== listedPending) saw(seen);
        const value = { state, serviceNumber };
        return { kind: "account", number, event: { kind: "answer", at, nextAt, value } };
      });
      return [...seen, ...members.map((one) => progress(one, nextAt))];
    }
    case "looked-up": {
      const { number, serviceNumber, hasFailed } = event.seen;
      const cohort = memberOf(event.of);
      const nextAt = at + everyMs;
      saw(event.seen);
      if (cohort) return [progress(cohort, nextAt, cohort.failedNow(event.seen))];
      const value = { state: hasFailed ? leftLists : event.seen.state, serviceNumber };
      return [{ kind: "account", number, event: { kind: "answer", at, nextAt, value } }];
    }
    case "failed": {
      const error = notOfAccounts(event.error);
      const failed = { kind: "failed", at, nextAt: event.nextAt, error } as const;
      return [
        ...numbers().map(({ number }) => ({ kind: "account", number, event: failed }) as const),
        ...members.map(({ number }) => ({ kind: "cohort", number, event: failed }) as const),
      ];
    }
    case "look-up-failed": {
      const { number, error } = event;
      const failed = { kind: "failed", at, nextAt: at + everyMs, error } as const;
      const cohort = memberOf(event.of);
      return cohort
        ? [{ kind: "cohort", number: cohort.number, event: failed }]
        : [{ kind: "account", number, event: failed }];
    }
  }

  function memberOf(of: ListMembers): CohortMembers | undefined {
    return members.find((one) => one.members === of);
  }

  function progress(cohort: CohortMembers, nextAt: number, failed: string | null = null): ListNews {
    const value = {
      ...{ state: cohort.state(), serviceNumber: "" },
      ...(failed === null ? {} : { failed }),
    };
    return {
      ...{ kind: "cohort", number: cohort.number },
      event: { kind: "answer", at, nextAt, value },
    };
  }

  function saw({ number, state }: Seen): void {
    sightings.saw({ kind: "account", supplier, number }, state, at);
  }
}

/** Converts a list that is not found to another error: for one account a 404 would be its state. */
function notOfAccounts(error: unknown): unknown {
  if (!isServiceError(error, "not-found")) return error;
  return new ServiceError("unexpected-status", "There is no list (404).", error.facts);
}

function stateIn(accounts: readonly Followed[], wanted: string): string | null {
  return accounts.find(({ number }) => number === wanted)?.timeline.at(-1)?.state ?? null;
}
