import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import { useCallback, useEffect, useRef, useState } from "react";
import { type ExportFormat, exportView } from "../accounts/export.ts";
import type { ViewRows } from "../accounts/view.ts";
import { bytes, plural } from "../text/numbers.ts";
import { useConsole } from "./console.tsx";
import { useCancellable } from "./in-flight.tsx";
import { writeNewFile } from "./new-file.ts";
import { useNotices } from "./notices.tsx";

const formats: Readonly<Record<string, ExportFormat>> = {
  ".csv": "csv",
  ".tsv": "tsv",
  ".json": "json",
  ".jsonl": "jsonl",
};

/**
 * Writes the rows of a view to a new file, in the format its ending names, without holding them in
 * memory; Ctrl-C gives it up, and then there is no file. Returns what is wrong with the path, in words, or null when the writing has begun; how it
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
    writeNewFile(path, exportView(view, format), signal)
      .then(
        (size) => notices.show(`${plural(view.length, "row")} in ${path} (${bytes(size)})`, "ok"),
        (error: unknown) =>
          signal.aborted
            ? notices.show(`Cancelled: ${path} was not written.`, "waiting")
            : notices.show(`${path} could not be written: ${reasonOf(error)}`, "bad"),
      )
      .finally(() => setRunning(false));
    return null;
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown reason";
}
