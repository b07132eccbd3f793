import { useEffect } from "react";
import { plural } from "../text/numbers.ts";
import { countActivity } from "../writes/activity.ts";
import { useConsole } from "./console.tsx";
import { writesIfAny } from "./journal.ts";
import { useNotices } from "./notices.tsx";
import { useSessionState } from "./session.tsx";

/** The first frame comes first. Milliseconds. */
const afterMs = 250;

/**
 * Says once per session how many writes of the profile have an unknown outcome, and which bulk runs
 * were left in the middle. No journal is made
 * for that; one that cannot be opened is told where it matters, on the Activity screen.
 */
export function useUnknownNotice(): void {
  const { clock, stateDir } = useConsole();
  const notices = useNotices();
  const state = useSessionState();
  const session = state.kind === "open" ? state.session : null;
  useEffect(() => {
    if (session === null) return;
    const stop = new AbortController();
    const tell = async () => {
      await clock.sleep(afterMs, stop.signal);
      const writes = await writesIfAny(session, stateDir, stop.signal);
      if (writes === null || stop.signal.aborted) return;
      const unknown = countActivity(writes.context.journal, {
        outcomes: ["unknown"],
        profile: session.profile.name,
      });
      const { runsLeft } = await import("../bulk/run-process.ts");
      const left = runsLeft(writes.context);
      if (stop.signal.aborted || (unknown === 0 && left.length === 0)) return;
      notices.show([...unknownWords(unknown), ...leftWords(left)].join("; "), "waiting");
    };
    tell().catch(() => {});
    return () => stop.abort();
  }, [clock, stateDir, notices, session]);
}

function unknownWords(unknown: number): readonly string[] {
  const them = unknown === 1 ? "it" : "them";
  return unknown === 0 ? [] : [`${plural(unknown, "write")} with unknown outcome: A shows ${them}`];
}

function leftWords([run, ...more]: readonly string[]): readonly string[] {
  if (run === undefined) return [];
  return more.length === 0
    ? [`run ${run} unfinished: L shows it`]
    : [`${plural(more.length + 1, "run")} unfinished: L shows them`];
}
