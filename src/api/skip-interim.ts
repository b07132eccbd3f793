/**
 * Skips the interim responses before a response. A client must read those that it did not expect (RFC
 * 9110, 15.2), but undici breaks the connection at `100 Continue`, and a write would end unknown
 * although it was answered.
 */
import type { Readable } from "node:stream";

/**
 * The beginning of a response to skip, with the character after its status. `101` changes the protocol
 * and is no interim response of a request that did not ask for it.
 */
const beginning = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/;
const beginningLength = 13;
/** The bytes of a response, until it differs from every beginning of one to skip. */
const maybeBeginning = /^(?:H|HT|HTT|HTTP|HTTP\/(?:1(?:\.(?:[01](?: (?:1(?:\d(?:\d)?)?)?)?)?)?)?)$/;
const endOfHead = "\r\n\r\n";

/** Maximum bytes skipped before one response. A server that sends more gets a parser error. */
const maxSkippedBytes = 16_384;

/**
 * Skips every interim response at the beginning of the next response that is read from a connection.
 * Must be called after the headers of a request are sent, and before its response is read.
 */
export function skipInterim(connection: Readable): void {
  const { read } = Object.getPrototypeOf(connection) as Readable;
  let held: Buffer = Buffer.alloc(0);
  let skippedBytes = 0;
  connection.read = (size) => {
    for (;;) {
      const chunk: Buffer | null = read.call(connection, size);
      if (chunk === null) return null;
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      let end = endOfInterim(held);
      while (end > 0 && skippedBytes <= maxSkippedBytes) {
        held = held.subarray(end);
        skippedBytes += end;
        end = endOfInterim(held);
      }
      const isUndecided = end === 0 && held.length + skippedBytes <= maxSkippedBytes;
      if (isUndecided) continue;
      // From here on, the connection is read as usual.
      Reflect.deleteProperty(connection, "read");
      return held;
    }
  };
}

/**
 * Returns the length of the interim response at the beginning of the bytes, 0 if more bytes are needed
 * to decide, or -1 if there is none.
 */
function endOfInterim(bytes: Buffer): number {
  const start = bytes.toString("latin1", 0, beginningLength);
  if (!beginning.test(start)) return start === "" || maybeBeginning.test(start) ? 0 : -1;
  const end = bytes.indexOf(endOfHead);
  return end === -1 ? 0 : end + endOfHead.length;
}
