import { usageError } from "../command-error.ts";
import { Ended, type Io } from "../io.ts";

/** Longer input is not a key but a file piped in by mistake. */
const longestKey = 16_384;

/**
 * The first line of standard input; typed on a terminal it is not shown. Rejects with `usage` when
 * nothing comes, and with the signal's reason when the program is ended.
 */
export async function readKey(io: Io): Promise<string> {
  const { stdin, stderr } = io;
  const typed = stdin.isTTY;
  if (typed) {
    // A key that is pasted as soon as it is asked for must not be shown by the terminal itself.
    stdin.setRawMode(true);
    stderr.write("API key (not shown): ");
  }
  try {
    const line = await firstLine(io, typed);
    if (line.trim() === "")
      throw usageError(
        "no API key came on standard input",
        "Pipe it in, or type it on a terminal.",
      );
    return line.trim();
  } finally {
    if (typed) {
      stdin.setRawMode(false);
      stderr.write("\n");
    }
    stdin.pause();
  }
}

function firstLine(io: Io, typed: boolean): Promise<string> {
  const { stdin, signal } = io;
  return new Promise((resolve, reject) => {
    let line = "";
    const settle = (act: () => void) => {
      stdin.off("data", onChunk);
      stdin.off("end", onEnd);
      stdin.off("error", onError);
      signal.removeEventListener("abort", onAbort);
      act();
    };
    const onEnd = () => settle(() => resolve(line));
    const onError = (error: Error) => settle(() => reject(error));
    const onAbort = () => settle(() => reject(signal.reason));
    const onChunk = (chunk: string) => {
      for (const character of chunk) {
        if (character === "\n" || character === "\r") return onEnd();
        if (typed && character === "\u0004") return onEnd();
        if (typed && character === "\u0003") {
          return settle(() => reject(new Ended("interrupted")));
        }
        if (typed && (character === "\u007f" || character === "\b")) line = line.slice(0, -1);
        else line += character;
      }
      if (line.length > longestKey)
        settle(() => reject(usageError("what came is too long for an API key")));
    };
    if (signal.aborted) return reject(signal.reason);
    stdin.setEncoding("utf8");
    stdin.on("data", onChunk);
    stdin.once("end", onEnd);
    stdin.once("error", onError);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
