/** Watches a checked file for changes while its screen is on top. */
import { useEffect, useState } from "react";
import { type FileChange, fileChange } from "../bulk/source.ts";
import { runUntilCleanup } from "../session/run-until-cleanup.ts";
import type { CheckedFile } from "../session/tasks.ts";
import { useApp } from "./app.tsx";
import { useActive } from "./window.tsx";

/** The interval between two checks of a file, in milliseconds. */
const checkEveryMs = 2_000;

/**
 * Returns the change of a file since it was checked, or `same` if there is none. Compares the file
 * repeatedly while the screen is on top.
 */
export function useFileChange(file: CheckedFile): FileChange["kind"] {
  const { clock } = useApp();
  const active = useActive();
  const [latest, setLatest] = useState<{
    readonly file: CheckedFile;
    readonly change: FileChange;
  }>();
  useEffect(() => {
    if (!active) return;
    return runUntilCleanup(async (signal) => {
      let last: FileChange | null = null;
      while (!signal.aborted) {
        const change: FileChange = await fileChange(file, last, signal);
        if (signal.aborted) return;
        if (change.kind !== last?.kind) setLatest({ file, change });
        last = change;
        await clock.sleep(checkEveryMs, signal);
      }
    });
  }, [clock, active, file]);
  return latest?.file === file ? latest.change.kind : "same";
}
