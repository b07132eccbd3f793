/** Decides which thread does the work on the observations: this one or a worker. */
import { isAppError } from "../../errors/app-error.ts";
import { type EngineCall, type OpenedDatabase, openEngine } from "./engine.ts";
import { engineInWorker } from "./engine-in-worker.ts";

/** Maximum number of accounts of a list that is recorded and read in a few milliseconds. */
export const fewRows = 10_000;

/**
 * Runs small work on the file in this thread, and work that would delay a frame in a worker. Starts
 * the worker when it is first needed.
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

  /**
   * Opens the file of a folder, or a database in memory if `folder` is null. Rejects with a file
   * error.
   */
  static async open(folder: string | null): Promise<ObservationWorkers> {
    return new ObservationWorkers(folder, await openEngine(folder, { isQuick: folder !== null }));
  }

  /**
   * Returns the engine for large work. Without a folder it is the engine of this thread, unless the
   * work is on lists that are not stored.
   */
  worker({ isUnstored = false } = {}): EngineCall {
    if (this.#folder === null && !isUnstored) return this.here;
    this.#worker ??= engineInWorker(this.#folder);
    return this.#worker;
  }

  /**
   * Runs work in the worker if the stored list of a supplier or the `more` further rows are large,
   * else in this thread.
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
   * Returns the number of stored rows of a supplier, or 0 if the file cannot be read. The work then
   * reports the error.
   */
  async #rowsOf(origin: string, supplier: string): Promise<number> {
    try {
      return await this.here("rows", origin, supplier);
    } catch (error) {
      if (this.waitsFor(error, this.here)) throw error;
      return 0;
    }
  }

  /**
   * Runs short work in this thread, or in the worker if it has to wait for the disk or another
   * process.
   */
  async quick<T>(work: (ask: EngineCall) => Promise<T>): Promise<T> {
    if (this.#isSlow) return work(this.worker());
    try {
      return await work(this.here);
    } catch (error) {
      if (!this.waitsFor(error, this.here)) throw error;
      return work(this.worker());
    }
  }

  /** Returns true if the work failed because the file is busy and the worker can repeat it. */
  waitsFor(error: unknown, ask: EngineCall): boolean {
    const isBusy = isAppError(error, "file") && error.kind === "busy";
    return isBusy && ask === this.here && this.#folder !== null;
  }

  async close(): Promise<void> {
    await this.#worker?.("close");
    await this.here("close");
  }
}
