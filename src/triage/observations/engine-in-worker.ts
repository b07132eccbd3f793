/** Runs the engine of the observations in a worker thread, which ends when it is idle. */
import type { EngineCall } from "./engine.ts";
import { openInWorker } from "./open-in-worker.ts";

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
  let underWay = 0;
  let stay = () => {};
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
