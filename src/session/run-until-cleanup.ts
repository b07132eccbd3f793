/**
 * Starts the work of a React effect, and returns the cleanup of the effect, which aborts the work. A
 * rejection is ignored, because aborted work rejects. The work must report its own failures.
 */
export function runUntilCleanup(work: (signal: AbortSignal) => Promise<unknown>): () => void {
  const stop = new AbortController();
  work(stop.signal).catch(() => {});
  return () => stop.abort();
}
