import { CommandError } from "./command-error.ts";
import type { Io } from "./io.ts";

/** Bytes; far above any list of numbers, and a bound for what is piped in by mistake. */
export const largestInput = 256 * 1024 * 1024;

/** All of standard input. Rejects with the signal's reason when the program is ended meanwhile. */
export function readInput({ stdin, signal }: Io): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const settle = (act: () => void) => {
      stdin.off("data", onPart);
      stdin.off("end", onEnd);
      stdin.off("error", onError);
      signal.removeEventListener("abort", onAbort);
      stdin.pause();
      act();
    };
    const onPart = (part: Buffer) => {
      parts.push(part);
      size += part.length;
      if (size > largestInput)
        settle(() => reject(new CommandError("usage", "standard input is larger than 256 MB")));
    };
    const onEnd = () => settle(() => resolve(Buffer.concat(parts)));
    const onError = (error: Error) => settle(() => reject(error));
    const onAbort = () => settle(() => reject(signal.reason));
    if (signal.aborted) return reject(signal.reason);
    stdin.on("data", onPart);
    stdin.once("end", onEnd);
    stdin.once("error", onError);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
