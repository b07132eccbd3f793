import { isAppError } from "../../errors/app-error.ts";
import { type Ask, type OpenedEngine, openEngine } from "./engine.ts";
import { engineInWorker } from "./engine-in-worker.ts";

/** Lists of up to this many accounts are recorded and read in a few milliseconds. */
export const fewRows = 10_000;

/**
 * Where the file is worked with: small work in this thread, without the start of another one, and
 * work that would delay a frame in a worker, which is started when it is first needed.
 */
export class Engines {
  readonly here: Ask;
  readonly #folder: string | null;
  readonly #isSlow: boolean;
  #worker: Ask | null = null;

  private constructor(folder: string | null, { engine, isSlow }: OpenedEngine) {
    this.#folder = folder;
    this.#isSlow = isSlow;
    const works = engine as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
    this.here = (async (name, ...args) => works[name]?.(...args)) as Ask;
  }

  /** Rejects with a file error. */
  static async open(folder: string | null): Promise<Engines> {
    return new Engines(folder, await openEngine(folder, { isQuick: folder !== null }));
  }

  /** The engine for large work. In memory there is but one, unless nothing of the work is stored. */
  worker({ isUnstored = false } = {}): Ask {
    if (this.#folder === null && !isUnstored) return this.here;
    this.#worker ??= engineInWorker(this.#folder);
    return this.#worker;
  }

  /** Does work that is large where the list of a supplier is, and where `more` rows came with it. */
  async sized<T>(
    origin: string,
    supplier: string,
    more: number,
    work: (ask: Ask) => Promise<T>,
  ): Promise<T> {
    if (more > fewRows) return work(this.worker());
    return this.quick(async (ask) => {
      const isLarge = (await this.#rowsOf(origin, supplier)) > fewRows;
      return work(isLarge ? this.worker() : ask);
    });
  }

  /** Rows that are stored of a supplier; none of a file that cannot be read, as the work will find. */
  async #rowsOf(origin: string, supplier: string): Promise<number> {
    try {
      return await this.here("rows", origin, supplier);
    } catch (error) {
      if (this.waitsFor(error, this.here)) throw error;
      return 0;
    }
  }

  /** Does work that takes a moment; in the worker where it would have to wait for something. */
  async quick<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    if (this.#isSlow) return work(this.worker());
    try {
      return await work(this.here);
    } catch (error) {
      if (!this.waitsFor(error, this.here)) throw error;
      return work(this.worker());
    }
  }

  /** Returns true if work that ended with an error is done again by an engine that waits. */
  waitsFor(error: unknown, ask: Ask): boolean {
    const isBusy = isAppError(error, "file") && error.kind === "busy";
    return isBusy && ask === this.here && this.#folder !== null;
  }

  async close(): Promise<void> {
    await this.#worker?.("close");
    await this.here("close");
  }
}
