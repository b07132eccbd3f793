/**
 * One piece of work shared by everyone who asks while it is under way. A caller that aborts stops
 * waiting; the work itself is aborted when nobody waits any more.
 */
export function sharedRun<T>(
  work: (signal: AbortSignal) => Promise<T>,
): (signal?: AbortSignal) => Promise<T> {
  let current: { promise: Promise<T>; waiting: number; stop: AbortController } | null = null;
  return async (signal) => {
    signal?.throwIfAborted();
    if (current === null) {
      const stop = new AbortController();
      const started = { promise: work(stop.signal), waiting: 0, stop };
      current = started;
      const clear = () => {
        if (current === started) current = null;
      };
      started.promise.then(clear, clear);
    }
    const mine = current;
    mine.waiting += 1;
    const aborted = Promise.withResolvers<never>();
    const onAbort = () => aborted.reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([mine.promise, aborted.promise]);
    } finally {
      signal?.removeEventListener("abort", onAbort);
      mine.waiting -= 1;
      if (mine.waiting === 0) {
        if (current === mine) current = null;
        mine.stop.abort(signal?.reason);
      }
    }
  };
}
