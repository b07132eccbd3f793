/** Watches the accounts of one supplier by loading its list repeatedly. */
import type { AccountBatch } from "../../accounts/ingest/batch.ts";
import type { Clock } from "../../api/clock.ts";
import { isServiceError } from "../../api/errors.ts";
import type { Service } from "../../api/service.ts";
import { createAlarm } from "../../bulk/schedule/alarm.ts";
import { nextRoundAt, shortestRoundMs, waitAfter } from "../../watch/pace.ts";
import { notFound } from "../../watch/timeline.ts";
import { accountResult, type CheckResult } from "../../watch/watched.ts";
import type { NumberSet } from "../account-numbers.ts";
import { comparisonIn, type Observations, type Recorded } from "../observations/observations.ts";
import { readWholeList } from "../whole-list.ts";
import { ListMembers, type MemberState } from "./list-members.ts";
import type { ListPace } from "./list-pace.ts";

/**
 * Up to this number of open accounts of a supplier, the status of each one is checked. More
 * accounts are watched by lists.
 */
export const maxByStatus = 50;

interface CompleteList {
  readonly rows: number;
  /** True if the stored observations trust the list, or null if they do not judge it. */
  readonly trusted: boolean | null;
}

/** An event of the watch. Times are epoch milliseconds. */
export type ListWatchEvent =
  | { readonly kind: "checking"; readonly at: number }
  /** A complete list. `seen` yields its open accounts, and can be read once. */
  | {
      readonly kind: "round";
      readonly at: number;
      readonly nextAt: number;
      readonly seen: Iterable<MemberState>;
      readonly isHeldBack: boolean;
    }
  /** The list failed or was cut off. Its rows have no effect. */
  | {
      readonly kind: "failed";
      readonly at: number;
      readonly nextAt: number;
      readonly error: unknown;
    }
  | {
      readonly kind: "looked-up";
      readonly at: number;
      readonly seen: MemberState;
      readonly members: ListMembers;
    }
  | {
      readonly kind: "look-up-failed";
      readonly at: number;
      readonly number: string;
      readonly members: ListMembers;
      readonly error: unknown;
    };

export interface ListWatchOptions {
  /** Returns the accounts to watch. Called at the beginning of each round. */
  readonly numbers: () => NumberSet;
  /** Returns true if an account was on a list before this watch. Default: no account was. */
  readonly wasListed?: (number: string) => boolean;
  /**
   * Returns further members to count in the same lists. Called at the beginning of each round.
   * Default: none.
   */
  readonly cohorts?: () => Promise<readonly ListMembers[]>;
  /** Reads one complete list (INTERFACE 4.9). Awaits `request` before each of its requests. */
  readonly list: (
    request: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ) => AsyncGenerator<AccountBatch, CompleteList, void>;
  /** Reads the status of one account (INTERFACE 4.8). */
  readonly lookUp: (number: string, signal: AbortSignal) => Promise<CheckResult>;
  readonly pace: ListPace;
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Watches the accounts of one supplier in rounds. A round reads one list, then looks up accounts on
 * no list if the pace allows it. The next round begins after the interval. After a large list, the
 * pause is as long as the load. After failures, the wait doubles. A Retry-After is respected.
 */
export function createListWatch(options: ListWatchOptions) {
  const { clock, signal, wasListed } = options;
  const rounds = options.pace.join(options.intervalMs);
  const alarm = createAlarm(clock);
  let members = new ListMembers(options.numbers(), null, wasListed);
  let cohorts: readonly ListMembers[] = [];
  const allMembers = () => [members, ...cohorts];
  const isOpen = () => allMembers().some(({ open }) => open > 0);
  let isRefreshed = false;
  let failures = 0;

  const readRound = async (onRequest: () => void) => {
    for (const group of allMembers()) group.begin();
    const request = async (requestSignal: AbortSignal) => {
      await rounds.request(requestSignal);
      onRequest();
    };
    const list = options.list(request, signal);
    try {
      for (;;) {
        const step = await list.next();
        signal.throwIfAborted();
        if (step.done) return step.value;
        for (const group of allMembers()) group.take(step.value);
      }
    } catch (error) {
      list.return({ rows: 0, trusted: null }).catch(() => {});
      throw error;
    }
  };

  async function* round(): AsyncGenerator<ListWatchEvent, void, void> {
    const index = options.numbers();
    if (index !== members.index) members = new ListMembers(index, members, wasListed);
    cohorts = (await options.cohorts?.()) ?? [];
    if (signal.aborted || allMembers().every(({ index }) => index.size === 0)) return;
    rounds.begin();
    let startedAt = clock.elapsed();
    let hasBegun = false;
    yield { kind: "checking", at: clock.now() };
    let list: CompleteList;
    try {
      list = await readRound(() => {
        if (!hasBegun) startedAt = clock.elapsed();
        hasBegun = true;
      });
    } catch (error) {
      if (signal.aborted) return;
      failures = isServiceError(error, "not-found") ? 0 : failures + 1;
      const waitMs = waitAfter(error, failures, rounds.everyMs());
      const nextAt = clock.elapsed() + waitMs;
      const at = clock.now();
      yield { kind: "failed", at, nextAt: at + waitMs, error };
      return waitForRound(nextAt, startedAt);
    }
    failures = 0;
    const [at, endedAt] = [clock.now(), clock.elapsed()];
    const nextAt = () => nextRoundAt(startedAt, endedAt, rounds.everyMs());
    for (const group of cohorts) for (const _ of group.finish(list.rows, list.trusted).seen);
    const { isHeldBack, seen } = members.finish(list.rows, list.trusted);
    yield { kind: "round", at, nextAt: at + (nextAt() - endedAt), seen, isHeldBack };
    // Reading a state applies it, so the states that the caller did not read are read here.
    for (const _ of seen);
    yield* lookUps(nextAt);
    if (isOpen()) await waitForRound(nextAt(), startedAt);
  }

  /** Looks up accounts on no list, until the next round is due by the running time. */
  async function* lookUps(until: () => number): AsyncGenerator<ListWatchEvent, void, void> {
    while (!signal.aborted && clock.elapsed() < until()) {
      const next = due();
      if (next === null || !rounds.takeLookUp()) return;
      const { number, members } = next;
      try {
        const { state, serviceNumber } = await lookedUp(number);
        if (signal.aborted) return;
        const at = clock.now();
        const seen = members.lookedUp(number, state, serviceNumber, clock.elapsed());
        if (seen !== null) yield { kind: "looked-up", at, seen, members };
      } catch (error) {
        if (signal.aborted) return;
        const at = clock.now();
        members.lookUpFailed(number, clock.elapsed());
        yield { kind: "look-up-failed", at, number, members, error };
        return;
      }
    }
  }

  const due = () => {
    for (const members of allMembers()) {
      const number = members.due(clock.elapsed());
      if (number !== null) return { number, members };
    }
    return null;
  };

  /** Returns the status of an account, or the state 404 if no such account can exist. */
  const lookedUp = async (number: string): Promise<CheckResult> => {
    try {
      return await options.lookUp(number, signal);
    } catch (error) {
      // No account can have a number that a request cannot contain, such as "..".
      const isMissing =
        isServiceError(error, "not-found") || isServiceError(error, "invalid-request");
      if (isMissing) return { state: notFound, serviceNumber: "" };
      throw error;
    }
  };

  const waitForRound = async (nextAt: number, startedAt: number) => {
    while (!signal.aborted && clock.elapsed() < nextAt) {
      await alarm.wait(nextAt);
      if (!isRefreshed || signal.aborted) continue;
      isRefreshed = false;
      const left = startedAt + shortestRoundMs - clock.elapsed();
      if (left > 0) await clock.sleep(left, signal).catch(() => {});
      return;
    }
  };

  return {
    /** Yields events until every account has a final state or the signal is aborted. */
    async *events() {
      const wake = () => alarm.ring();
      signal.addEventListener("abort", wake, { once: true });
      try {
        do yield* round();
        while (!signal.aborted && isOpen());
      } finally {
        signal.removeEventListener("abort", wake);
        rounds.leave();
      }
    },
    stillOpen: () => members.stillOpen(),
    close: (number: string) => members.close(number),
    refresh() {
      isRefreshed = true;
      alarm.ring();
    },
    everyMs: () => rounds.everyMs(),
  };
}

interface ListsOptions {
  readonly supplier: string;
  readonly clock: Clock;
  readonly observations: Pick<Observations, "begin"> | null;
}

/**
 * Returns the functions that read lists and statuses of a supplier (INTERFACE 4.8–4.11). A failed
 * request is not resent, because the next round comes soon and the pace would not count the resend.
 */
export function listReaders(
  { accounts }: Pick<Service, "accounts">,
  { supplier, clock, observations }: ListsOptions,
): Pick<ListWatchOptions, "list" | "lookUp"> {
  return {
    async *list(request, signal) {
      const paced: Pick<Service, "accounts"> = {
        accounts: {
          ...accounts,
          async list(code, state, options) {
            await request(options?.signal ?? signal);
            return accounts.list(code, state, { ...options, retries: 0 });
          },
        },
      };
      const end = yield* readWholeList(paced, supplier, {
        clock,
        signal,
        observations: observations ?? undefined,
      });
      return { rows: end.rows, trusted: isTrusted(await end.recorded?.catch(() => null)) };
    },
    async lookUp(number, signal) {
      const { value } = await accounts.status(supplier, number, { signal, retries: 0 });
      return accountResult(value);
    },
  };
}

/** Returns true if the observations trust a list, or null if they do not judge the list. */
function isTrusted(recorded: Recorded | null | undefined): boolean | null {
  const seen = comparisonIn(recorded ?? null);
  if (seen?.kind === "recorded") return true;
  return seen?.kind === "held-back" ? false : null;
}
