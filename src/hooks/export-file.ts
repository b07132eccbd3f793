import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { useCallback, useEffect, useRef, useState } from "react";
import { type ExportFormat, exportView } from "../accounts/export.ts";
import type { ViewRows } from "../accounts/view.ts";
import { bytes, plural } from "../text/numbers.ts";
import { useConsole } from "./console.tsx";
import { useCancellable } from "./in-flight.tsx";
import { useNotices } from "./notices.tsx";

const formats: Readonly<Record<string, ExportFormat>> = {
  ".csv": "csv",
  ".tsv": "tsv",
  ".json": "json",
  ".jsonl": "jsonl",
};

/**
 * Writes the rows of a view to a new file, in the format its ending names, without holding them in
 * memory. Returns what is wrong with the path, in words, or null when the writing has begun; how it
 * ends is told as a notice.
 */
export function useExport(): (view: ViewRows, path: string) => string | null {
  const { env } = useConsole();
  const notices = useNotices();
  const [running, setRunning] = useState(false);
  const stop = useRef(new AbortController());
  const cancel = useCallback(() => stop.current.abort(), []);
  useCancellable(running, cancel);
  useEffect(() => cancel, [cancel]);
  return (view, typed) => {
    const path = resolve(typed.replace(/^~(?=\/)/, env.HOME ?? "~"));
    const format = formats[extname(path).toLowerCase()];
    if (typed === "") return "Name a file.";
    if (!format) return `End the name with ${Object.keys(formats).join(", ")}.`;
    if (existsSync(path)) return `${path} is there already; nothing is overwritten.`;
    stop.current = new AbortController();
    const { signal } = stop.current;
    setRunning(true);
    notices.show(`Writing ${plural(view.length, "row")} to ${path}…`, "busy");
    write(view, format, path, signal)
      .then(
        (size) =>
          signal.aborted
            ? notices.show(`Cancelled: ${path} holds only the first ${bytes(size)}.`, "waiting")
            : notices.show(`${plural(view.length, "row")} in ${path} (${bytes(size)})`, "ok"),
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
  view: ViewRows,
  format: ExportFormat,
  path: string,
  signal: AbortSignal,
): Promise<number> {
  // Account numbers are personal data: the file is the user's alone.
  const file = await open(path, "wx", 0o600);
  let size = 0;
  try {
    for await (const piece of exportView(view, format)) {
      if (signal.aborted) break;
      await file.appendFile(piece);
      size += Buffer.byteLength(piece);
    }
    return size;
  } finally {
    await file.close();
  }
}
