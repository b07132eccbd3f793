import type { Clock } from "../api/clock.ts";
import type { Service } from "../api/service.ts";
import { loadFigures, readStoredFigures } from "../triage/figures/read-figures.ts";
import {
  listedFigures,
  type SupplierFigures,
  type SupplierHistory,
} from "../triage/figures/supplier-figures.ts";
import type { Observations } from "../triage/observations/observations.ts";
import { reloadMs } from "../watch/pace.ts";
import { createStore } from "./store.ts";
import type { SupplierHistories } from "./supplier-histories.ts";

/** How the last load of a supplier's list goes or went. Times are epoch milliseconds. */
type BoardLoad =
  | { readonly kind: "waiting" }
  | { readonly kind: "loading"; readonly rows: number; readonly startedAt: number }
  | { readonly kind: "loaded"; readonly at: number }
  | { readonly kind: "failed"; readonly at: number; readonly error: unknown };

/** One supplier of the board. */
export interface BoardRow {
  readonly supplier: string;
  /** The last known ones, of whatever age; null while none are known. */
  readonly figures: SupplierFigures | null;
  readonly load: BoardLoad;
}

export interface BoardSnapshot {
  readonly rows: ReadonlyMap<string, BoardRow>;
  /** When the last round over all suppliers ended; null before. */
  readonly checkedAt: number | null;
  /** Milliseconds between two rounds. */
  readonly everyMs: number;
}

interface BoardRun {
  readonly signal: AbortSignal;
  readonly now: boolean;
  readonly once: boolean;
}

interface BoardOptions {
  readonly service: Pick<Service, "accounts">;
  readonly observations: () => Promise<Observations>;
  readonly histories: SupplierHistories;
  readonly clock: Clock;
  /** Called with the error of each load; null when it succeeded. */
  readonly report: (error: unknown) => void;
}

const waiting: BoardLoad = { kind: "waiting" };

/**
 * The figures of several suppliers, loaded one after another, again and again. It has no rows, and
 * sends nothing, before it is run.
 */
export class Board {
  readonly #options: BoardOptions;
  readonly #clock: Clock;
  readonly #store = createStore<BoardSnapshot>({
    ...{ rows: new Map(), checkedAt: null, everyMs: reloadMs(0) },
  });
  /** Suppliers that have had their turn in this round, and how long their loads took together. */
  readonly #done = new Set<string>();
  #tookMs = 0;

  constructor(options: BoardOptions) {
    this.#options = options;
    this.#clock = options.clock;
  }

  readonly subscribe = this.#store.subscribe;

  /** The same object until something visible changes. */
  readonly getSnapshot = this.#store.get;

  /**
   * Reads the stored figures, then loads one supplier after the other, in rounds, until the signal is
   * aborted. A round that was cut off is continued by the next call, with the supplier whose load was
   * cut off; `now` begins a new one, and `once` ends with it. Never rejects.
   */
  async run(suppliers: readonly string[], { signal, now, once }: BoardRun): Promise<void> {
    this.#keepOnly(suppliers);
    if (suppliers.length === 0) return;
    if (now) this.#beginRound();
    try {
      await this.#readStored(suppliers, signal);
      while (!signal.aborted) {
        await this.#round(suppliers, signal);
        if (once) return;
        const { checkedAt, everyMs } = this.getSnapshot();
        await this.#clock.sleep((checkedAt ?? 0) + everyMs - this.#clock.now(), signal);
        this.#beginRound();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** A supplier that was removed from the board needs no one any more. */
  #keepOnly(suppliers: readonly string[]): void {
    const rows = new Map(
      [...this.getSnapshot().rows].filter(([supplier]) => suppliers.includes(supplier)),
    );
    if (rows.size < this.getSnapshot().rows.size) this.#change({ rows });
  }

  #beginRound(): void {
    this.#done.clear();
    this.#tookMs = 0;
  }

  /** What was stored earlier is shown before the first request is answered. */
  async #readStored(suppliers: readonly string[], signal: AbortSignal): Promise<void> {
    for (const supplier of suppliers) {
      if (this.getSnapshot().rows.get(supplier)?.figures) continue;
      const figures = await this.#stored(supplier).catch(() => null);
      signal.throwIfAborted();
      if (figures !== null) this.#put(supplier, { figures });
    }
  }

  async #stored(supplier: string): Promise<SupplierFigures | null> {
    const observations = await this.#options.observations();
    const now = this.#clock.now();
    return readStoredFigures(observations, supplier, now, () =>
      this.#options.histories.read(supplier),
    );
  }

  async #round(suppliers: readonly string[], signal: AbortSignal): Promise<void> {
    const left = suppliers.filter((supplier) => !this.#done.has(supplier));
    for (const supplier of left) {
      const startedAt = this.#clock.now();
      await this.#load(supplier, startedAt, signal);
      signal.throwIfAborted();
      this.#done.add(supplier);
      this.#tookMs += this.#clock.now() - startedAt;
    }
    if (left.length === 0) return;
    this.#change({
      checkedAt: this.#clock.now(),
      everyMs: reloadMs(this.#tookMs),
    });
  }

  async #load(supplier: string, startedAt: number, signal: AbortSignal): Promise<void> {
    const before = this.getSnapshot().rows.get(supplier)?.load ?? waiting;
    this.#put(supplier, { load: { kind: "loading", rows: 0, startedAt } });
    try {
      const figures = await this.#list(supplier, startedAt, signal);
      this.#options.report(null);
      this.#put(supplier, { figures, load: { kind: "loaded", at: this.#clock.now() } });
      void this.#countGone(supplier, signal).catch(() => {});
    } catch (error) {
      if (signal.aborted) {
        this.#put(supplier, { load: before });
        return;
      }
      this.#options.report(error);
      this.#put(supplier, { load: { kind: "failed", at: this.#clock.now(), error } });
      await this.#putHistory(supplier, () => this.#options.histories.lastKnown(supplier)).catch(
        () => {},
      );
    }
  }

  /** Loads and records one list; no row of it is stored here. */
  async #list(supplier: string, startedAt: number, signal: AbortSignal): Promise<SupplierFigures> {
    // Without observations the list is shown all the same.
    const observations = (await this.#options.observations().catch(() => null)) ?? undefined;
    const { list, end } = await loadFigures(this.#options.service, supplier, {
      ...{ clock: this.#clock, signal, observations },
      onRows: (rows) => this.#put(supplier, { load: { kind: "loading", rows, startedAt } }),
    });
    const history = await this.#options.histories.read(supplier).catch(() => null);
    return listedFigures(list, end.listedAt, history);
  }

  /** The lists alone say too much: an account that left them might be being imported right now. */
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
    const row = rows.get(supplier) ?? { supplier, figures: null, load: waiting };
    this.#change({ rows: new Map(rows).set(supplier, { ...row, ...patch }) });
  }

  #change(patch: Partial<BoardSnapshot>): void {
    this.#store.set({ ...this.getSnapshot(), ...patch });
  }
}
