/**
 * Gathers the facts that a check needs: loads the list of a supplier, collects its accounts while
 * they arrive, and looks up accounts.
 */
import { fieldEnd, fieldStart, isPendingRow, TextColumn } from "../../accounts/columns.ts";
import type { AccountBatch } from "../../accounts/ingest/batch.ts";
import type { Clock } from "../../api/clock.ts";
import type { ServiceError } from "../../api/errors.ts";
import type { Service } from "../../api/service.ts";
import type { Budget } from "../../watch/budget.ts";
import { NumberList, type NumberSet, numberAt } from "../account-numbers.ts";
import { goneOf } from "../cohorts/cohort-history.ts";
import { GoneCounter, type VerifiedGone } from "../figures/gone.ts";
import { addIfLongest, type PendingRow } from "../figures/longest-pending.ts";
import { latestPlausibleCreation, type NewAccount, NewestAccounts } from "../figures/newest.ts";
import { type Lookup, maxLookups } from "../lookups.ts";
import {
  type Ages,
  comparisonIn,
  type Observations,
  type Recorded,
} from "../observations/observations.ts";
import { code } from "../reconcile/classes.ts";
import { Matching } from "../reconcile/matching.ts";
import { rowsWithCode } from "../reconcile/reconciled.ts";
import { lookUpRows } from "../reconcile/take-list.ts";
import type { Source } from "../source/source.ts";
import { readWholeList } from "../whole-list.ts";
import { type CheckConditions, type CheckFacts, type Sampled, sampleSize } from "./conditions.ts";

export interface CheckedList {
  readonly source: Source;
  readonly numbers: NumberSet;
}

interface GatherOptions {
  readonly service: Pick<Service, "accounts" | "wrongByMs">;
  readonly supplier: string;
  readonly conditions: CheckConditions;
  readonly list: CheckedList | null;
  readonly unknownWrites: CheckFacts["unknownWrites"];
  readonly colleagues: CheckFacts["colleagues"];
  readonly observations: Pick<Observations, "begin">;
  /** Returns the stored ages as of the list, or null if none are stored or they cannot be read. */
  readonly ages: () => Promise<Ages | null>;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
}

/**
 * The facts of a check, and the errors of failed lookups. An account whose lookup failed counts as
 * not imported.
 */
interface Gathered {
  readonly facts: CheckFacts;
  readonly lookupErrors: readonly ServiceError[];
}

/**
 * Loads and records the list of a supplier if a condition needs it, and looks up the accounts that
 * left it (INTERFACE 4.8–4.11). Rejects with ServiceError if the list is not complete, and with the
 * signal's reason.
 */
export async function gatherFacts(options: GatherOptions): Promise<Gathered> {
  const { conditions, list, clock, unknownWrites, colleagues } = options;
  const { unknownWrites: _, ...listConditions } = conditions;
  if (Object.values(listConditions).every((condition) => condition === undefined))
    return {
      facts: { ...noFacts, listedAt: clock.now(), unknownWrites, colleagues },
      lookupErrors: [],
    };
  const accounts = new CheckedAccounts(list?.numbers ?? null, clock.now());
  const matching = list === null ? null : matchingOf(list);
  const { listedAt, recorded } = await takeList(options, accounts, matching);
  const lookups = matching === null ? [] : await lookUpUnlisted(options, matching);
  const ages = await options.ages();
  const before = listedAt - (conditions.pendingOlderThan ?? 0);
  return {
    facts: {
      listedAt,
      pending: accounts.pending,
      historySince: ages?.historySince ?? null,
      isHeldBack: comparisonIn(recorded)?.kind === "held-back",
      unstoredSince: unstoredSince(recorded, accounts, ages),
      older: accounts.pendingSinceBefore(ages, before),
      newest: accounts.newest,
      ahead: accounts.ahead,
      gone: conditions.gone ? await verifiedGone(options, ages) : null,
      unknownWrites,
      colleagues,
      notImported: matching === null ? noAccounts : notImportedOf(matching),
    },
    lookupErrors: lookups.flatMap((lookup) => (lookup.kind === "failed" ? [lookup.error] : [])),
  };
}

const noAccounts: Sampled = { count: 0, sample: [] };

const noFacts = {
  pending: 0,
  historySince: null,
  isHeldBack: false,
  older: noAccounts,
  newest: [],
  gone: null,
  unstoredSince: null,
  ahead: 0,
  notImported: noAccounts,
} as const;

/** Returns the start of the last stored list if accounts were first seen after it, else null. */
function unstoredSince(
  recorded: Recorded | null,
  accounts: CheckedAccounts,
  ages: Ages | null,
): number | null {
  if (recorded?.kind !== "off" || recorded.storedAt === null) return null;
  const { storedAt } = recorded;
  return accounts.hasPendingSinceAfter(ages, storedAt) ? storedAt : null;
}

function matchingOf({ source }: CheckedList): Matching {
  const matching = new Matching(source, false);
  for (const _ of matching.indexing());
  return matching;
}

async function takeList(
  { service, supplier, observations, clock, signal, timeoutMs }: GatherOptions,
  accounts: CheckedAccounts,
  matching: Matching | null,
): Promise<{ readonly listedAt: number; readonly recorded: Recorded | null }> {
  await using rows = readWholeList(service, supplier, { clock, signal, timeoutMs, observations });
  for (;;) {
    const step = await rows.next();
    signal.throwIfAborted();
    if (step.done) {
      matching?.endList();
      // Corrects an error of the local clock, because ages are in the service's time.
      const listedAt = step.value.listedAt - service.wrongByMs();
      return { listedAt, recorded: await step.value.recorded };
    }
    accounts.take(step.value);
    matching?.take(step.value);
  }
}

/**
 * Looks up the accounts of the source that are on no list, up to the limit, because they might be
 * imported.
 */
async function lookUpUnlisted(
  { service, supplier, budget, signal, timeoutMs }: GatherOptions,
  matching: Matching,
): Promise<readonly Lookup[]> {
  const unlisted = rowsWithCode(matching.codes, code.absent, matching.counts.absent);
  const status = async (number: string, lookupSignal: AbortSignal) =>
    (await service.accounts.status(supplier, number, { signal: lookupSignal, timeoutMs })).value;
  const lookups = await lookUpRows(
    matching,
    unlisted,
    { status, limit: maxLookups, budget, signal },
    () => {},
  );
  return [...lookups.values()];
}

/** Returns the accounts that are not imported. Rows without a number are no examples. */
function notImportedOf({ counts, codes, source }: Matching): Sampled {
  const { imported, duplicate } = counts;
  const sample: string[] = [];
  for (let row = 0; row < codes.length && sample.length < sampleSize; row++) {
    const rowCode = codes[row];
    if (rowCode === code.imported || rowCode === code.duplicate || rowCode === code.malformed)
      continue;
    sample.push(source.numberOf(row));
  }
  return { count: source.rows - imported - duplicate, sample };
}

async function verifiedGone(
  { service, supplier, list, budget, clock, signal }: GatherOptions,
  ages: Ages | null,
): Promise<VerifiedGone | null> {
  if (ages === null) return null;
  const counter = new GoneCounter({ service, budget, now: clock.now });
  return counter.verify(supplier, list ? goneOf(ages, list.numbers) : ages.gone(), signal);
}

/**
 * The data of a list that a check needs, collected while the list arrives: the numbers of pending
 * accounts, and the newest accounts.
 */
class CheckedAccounts {
  readonly #scope: NumberSet | null;
  readonly #pending = new NumberList();
  readonly #newest: NewestAccounts;
  #rows = 0;

  /**
   * `scope` is the set of accounts to count, or null for all. `now` is the time at which the list
   * is requested, in epoch milliseconds.
   */
  constructor(scope: NumberSet | null, now: number) {
    this.#scope = scope;
    this.#newest = new NewestAccounts(sampleSize, latestPlausibleCreation(now));
  }

  get pending(): number {
    return this.#pending.count;
  }

  get newest(): readonly NewAccount[] {
    return this.#newest.read();
  }

  get ahead(): number {
    return this.#newest.futureAccounts;
  }

  take(batch: AccountBatch): void {
    let { minimumTime } = this.#newest;
    for (let row = 0; row < batch.count; row++) {
      const from = fieldStart(batch, row, TextColumn.external);
      const to = fieldEnd(batch, row, TextColumn.external);
      if (this.#scope !== null && this.#scope.find(batch.text, from, to) < 0) continue;
      if (isPendingRow(batch, row)) this.#pending.add(batch.text, from, to);
      const time = batch.createdAt[row] as number;
      if (!(time >= minimumTime)) continue;
      this.#newest.take(batch, row, time, this.#rows + row);
      ({ minimumTime } = this.#newest);
    }
    this.#rows += batch.count;
    this.#newest.read();
  }

  hasPendingSinceAfter(ages: Ages | null, time: number): boolean {
    const { text, ends, count } = this.#pending;
    if (ages === null) return count > 0;
    for (let row = 0, from = 0; row < count; row++) {
      const to = ends[row] as number;
      const storedRow = ages.find(text, from, to);
      from = to;
      if (storedRow < 0 || ages.pendingSince(storedRow) > time) return true;
    }
    return false;
  }

  /** Returns the accounts pending since before `time` (epoch milliseconds), oldest first. */
  pendingSinceBefore(ages: Ages | null, time: number): Sampled {
    if (ages === null) return { count: 0, sample: [] };
    const { text, ends, count } = this.#pending;
    /** Marks the accounts already counted, because a number can be listed twice. */
    const isCounted = new Uint8Array(ages.rows);
    const oldest: PendingRow[] = [];
    let matching = 0;
    for (let row = 0, from = 0; row < count; row++) {
      const to = ends[row] as number;
      const storedRow = ages.find(text, from, to);
      from = to;
      if (storedRow < 0 || isCounted[storedRow] === 1) continue;
      isCounted[storedRow] = 1;
      const since = ages.pendingSince(storedRow);
      if (!(since < time)) continue;
      matching += 1;
      addIfLongest(oldest, row, since, sampleSize);
    }
    return { count: matching, sample: oldest.map(({ row }) => numberAt(this.#pending, row)) };
  }
}
