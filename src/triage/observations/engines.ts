import { isAppError } from "../../errors/app-error.ts";
import { type EngineCall, type OpenedDatabase, openEngine } from "./engine.ts";
import { engineInWorker } from "./engine-in-worker.ts";

/** Number of accounts up to which a list is recorded and read in a few milliseconds. */
export const fewRows = 10_000;

/**
 * Runs work on the file: small work in this thread, without starting another one, and work that
 * would delay a frame in a worker, which starts when it is first needed.
 */
export class ObservationWorkers {
  readonly here: EngineCall;
  readonly #folder: string | null;
  readonly #isSlow: boolean;
  #worker: EngineCall | null = null;

  private constructor(folder: string | null, { engine, isSlow }: OpenedDatabase) {
    this.#folder = folder;
    this.#isSlow = isSlow;
    const works = engine as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
    this.here = (async (name, ...args) => works[name]?.(...args)) as EngineCall;
  }

  /** Rejects with a file error. */
  static async open(folder: string | null): Promise<ObservationWorkers> {
    return new ObservationWorkers(folder, await openEngine(folder, { isQuick: folder !== null }));
  }

  /**
   * Returns the engine for large work. In memory it is the only engine, unless none of the work is
   * stored.
   */
  worker({ isUnstored = false } = {}): EngineCall {
    if (this.#folder === null && !isUnstored) return this.here;
    this.#worker ??= engineInWorker(this.#folder);
    return this.#worker;
  }

  /**
   * Runs work in the worker if the stored list of a supplier or `more` further rows are large, else
   * in this thread.
   */
  async sized<T>(
    origin: string,
    supplier: string,
    more: number,
    work: (ask: EngineCall) => Promise<T>,
  ): Promise<T> {
    if (more > fewRows) return work(this.worker());
    return this.quick(async (ask) => {
      const isLarge = (await this.#rowsOf(origin, supplier)) > fewRows;
      return work(isLarge ? this.worker() : ask);
    });
  }

  /**
   * Returns the number of stored rows of a supplier, or 0 if the file cannot be read. The work
   * itself then reports the error.
   */
  async #rowsOf(origin: string, supplier: string): Promise<number> {
    try {
      return await this.here("rows", origin, supplier);
    } catch (error) {
      if (this.waitsFor(error, this.here)) throw error;
      return 0;
    }
  }

  /** Runs short work. If it would have to wait for something, it runs in the worker. */
  async quick<T>(work: (ask: EngineCall) => Promise<T>): Promise<T> {
    if (this.#isSlow) return work(this.worker());
    try {
      return await work(this.here);
    } catch (error) {
      if (!this.waitsFor(error, this.here)) throw error;
      return work(this.worker());
    }
  }

  /** Returns true if an engine that waits should repeat the failed work. */
  waitsFor(error: unknown, ask: EngineCall): boolean {
    const isBusy = isAppError(error, "file") && error.kind === "busy";
    return isBusy && ask === this.here && this.#folder !== null;
  }

  async close(): Promise<void> {
    await this.#worker?.("close");
    await this.here("close");
  }
}
