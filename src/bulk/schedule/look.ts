import type { Clock } from "../../api/clock.ts";
import { isServiceError, ServiceError } from "../../api/errors.ts";

/**
 * Makes one bounded request and tells how it ended: null when it was answered. One that does not
 * keep to its signal is not waited for. Rejects only with what is no ServiceError.
 */
export async function lookOnce(
  clock: Clock,
  look: (signal: AbortSignal) => Promise<void>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ServiceError | null> {
  const late = new AbortController();
  const done = new AbortController();
  const either = AbortSignal.any([signal, late.signal]);
  clock.sleep(timeoutMs, done.signal).then(
    () => late.abort(),
    () => {},
  );
  const ended = new Promise<ServiceError>((resolve) => {
    const onAbort = () =>
      resolve(
        late.signal.aborted
          ? new ServiceError("timeout", `No whole answer within ${timeoutMs} ms.`)
          : new ServiceError("cancelled", "The call was cancelled."),
      );
    either.addEventListener("abort", onAbort, { once: true });
    if (either.aborted) onAbort();
  });
  const looking = look(either).then(
    () => null,
    (thrown: unknown) => {
      if (isServiceError(thrown)) return thrown;
      if (either.aborted) return ended;
      throw thrown;
    },
  );
  try {
    return await Promise.race([looking, ended]);
  } finally {
    done.abort();
  }
}
