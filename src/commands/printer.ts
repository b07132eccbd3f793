import type { Writable } from "node:stream";

/** Writes results, no faster than they are read. */
export interface Printer {
  /** Resolves when there is room for more; rejects with the signal's reason when it is aborted. */
  write(text: string | Uint8Array): Promise<void>;
  line(text: string): Promise<void>;
  /** Writes what must come although the command is being ended, such as a closing bracket. */
  close(text: string): void;
}

/** A printer on a stream; whoever owns the stream handles its errors and aborts the signal. */
export function printerOn(stream: Writable, signal: AbortSignal): Printer {
  const write = async (text: string | Uint8Array) => {
    signal.throwIfAborted();
    if (text.length === 0 || stream.write(text)) return;
    await roomIn(stream, signal);
  };
  return {
    write,
    line: (text) => write(`${text}\n`),
    close: (text) => {
      if (stream.writable) stream.write(text);
    },
  };
}

function roomIn(stream: Writable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => () => {
      stream.off("drain", onDrain);
      stream.off("close", onDrain);
      signal.removeEventListener("abort", onAbort);
      act();
    };
    const onDrain = settle(resolve);
    const onAbort = settle(() => reject(signal.reason));
    stream.once("drain", onDrain);
    stream.once("close", onDrain);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
