import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { useCallback, useEffect, useRef, useState } from "react";
import { bytes } from "../text/numbers.ts";
import { useConsole } from "./console.tsx";
import { useCancellable } from "./in-flight.tsx";
import { useNotices } from "./notices.tsx";

/** What goes into a file. */
export interface FileContent {
  /** For example `12 rows`. */
  readonly what: string;
  /** The endings the name may have, dot and all; the chosen one is handed to `pieces`. */
  readonly endings: readonly string[];
  readonly pieces: (ending: string) => AsyncIterable<string> | Iterable<string>;
}

/**
 * Writes a new file piece by piece, without holding it in memory. Returns what is wrong with the
 * path, in words, or null when the writing has begun; how it ends is told as a notice.
 */
export function useWriteFile(): (content: FileContent, path: string) => string | null {
  const { env } = useConsole();
  const notices = useNotices();
  const [running, setRunning] = useState(false);
  const stop = useRef(new AbortController());
  const cancel = useCallback(() => stop.current.abort(), []);
  useCancellable(running, cancel);
  useEffect(() => cancel, [cancel]);
  return ({ what, endings, pieces }, typed) => {
    const path = resolve(typed.replace(/^~(?=\/)/, env.HOME ?? "~"));
    const ending = extname(path).toLowerCase();
    if (typed === "") return "Name a file.";
    if (!endings.includes(ending)) return `End the name with ${endings.join(", ")}.`;
    if (existsSync(path)) return `${path} is there already; nothing is overwritten.`;
    stop.current = new AbortController();
    const { signal } = stop.current;
    setRunning(true);
    notices.show(`Writing ${what} to ${path}…`, "busy");
    write(pieces(ending), path, signal)
      .then(
        (size) =>
          signal.aborted
            ? notices.show(`Cancelled: ${path} holds only the first ${bytes(size)}.`, "waiting")
            : notices.show(`${what} in ${path} (${bytes(size)})`, "ok"),
        (error: unknown) =>
          notices.show(
            `${path} could not be written: ${error instanceof Error ? error.message : "unknown"}`,
            "bad",
          ),
      )
      .finally(() => setRunning(false));
    return null;
  };
}

async function write(
  pieces: AsyncIterable<string> | Iterable<string>,
  path: string,
  signal: AbortSignal,
): Promise<number> {
  // Account numbers are personal data: the file is the user's alone.
  const file = await open(path, "wx", 0o600);
  let size = 0;
  try {
    for await (const piece of pieces) {
      if (signal.aborted) break;
      await file.appendFile(piece);
      size += Buffer.byteLength(piece);
    }
    return size;
  } finally {
    await file.close();
  }
}
