/** Writes an exported file in the background, with notices about its progress. */
import { existsSync } from "node:fs";
import { dirname, extname } from "node:path";
import { useCallback, useEffect, useRef, useState } from "react";
import { errorMessage } from "../api/errors.ts";
import { type FileWriter, writeNewFile } from "../files/new-file.ts";
import { expandPath } from "../session/complete-path.ts";
import type { WriteFile } from "../session/file-question.ts";
import { capital } from "../text/connection-words.ts";
import { bytes } from "../text/numbers.ts";
import { shellQuote } from "../text/shell-quote.ts";
import { shownPath } from "../text/shown-path.ts";
import { useApp, useSessionState } from "./app.tsx";
import { useCancellable } from "./in-flight.tsx";

/**
 * Returns a function that writes a new file piece by piece, so that its content is never completely
 * in memory. Ctrl-C cancels it and leaves no file. The function returns the problem of the path, or
 * null if writing has started. A notice reports the end.
 */
export function useWriteFile(): WriteFile {
  const { env, notices, history } = useApp();
  const session = useSessionState();
  // A second file can be started while the first is still being written.
  const [running, setRunning] = useState(0);
  const stops = useRef(new Set<AbortController>());
  const cancel = useCallback(() => {
    for (const stop of stops.current) stop.abort();
  }, []);
  useCancellable(running > 0, cancel);
  useEffect(() => cancel, [cancel]);
  return ({ what, endings, pieces, command, onWritten }, typed) => {
    const path = expandPath(typed, env.HOME);
    const ending = extname(path).toLowerCase();
    if (typed === "") return "Name a file.";
    if (!endings.includes(ending)) return `End the name with ${endings.join(", ")}.`;
    if (!existsSync(dirname(path))) return `There is no folder ${dirname(path)}.`;
    if (existsSync(path)) return `${shownPath(path)} already exists; nothing was overwritten.`;
    const stop = new AbortController();
    const { signal } = stop;
    stops.current.add(stop);
    setRunning((count) => count + 1);
    const endNotice = notices.announce(`Writing ${what} to ${shownPath(path)}…`, "busy");
    const fill = async (append: FileWriter) => {
      for await (const piece of pieces(ending, signal)) await append(piece);
    };
    const line = command?.(path, ending) ?? `# ${what} written to ${shellQuote(path)}`;
    const logEnd = session.kind === "open" ? session.session.log.begin("export", line) : () => {};
    writeNewFile(path, fill, signal)
      .then(
        (size) => {
          logEnd({ text: bytes(size), tone: "plain" });
          onWritten?.(path);
          if (/^\.(?:csv|tsv|jsonl|ndjson)$/.test(ending)) history.addFile(path);
          notices.announce(`${capital(what)} written: ${shownPath(path)} (${bytes(size)})`, "ok");
        },
        (error: unknown) => {
          if (signal.aborted) {
            logEnd({ text: "canceled", tone: "waiting" });
            notices.announce(`Canceled: ${shownPath(path)} was not written.`, "waiting");
            return;
          }
          logEnd({ text: "failed", tone: "bad" });
          const why = errorMessage(error);
          notices.announce(`${shownPath(path)} could not be written: ${why}`, "bad");
        },
      )
      .finally(() => {
        endNotice();
        stops.current.delete(stop);
        setRunning((count) => count - 1);
      });
    return null;
  };
}
