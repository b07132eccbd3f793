/**
 * Starts the work of an effect and returns the effect's cleanup, which aborts its signal. A
 * rejection is ignored: an aborted wait rejects, and the work reports its failures itself.
 */
export function runUntilCleanup(work: (signal: AbortSignal) => Promise<unknown>): () => void {
  const stop = new AbortController();
  work(stop.signal).catch(() => {});
  return () => stop.abort();
}
