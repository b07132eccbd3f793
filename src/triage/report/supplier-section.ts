/** Gathers the section of a report about one supplier. */
import type { Clock } from "../../api/clock.ts";
import type { Service } from "../../api/service.ts";
import { dayMs } from "../../text/durations.ts";
import type { NumberSet } from "../account-numbers.ts";
import { changesByKind, countCohort, goneOf } from "../cohorts/cohort-history.ts";
import type { PendingAccount } from "../figures/figures.ts";
import type { GoneCounter } from "../figures/gone.ts";
import { addIfLongest, type PendingRow } from "../figures/longest-pending.ts";
import { loadFigures, readStoredFigures } from "../figures/read-figures.ts";
import { type ImportPace, importPace } from "../import-pace.ts";
import type { Ages, Observations } from "../observations/observations.ts";
import type { DatedCounts, SupplierSection } from "./report.ts";

const maxOldest = 5;
const maxUnverified = 200;

interface SectionOptions {
  readonly service: Pick<Service, "accounts" | "wrongByMs">;
  readonly supplier: string;
  /** The cohort, or null for all accounts of the supplier. */
  readonly cohort: { readonly name: string; readonly numbers: NumberSet } | null;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly observations: Observations;
  readonly counter: GoneCounter;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
  /** The reason why no list is requested, or null to request it. */
  readonly skipped: unknown;
  readonly explain: (error: unknown) => string;
}

type LoadedList = Awaited<ReturnType<typeof loadFigures>>;

export interface GatheredSection {
  readonly section: SupplierSection;
  readonly ages: Ages | null;
  readonly pace: ImportPace | null;
  readonly error: unknown;
  readonly storeError: unknown;
}

/**
 * Loads and records the list of a supplier. If that fails, the section has the stored data. Rejects
 * with the signal's reason.
 */
export async function supplierSection(options: SectionOptions): Promise<GatheredSection> {
  const { supplier, cohort, since, clock, signal } = options;
  const loaded = await listOf(options);
  let storeError: unknown = null;
  const { summary, ages, changes, counts, pace } = await storedOf(options).catch(
    (error: unknown) => {
      signal.throwIfAborted();
      storeError = error;
      return nothingStored;
    },
  );
  const numbers = cohort?.numbers ?? null;
  const figures =
    loaded.list === null ? await storedFigures(options, ages) : figuresOf(loaded.list, numbers);
  const heldBack = summary?.heldBack ?? null;
  // A list that is held back proves nothing about the current state, so no ages are used.
  const trustedAges = heldBack === null ? ages : null;
  const pending = trustedAges === null ? null : pendingOf(trustedAges, numbers, clock.now());
  const { error } = loaded;
  return {
    error,
    storeError,
    ages: trustedAges,
    pace: heldBack === null ? pace : null,
    section: {
      supplier,
      cohort: cohort?.name ?? null,
      ...figures,
      before: numbers === null ? lastBefore(counts, since, figures.now?.at) : null,
      problem: error === null ? null : options.explain(error),
      changes: summary === null ? null : changesByKind(changes, numbers),
      oldest: pending?.oldest ?? null,
      pendingOverADay: pending?.overADay ?? null,
      gone: trustedAges === null ? null : await goneOfSection(options, trustedAges, error === null),
      heldBack,
      machines: options.observations.machines(supplier),
    },
  };
}

const nothingStored = { summary: null, ages: null, changes: [], counts: [], pace: null };

/** Reads the stored data of a supplier. Rejects with a file error, or with the signal's reason. */
async function storedOf({ observations, supplier, since, clock, signal }: SectionOptions) {
  const [summary, ages, changes, counts, figures, times] = await Promise.all([
    observations.summary(supplier, clock.now()),
    observations.ages(supplier, signal),
    observations.changes(supplier, since),
    observations.counts(supplier, null),
    observations.importFigures(supplier),
    observations.importTimes(supplier),
  ]);
  signal.throwIfAborted();
  return { summary, ages, changes, counts, pace: await importPace(supplier, figures, times) };
}

async function listOf(
  options: SectionOptions,
): Promise<{ readonly list: LoadedList | null; readonly error: unknown }> {
  const { service, supplier, cohort, observations, clock, signal, timeoutMs, skipped } = options;
  if (skipped !== null) return { list: null, error: skipped };
  try {
    const list = await loadFigures(service, supplier, {
      clock,
      signal,
      timeoutMs,
      observations,
      scope: cohort?.numbers,
    });
    return { list, error: null };
  } catch (error) {
    signal.throwIfAborted();
    return { list: null, error };
  }
}

type SectionFigures = Pick<SupplierSection, "now" | "rate" | "finish">;

const unknownFigures: SectionFigures = { now: null, rate: null, finish: null };

function figuresOf({ list, end }: LoadedList, numbers: NumberSet | null): SectionFigures {
  const { imported, pending, rates, finish } = list;
  const total = numbers?.size ?? list.total;
  return { now: { at: end.listedAt, imported, pending, total }, rate: rates[0] ?? null, finish };
}

/**
 * Returns the figures of the last observation. A cohort has no rates, which only a loaded list has.
 */
async function storedFigures(
  { supplier, cohort, observations, clock, signal }: SectionOptions,
  ages: Ages | null,
): Promise<SectionFigures> {
  if (ages === null) return unknownFigures;
  if (cohort !== null) {
    const { observedAt: at, imported, pending } = await countCohort(cohort.numbers, ages, signal);
    return { ...unknownFigures, now: { at, imported, pending, total: cohort.numbers.size } };
  }
  const figures = await readStoredFigures(observations, supplier, clock.now(), async () => null);
  if (figures === null) return unknownFigures;
  const { listedAt: at, imported, pending, total, rates, finish } = figures;
  return { now: { at, imported, pending, total }, rate: rates[0] ?? null, finish };
}

/**
 * Returns the last counts at or before a time, else the first counts after it. Returns null if
 * these are the current counts.
 */
function lastBefore(
  counts: readonly DatedCounts[],
  time: number,
  now: number | undefined,
): DatedCounts | null {
  const found = counts.findLast(({ at }) => at <= time) ?? counts[0];
  if (found === undefined || found.at === now) return null;
  const { at, imported, pending } = found;
  return { at, imported, pending };
}

function pendingOf(ages: Ages, numbers: NumberSet | null, now: number) {
  let overADay = 0;
  const oldest: PendingRow[] = [];
  for (const row of rowsOf(ages, numbers)) {
    const since = ages.pendingSince(row);
    if (Number.isNaN(since)) continue;
    if (now - since > dayMs) overADay += 1;
    addIfLongest(oldest, row, since, maxOldest);
  }
  const named = oldest.map(
    ({ row, since }): PendingAccount => ({ external: ages.externalAt(row), since }),
  );
  return { overADay, oldest: named };
}

function* rowsOf(ages: Ages, numbers: NumberSet | null): Generator<number, void, void> {
  if (numbers === null) {
    for (let row = 0; row < ages.rows; row++) yield row;
    return;
  }
  for (const number of numbers.numbers()) {
    const row = ages.rowOf(number);
    if (row >= 0) yield row;
  }
}

/**
 * Returns the gone accounts. If `canVerify` is false, returns the accounts that left the stored
 * lists, or null if there are none, because that proves nothing about the current state.
 */
async function goneOfSection(
  { counter, supplier, cohort, signal }: SectionOptions,
  ages: Ages,
  canVerify: boolean,
): Promise<SupplierSection["gone"]> {
  const gone = cohort === null ? ages.gone() : goneOf(ages, cohort.numbers);
  if (canVerify) {
    const { accounts, atLeast } = await counter.verify(supplier, gone, signal);
    return { count: accounts.length, atLeast, accounts };
  }
  const all = Array.from(gone, ({ external }) => external);
  if (all.length === 0) return null;
  return { count: all.length, atLeast: false, accounts: all.slice(0, maxUnverified) };
}
