import type { EngineCall } from "./engine.ts";
import { openInWorker } from "./open-in-worker.ts";

/** A worker that has had nothing to do for this long ends. */
const idleMs = 3_000;

/** Does something later, unless the function that it returns is called first. */
type Scheduler = (work: () => void) => () => void;

/** The timer does not keep the program alive. */
const afterIdling: Scheduler = (work) => {
  const timer = setTimeout(work, idleMs).unref();
  return () => clearTimeout(timer);
};

/**
 * Runs the engine of a folder (null: in memory) in a worker thread while there is work: a million
 * accounts need much memory, which is returned only when the thread ends. Between loads the worker
 * has only stored data, so nothing is lost with it. A worker with lists that could not be stored
 * keeps running. Calls reject with a file error if the file cannot be opened.
 */
export function engineInWorker(folder: string | null, later: Scheduler = afterIdling): EngineCall {
  let worker: Promise<EngineCall> | null = null;
  /** The end of the worker that is closing, and of those before it. */
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
