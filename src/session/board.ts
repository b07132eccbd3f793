/** The board of suppliers: loads the figures of several suppliers repeatedly. */
import type { Clock } from "../api/clock.ts";
import type { Service } from "../api/service.ts";
import { loadFigures, readStoredFigures } from "../triage/figures/read-figures.ts";
import {
  listedFigures,
  type SupplierFigures,
  type SupplierHistory,
} from "../triage/figures/supplier-figures.ts";
import type { Observations } from "../triage/observations/observations.ts";
import { type ReloadPace, reloadMs } from "../watch/pace.ts";
import { isCredentialError } from "../watch/poll.ts";
import { createStore } from "./store.ts";
import type { SupplierHistories } from "./supplier-histories.ts";
import { Turns } from "./turns.ts";

/** Milliseconds before a covered board's first load, in which the screen in front of it loads. */
const settlingMs = 30_000;

/** The state of the last load of a supplier's list. Times are epoch milliseconds. */
type BoardLoad =
  | { readonly kind: "waiting" }
  | { readonly kind: "loading"; readonly rows: number; readonly startedAt: number }
  | { readonly kind: "loaded"; readonly at: number }
  | { readonly kind: "failed"; readonly at: number; readonly error: unknown };

export interface BoardRow {
  readonly supplier: string;
  readonly figures: SupplierFigures | null;
  readonly load: BoardLoad;
  /** Epoch milliseconds of the last load of the supplier's list by any screen, or null. */
  readonly checkedAt: number | null;
  /**
   * The last period without a check that was far longer than the pace allows, in epoch milliseconds
   * of the service, or null if there was none.
   */
  readonly unchecked: { readonly from: number; readonly to: number } | null;
}

export interface BoardSnapshot {
  readonly rows: ReadonlyMap<string, BoardRow>;
  /** Epoch milliseconds of the last check of all suppliers, or null before the first. */
  readonly checkedAt: number | null;
  readonly everyMs: number;
  readonly paused: boolean;
}

interface BoardRun {
  readonly suppliers: readonly string[];
  readonly pace: ReloadPace;
  readonly signal: AbortSignal;
}

interface BoardOptions {
  readonly service: Pick<Service, "accounts" | "wrongByMs">;
  readonly observations: Observations;
  readonly histories: SupplierHistories;
  /**
   * Returns the epoch milliseconds at which another screen last loaded the list of a supplier,
   * `loading` while it loads it, or null if none did.
   */
  readonly loadedElsewhere: (supplier: string) => number | "loading" | null;
  readonly clock: Clock;
  /** Receives the error of each load, or null if it succeeded. */
  readonly report: (error: unknown) => void;
}

const waiting: BoardLoad = { kind: "waiting" };
const unknownRow = { figures: null, load: waiting, checkedAt: null, unchecked: null } as const;

/**
 * Loads the figures of several suppliers one after another, repeatedly. Before `run` the board has
 * no rows and sends nothing.
 */
export class Board {
  readonly #options: BoardOptions;
  readonly #clock: Clock;
  readonly #store = createStore<BoardSnapshot>({
    rows: new Map(),
    checkedAt: null,
    everyMs: reloadMs(0),
    paused: false,
  });
  readonly #turns = new Turns();
  #loop = new AbortController();
  #isRefreshRequested = false;

  constructor(options: BoardOptions) {
    this.#options = options;
    this.#clock = options.clock;
  }

  readonly subscribe = this.#store.subscribe;

  /** Returns the same object until something visible changes. */
  readonly getSnapshot = this.#store.get;

  refresh(): void {
    this.#turns.clear();
    this.#isRefreshRequested = true;
    this.#loop.abort();
  }

  setPaused(paused: boolean): void {
    this.#change({ paused });
    this.#isRefreshRequested = false;
    this.#loop.abort();
  }

  /**
   * Reads the stored figures, then loads each supplier when it is due, until the signal is aborted.
   * The next call starts with the supplier whose load was canceled. Never rejects.
   */
  async run({ suppliers, pace, signal }: BoardRun): Promise<void> {
    this.#keepOnly(suppliers);
    if (suppliers.length === 0) return;
    try {
      if (pace === "covered") await this.#clock.sleep(settlingMs, signal);
      await this.#readStored(suppliers, signal);
      while (!signal.aborted) {
        this.#loop = new AbortController();
        const stop = AbortSignal.any([signal, this.#loop.signal]);
        await this.#loadWhenDue({ suppliers, pace, signal: stop }).catch((error: unknown) => {
          if (!stop.aborted) throw error;
        });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #keepOnly(suppliers: readonly string[]): void {
    const before = this.getSnapshot().rows;
    const rows = new Map([...before].filter(([supplier]) => suppliers.includes(supplier)));
    if (rows.size < before.size) this.#change({ rows });
    this.#turns.keepOnly(suppliers);
  }

  async #readStored(suppliers: readonly string[], signal: AbortSignal): Promise<void> {
    for (const supplier of suppliers) {
      if (this.getSnapshot().rows.get(supplier)?.figures) continue;
      const figures = await this.#stored(supplier).catch(() => null);
      signal.throwIfAborted();
      if (figures !== null) this.#put(supplier, { figures });
    }
  }

  async #stored(supplier: string): Promise<SupplierFigures | null> {
    const { observations, histories, service } = this.#options;
    const now = this.#clock.now() - service.wrongByMs();
    return readStoredFigures(observations, supplier, now, () => histories.read(supplier));
  }

  async #loadWhenDue(run: BoardRun): Promise<never> {
    const { suppliers, signal } = run;
    for (let checked = 0; ; ) {
      const next = suppliers.reduce((earliest, other) =>
        this.#dueAt(other, run) < this.#dueAt(earliest, run) ? other : earliest,
      );
      const now = this.#clock.now();
      const dueMs = this.#dueAt(next, run) - now;
      if (dueMs <= 0) {
        await this.#check(next, run);
        checked += 1;
        continue;
      }
      const restsMs = suppliers.map((supplier) => this.#turns.restMs(supplier, "shown"));
      if (checked > 0) this.#change({ checkedAt: now, everyMs: Math.min(...restsMs) });
      checked = 0;
      if (!this.#isRefreshRequested) await this.#clock.sleep(dueMs, signal);
      this.#isRefreshRequested = false;
    }
  }

  /** Returns the epoch milliseconds at which a supplier is due, or infinity if never. */
  #dueAt(supplier: string, { pace }: BoardRun): number {
    const { rows, paused } = this.getSnapshot();
    const load = rows.get(supplier)?.load;
    // Rejected credentials would be rejected again, so a covered board does not try them.
    const isRefused = load?.kind === "failed" && isCredentialError(load.error);
    const isDue = this.#isRefreshRequested
      ? !this.#turns.has(supplier)
      : !paused && (pace === "shown" || !isRefused);
    return isDue ? this.#turns.nextAt(supplier, pace) : Number.POSITIVE_INFINITY;
  }

  /** Loads a supplier. A covered board skips a list that another screen loads or just loaded. */
  async #check(supplier: string, run: BoardRun): Promise<void> {
    const startedAt = this.#clock.now();
    const row = this.getSnapshot().rows.get(supplier);
    const loaded = this.#options.loadedElsewhere(supplier);
    if (loaded === "loading" && run.pace === "covered") {
      this.#turns.ended(supplier, startedAt, null);
      return;
    }
    const loadedAt = typeof loaded === "number" ? loaded : Number.NEGATIVE_INFINITY;
    const restMs = this.#turns.restMs(supplier, "covered");
    const isLoaded = run.pace === "covered" && startedAt - loadedAt < restMs;
    if (isLoaded) await this.#countGone(supplier, run.signal).catch(() => {});
    const isChecked = isLoaded || (await this.#load(supplier, startedAt, run));
    run.signal.throwIfAborted();
    const endedAt = this.#clock.now();
    this.#turns.ended(supplier, endedAt, isLoaded ? null : endedAt - startedAt);
    if (!isChecked) return;
    const from = Math.max(row?.checkedAt ?? Number.POSITIVE_INFINITY, loadedAt);
    const isLate = this.#turns.isLate(supplier, from, startedAt);
    this.#put(supplier, {
      checkedAt: isLoaded ? loadedAt : endedAt,
      ...(isLate ? { unchecked: this.#span(from, startedAt) } : {}),
    });
  }

  #span(from: number, to: number): BoardRow["unchecked"] {
    const wrongByMs = this.#options.service.wrongByMs();
    return { from: from - wrongByMs, to: to - wrongByMs };
  }

  async #load(supplier: string, startedAt: number, run: BoardRun): Promise<boolean> {
    const before = this.getSnapshot().rows.get(supplier)?.load ?? waiting;
    this.#put(supplier, { load: { kind: "loading", rows: 0, startedAt } });
    try {
      const figures = await this.#list(supplier, startedAt, run);
      this.#options.report(null);
      this.#put(supplier, { figures, load: { kind: "loaded", at: this.#clock.now() } });
      void this.#countGone(supplier, run.signal).catch(() => {});
      return true;
    } catch (error) {
      if (run.signal.aborted) {
        this.#put(supplier, { load: before });
        return false;
      }
      this.#options.report(error);
      this.#put(supplier, { load: { kind: "failed", at: this.#clock.now(), error } });
      await this.#putHistory(supplier, () => this.#options.histories.lastKnown(supplier)).catch(
        () => {},
      );
      return false;
    }
  }

  /** Loads a list and returns its figures, even if it cannot be recorded. No rows are stored. */
  async #list(supplier: string, startedAt: number, run: BoardRun): Promise<SupplierFigures> {
    const { pace, signal } = run;
    const { observations } = this.#options;
    const onRows = (rows: number) =>
      this.#put(supplier, { load: { kind: "loading", rows, startedAt } });
    const { list, end } = await loadFigures(this.#options.service, supplier, {
      clock: this.#clock,
      signal,
      observations,
      // No screen shows the progress of a load behind it.
      ...(pace === "shown" ? { onRows } : {}),
    });
    const history = await this.#options.histories.read(supplier).catch(() => null);
    return listedFigures(list, end.listedAt, history);
  }

  /**
   * Counts the gone accounts of a supplier. The lists are not enough, because the import of an
   * account that left them might be in progress.
   */
  async #countGone(supplier: string, signal: AbortSignal): Promise<void> {
    await this.#putHistory(supplier, () => this.#options.histories.count(supplier, signal));
  }

  async #putHistory(supplier: string, read: () => Promise<SupplierHistory | null>): Promise<void> {
    const history = await read();
    const figures = this.getSnapshot().rows.get(supplier)?.figures;
    if (figures && history !== null) this.#put(supplier, { figures: { ...figures, history } });
  }

  #put(supplier: string, patch: Partial<Omit<BoardRow, "supplier">>): void {
    const { rows } = this.getSnapshot();
    const row = rows.get(supplier) ?? { supplier, ...unknownRow };
    this.#change({ rows: new Map(rows).set(supplier, { ...row, ...patch }) });
  }

  #change(patch: Partial<BoardSnapshot>): void {
    this.#store.set({ ...this.getSnapshot(), ...patch });
  }
}
