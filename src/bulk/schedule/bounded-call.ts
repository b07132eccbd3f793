import type { Clock } from "../../api/clock.ts";
import { isServiceError, ServiceError } from "../../api/errors.ts";

/**
 * Makes one call, for `timeoutMs` at the most, and resolves with its failure, or with null when it was
 * answered. A call that ignores its signal is not waited for. Rejects only with what is no ServiceError.
 */
export async function boundedCall(
  clock: Clock,
  call: (signal: AbortSignal) => Promise<void>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ServiceError | null> {
  const givenUp = new AbortController();
  const done = new AbortController();
  const { promise: ended, resolve } = Promise.withResolvers<ServiceError>();
  const end = (error: ServiceError) => {
    givenUp.abort(error);
    resolve(error);
  };
  const cancel = () => end(new ServiceError("cancelled", "The call was canceled."));
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  clock.sleep(timeoutMs, done.signal).then(
    () => end(new ServiceError("timeout", `No complete answer within ${timeoutMs} ms.`)),
    () => {},
  );
  const answered = call(givenUp.signal).then(
    () => null,
    (thrown: unknown) => {
      if (givenUp.signal.aborted) return ended;
      if (isServiceError(thrown)) return thrown;
      throw thrown;
    },
  );
  try {
    return await Promise.race([answered, ended]);
  } finally {
    signal.removeEventListener("abort", cancel);
    done.abort("done");
  }
}
