/**
 * Shares one run of `work` between all callers while it is in progress. A caller that aborts stops
 * waiting. The work is aborted if no caller waits.
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
    const shared = current;
    shared.waiting += 1;
    const aborted = Promise.withResolvers<never>();
    const onAbort = () => aborted.reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([shared.promise, aborted.promise]);
    } finally {
      signal?.removeEventListener("abort", onAbort);
      shared.waiting -= 1;
      if (shared.waiting === 0) {
        if (current === shared) current = null;
        shared.stop.abort(signal?.reason);
      }
    }
  };
}
