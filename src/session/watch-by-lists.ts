import type { Clock } from "../api/clock.ts";
import { isServiceError, ServiceError } from "../api/errors.ts";
import type { Service } from "../api/service.ts";
import type { Seen } from "../triage/list-watch/list-members.ts";
import { createListPace } from "../triage/list-watch/list-pace.ts";
import {
  createListWatch,
  type ListWatchEvent,
  mostByStatus,
} from "../triage/list-watch/list-watch.ts";
import { listsOf } from "../triage/list-watch/service-lists.ts";
import { NumberSet, numberColumn } from "../triage/number-set.ts";
import type { Observations } from "../triage/observations/observations.ts";
import type { FollowByLists, FollowedAccount } from "../watch/by-lists.ts";
import type { Sightings } from "../watch/sightings.ts";
import { leftLists, listedPending } from "../watch/transitions.ts";

interface ByListsOptions {
  readonly service: Service;
  readonly clock: Clock;
  /** Milliseconds between two rounds, at least. */
  readonly askedMs: number;
  readonly observations: Observations;
  readonly sightings: Pick<Sightings, "saw">;
  /** Called with the error of each list and look-up; null when it succeeded. */
  readonly checked: (error: unknown) => void;
}

type Follow = Parameters<FollowByLists["follow"]>[0];
type News = Parameters<Follow["report"]>[0];

/** Statuses that an account on the list of the pending ones can have: the list does not show which. */
const pendingStatuses: ReadonlySet<string | null> = new Set(["UNKNOWN", "IN_PROGRESS"]);

/** Watches many accounts of a supplier with lists; all suppliers share one pace. */
export function watchByLists(options: ByListsOptions): FollowByLists {
  const { service, clock, askedMs, observations, checked } = options;
  const pace = createListPace(clock);
  return {
    above: mostByStatus,
    follow(followed) {
      const { supplier, signal } = followed;
      const watch = createListWatch({
        ...listsOf(service, { supplier, clock, observations }),
        numbers: watchedNumbers(followed.numbers),
        wasListed: (number) => stateIn(followed.numbers(), number) === listedPending,
        pace,
        askedMs,
        clock,
        signal,
      });
      const run = async () => {
        for await (const event of watch.events()) {
          if (event.kind === "checking") continue;
          const failed = event.kind === "failed" || event.kind === "look-up-failed";
          checked(failed ? event.error : null);
          const news = newsOf(event, followed, options, watch.everyMs());
          if (signal.aborted) return;
          followed.report(news);
        }
      };
      void run();
      return { refresh: () => watch.refresh(), everyMs: () => watch.everyMs() };
    },
  };
}

/** The same set while the accounts are the same: what is known of them stays then. */
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
  { supplier, numbers }: Follow,
  { sightings }: ByListsOptions,
  everyMs: number,
): News {
  const { at } = event;
  switch (event.kind) {
    case "round": {
      const accounts = numbers();
      return [...event.seen].map((seen) => {
        const { number, serviceNumber } = seen;
        const before = stateIn(accounts, number);
        const isSame = seen.state === listedPending && pendingStatuses.has(before);
        const state = isSame && before !== null ? before : seen.state;
        if (state !== before && state !== listedPending) saw(seen);
        const value = { state, serviceNumber };
        return { number, event: { kind: "answer", at, nextAt: event.nextAt, value } };
      });
    }
    case "looked-up": {
      const { number, serviceNumber, hasFailed } = event.seen;
      saw(event.seen);
      const value = { state: hasFailed ? leftLists : event.seen.state, serviceNumber };
      return [{ number, event: { kind: "answer", at, nextAt: at + everyMs, value } }];
    }
    case "failed": {
      const error = notOfAccounts(event.error);
      const failed = { kind: "failed", at, nextAt: event.nextAt, error } as const;
      return numbers().map(({ number }) => ({ number, event: failed }));
    }
    case "look-up-failed": {
      const { number, error } = event;
      return [{ number, event: { kind: "failed", at, nextAt: at + everyMs, error } }];
    }
  }

  function saw({ number, state }: Seen): void {
    sightings.saw({ kind: "account", supplier, number }, state, at);
  }
}

/** A list that is not found says nothing of its accounts: for one account a 404 would be its state. */
function notOfAccounts(error: unknown): unknown {
  if (!isServiceError(error, "not-found")) return error;
  return new ServiceError("unexpected-status", "There is no list (404).", error.facts);
}

function stateIn(accounts: readonly FollowedAccount[], wanted: string): string | null {
  return accounts.find(({ number }) => number === wanted)?.state ?? null;
}
