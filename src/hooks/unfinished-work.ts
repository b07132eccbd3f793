import { useEffect, useState } from "react";
import type { Session } from "../session/open-session.ts";
import type { UnfinishedWork } from "../session/unfinished-work.ts";
import { useConsole } from "./console.tsx";

/** The first frame comes first, and other processes write to the journal too. Milliseconds. */
const afterMs = 250;
const againMs = 5_000;

const none: UnfinishedWork = { unknown: 0, runs: 0 };

/**
 * Counts what needs someone, soon after a write of this process has moved on and every few seconds
 * for what runs and other processes write. No journal is made for that; one that cannot be opened is
 * reported where it matters, on the Activity screen.
 */
export function useUnfinishedWork(session: Session | null): UnfinishedWork {
  const { clock } = useConsole();
  const [work, setWork] = useState(none);
  useEffect(() => {
    setWork(none);
    if (session === null) return;
    const stop = new AbortController();
    let rest = new AbortController();
    const unsubscribe = session.tasks.entries.all.subscribe(() => rest.abort());
    const keepCounting = async () => {
      await clock.sleep(afterMs, stop.signal);
      const { countUnfinishedWork } = await import("../session/unfinished-work.ts");
      while (!stop.signal.aborted) {
        rest = new AbortController();
        const left = await countUnfinishedWork(session, stop.signal).catch(() => none);
        if (stop.signal.aborted) return;
        setWork((before) =>
          before.unknown === left.unknown && before.runs === left.runs ? before : left,
        );
        await clock.sleep(againMs, AbortSignal.any([stop.signal, rest.signal])).catch(() => {});
        await clock.sleep(afterMs, stop.signal);
      }
    };
    keepCounting().catch(() => {});
    return () => {
      unsubscribe();
      stop.abort();
    };
  }, [session, clock]);
  return work;
}
