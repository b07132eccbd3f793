import type { EngineCall } from "./engine.ts";
import { openInWorker } from "./open-in-worker.ts";

/** A worker that has had nothing to do for this long ends. */
const idleMs = 3_000;

/** Does something later, unless the function that it returns is called first. */
export type Scheduler = (work: () => void) => () => void;

/** No program waits for it to end. */
const afterIdling: Scheduler = (work) => {
  const timer = setTimeout(work, idleMs).unref();
  return () => clearTimeout(timer);
};

/**
 * The engine of a folder in a worker thread that runs while there is work: a million accounts take
 * much memory, which is returned only when the thread ends. Nothing is lost with it: between loads
 * the worker holds only what is stored; one that has lists that could not be stored runs on. Calls
 * reject with a file error where the file cannot be opened. Null for a folder: an engine in memory.
 */
export function engineInWorker(folder: string | null, later: Scheduler = afterIdling): EngineCall {
  let worker: Promise<EngineCall> | null = null;
  /** The worker that ends, and those before it. */
  let ending: Promise<unknown> = Promise.resolve();
  let underWay = 0;
  let stay = () => {};
  /** Loads of which the worker has rows. */
  const loads = new Set<unknown>();
  /** The worker has lists that are nowhere else. */
  let isNeeded = false;

  const end = () => {
    const closing = worker?.then((ask) => ask("close")).catch(() => {});
    worker = null;
    ending = Promise.all([ending, closing]);
  };
  return async (name, ...args) => {
    stay();
    if (name === "close") {
      end();
      await ending;
      return undefined as never;
    }
    underWay += 1;
    const [load] = args;
    if (name === "prepare" || name === "take") loads.add(load);
    if (name === "recordUnstored") isNeeded = true;
    try {
      worker ??= openInWorker(folder);
      const answer = await (await worker)(name, ...args);
      if (name === "finish") loads.delete(load);
      return answer;
    } finally {
      underWay -= 1;
      if (name === "recordUnstored" || name === "discard") loads.delete(load);
      if (underWay === 0 && loads.size === 0 && !isNeeded) stay = later(end);
    }
  };
}
