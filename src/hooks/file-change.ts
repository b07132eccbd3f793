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
 * Reports if a file has changed since it was checked. Compares it repeatedly while the screen is on
 * top.
 */
export function useFileChange(file: CheckedFile): FileChange["kind"] {
  const { clock } = useApp();
  const active = useActive();
  const [found, setFound] = useState<{ readonly of: CheckedFile; readonly change: FileChange }>();
  useEffect(() => {
    if (!active) return;
    return runUntilCleanup(async (signal) => {
      let last: FileChange | null = null;
      while (!signal.aborted) {
        const change: FileChange = await fileChange(file, last, signal);
        if (signal.aborted) return;
        if (change.kind !== last?.kind) setFound({ of: file, change });
        last = change;
        await clock.sleep(checkEveryMs, signal);
      }
    });
  }, [clock, active, file]);
  return found?.of === file ? found.change.kind : "same";
}
