import { pause } from "../pause.ts";
import type { DripRate } from "./parse.ts";

/** The same body, a few bytes at a time; stops when the reader goes away or `closing` fires. */
export function dripped(
  body: ReadableStream<Uint8Array>,
  rate: DripRate,
  closing: AbortSignal,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const left = new AbortController();
  const stop = AbortSignal.any([left.signal, closing]);
  let rest: Uint8Array = new Uint8Array();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (rest.length === 0) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        rest = value;
      }
      if (!(await pause(rate.everyMs, stop))) return controller.close();
      controller.enqueue(rest.subarray(0, rate.bytes));
      rest = rest.subarray(rate.bytes);
    },
    cancel(reason) {
      left.abort();
      return reader.cancel(reason);
    },
  });
}
