/** Watches a checked file for changes while its screen is on top. */
import { useCallback } from "react";
import type { Clock } from "../api/clock.ts";
import { type FileChange, fileChange } from "../bulk/source.ts";
import type { CheckedFile } from "../session/tasks.ts";
import { useApp } from "./app.tsx";
import { useRead } from "./reading.ts";

const checkEveryMs = 2_000;

/**
 * Returns the change of a file since it was checked, or `same` if there is none. Compares the file
 * repeatedly while the screen is on top.
 */
export function useFileChange(file: CheckedFile): FileChange["kind"] {
  const { clock } = useApp();
  const latest = useRead(
    useCallback((signal: AbortSignal) => changesOf(file, clock, signal), [file, clock]),
  );
  return latest?.file === file ? latest.kind : "same";
}

async function* changesOf(file: CheckedFile, clock: Clock, signal: AbortSignal) {
  for (let last: FileChange | null = null; ; ) {
    const change: FileChange = await fileChange(file, last, signal);
    if (change.kind !== last?.kind) yield { file, kind: change.kind };
    last = change;
    await clock.sleep(checkEveryMs, signal);
  }
}
