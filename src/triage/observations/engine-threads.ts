/**
 * Runs the engine of the observations: small work in this thread, large work in a worker thread that
 * ends when it is idle.
 */
import { AppError, isAppError } from "../../errors/app-error.ts";
import { startThread } from "../../program-files.ts";
import {
  type EngineCall,
  type ObservationDatabase,
  type OpenedDatabase,
  openEngine,
} from "./engine.ts";
import { buffersIn, type PostedError, type WorkerResponse } from "./worker-messages.ts";

/** Maximum number of accounts of a list that is recorded and read in a few milliseconds. */
export const fewRows = 10_000;

/**
 * Runs small work on the file in this thread, and work that would delay a frame in a worker. Starts
 * the worker when it is first needed.
 */
export class EngineThreads {
  readonly here: EngineCall;
  readonly #folder: string | null;
  readonly #isSlow: boolean;
  #worker: EngineCall | null = null;

  private constructor(folder: string | null, { engine, isSlow }: OpenedDatabase) {
    this.#folder = folder;
    this.#isSlow = isSlow;
    const operations = engine as unknown as Record<
      string,
      (...args: readonly unknown[]) => unknown
    >;
    this.here = (async (name, ...args) => operations[name]?.(...args)) as EngineCall;
  }

  /**
   * Opens the file of a folder, or a database in memory if `folder` is null. Rejects with a file
   * error.
   */
  static async open(folder: string | null): Promise<EngineThreads> {
    return new EngineThreads(folder, await openEngine(folder, { isQuick: folder !== null }));
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
      if (this.canRetryInWorker(error, this.here)) throw error;
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
      if (!this.canRetryInWorker(error, this.here)) throw error;
      return work(this.worker());
    }
  }

  /** Returns true if the work failed because the file is busy and the worker can repeat it. */
  canRetryInWorker(error: unknown, ask: EngineCall): boolean {
    const isBusy = isAppError(error, "file") && error.kind === "busy";
    return isBusy && ask === this.here && this.#folder !== null;
  }

  async close(): Promise<void> {
    await this.#worker?.("close");
    await this.here("close");
  }
}

/** Milliseconds after which an idle worker ends. */
const idleMs = 3_000;

/** Schedules work. The returned function cancels it. */
type Scheduler = (work: () => void) => () => void;

/** Schedules work after {@link idleMs}. The timer does not keep the program running. */
const afterIdling: Scheduler = (work) => {
  const timer = setTimeout(work, idleMs).unref();
  return () => clearTimeout(timer);
};

/**
 * Runs the engine of a folder (null: in memory) in a worker thread while there is work. A million
 * accounts need much memory, which is freed only when the thread ends. Between loads the worker has
 * only stored data, so its end loses nothing. A worker with lists that could not be stored
 * continues. Calls reject with a file error if the file cannot be opened.
 */
export function engineInWorker(folder: string | null, later: Scheduler = afterIdling): EngineCall {
  let worker: Promise<EngineCall> | null = null;
  /** Resolves when the closing worker and all earlier ones have ended. */
  let ending: Promise<unknown> = Promise.resolve();
  let callsInProgress = 0;
  let cancelEnd = () => {};
  /** Loads whose rows are in the worker. */
  const loads = new Set<unknown>();
  /** True if the worker has lists that are stored nowhere else. */
  let isNeeded = false;

  const end = () => {
    const closing = worker?.then((ask) => ask("close")).catch(() => {});
    worker = null;
    ending = Promise.all([ending, closing]);
  };
  return async (name, ...args) => {
    cancelEnd();
    if (name === "close") {
      end();
      await ending;
      return undefined as never;
    }
    callsInProgress += 1;
    const [load] = args;
    if (name === "prepare" || name === "take") loads.add(load);
    if (name === "recordUnstored") isNeeded = true;
    try {
      worker ??= openInWorker(folder);
      const response = await (await worker)(name, ...args);
      if (name === "finish") loads.delete(load);
      return response;
    } finally {
      callsInProgress -= 1;
      if (name === "recordUnstored" || name === "discard") loads.delete(load);
      if (callsInProgress === 0 && loads.size === 0 && !isNeeded) cancelEnd = later(end);
    }
  };
}

/**
 * Opens the file of a folder in a worker thread, which runs one call at a time. Returns a function
 * that calls the engine in the thread. Its `close` call resolves when the thread has ended. Rejects
 * with a file error.
 */
async function openInWorker(folder: string | null): Promise<EngineCall> {
  const worker = startThread("observations", {
    workerData: { folder },
    // Rows are in typed arrays, and all other objects are short-lived.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let ended: Error | null = null;

  const responseTo = (id: number): Promise<unknown> => {
    if (ended !== null) return Promise.reject(ended);
    const waitingCall = Promise.withResolvers<unknown>();
    waiting.set(id, waitingCall);
    // The program must not end before the response.
    worker.ref();
    return waitingCall.promise;
  };
  const takeWaiting = (id: number): PromiseWithResolvers<unknown> | undefined => {
    const waitingCall = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    return waitingCall;
  };
  const end = (error: Error) => {
    ended ??= error;
    for (const id of [...waiting.keys()]) takeWaiting(id)?.reject(ended);
  };
  worker.on("message", (response: WorkerResponse) => {
    const waitingCall = takeWaiting(response.id);
    if ("error" in response) waitingCall?.reject(errorOf(response.error));
    else waitingCall?.resolve(response.value);
  });
  worker.on("error", (error) => end(error instanceof Error ? error : new Error(String(error))));
  const exited = new Promise<void>((resolve) => {
    worker.on("exit", () => {
      end(new Error("The thread that stores observations has ended."));
      resolve();
    });
  });

  await responseTo(0);
  const ask = async (name: keyof ObservationDatabase, ...args: readonly unknown[]) => {
    lastId += 1;
    const response = responseTo(lastId);
    // The columns of rows were copied for the thread, so they can be transferred.
    const transferred = name === "take" ? buffersIn(args.at(-1)) : [];
    worker.postMessage({ id: lastId, call: name, args }, transferred);
    const value = await response;
    if (name === "close") {
      // The thread must end before the process ends or the folder is removed.
      worker.ref();
      await exited;
    }
    return value;
  };
  return ask as EngineCall;
}

function errorOf({ message, kind, facts }: PostedError): Error {
  return kind === null ? new Error(message) : new AppError("file", kind, message, facts);
}
