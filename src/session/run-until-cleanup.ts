/**
 * Starts the work of an effect and returns the effect's cleanup, which aborts its signal. What the work
 * rejects with is dropped: that is how an aborted wait ends, and work reports its own failures.
 */
export function runUntilCleanup(work: (signal: AbortSignal) => Promise<unknown>): () => void {
  const stop = new AbortController();
  work(stop.signal).catch(() => {});
  return () => stop.abort();
}
