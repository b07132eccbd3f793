import { useEffect } from "react";
import type { KeyWords } from "../keys/keymap.ts";
import { plural } from "../text/numbers.ts";
import { useConsole } from "./console.tsx";
import { useKeyWords } from "./keys.tsx";
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
  const { clock } = useConsole();
  const notices = useNotices();
  const key = useKeyWords();
  const state = useSessionState();
  const session = state.kind === "open" ? state.session : null;
  useEffect(() => {
    if (session === null) return;
    const stop = new AbortController();
    const tell = async () => {
      await clock.sleep(afterMs, stop.signal);
      const { leftBehind } = await import("./left-behind.ts");
      const left = await leftBehind(session, stop.signal);
      const words = [...unknownWords(left.unknown, key), ...leftWords(left.runs, key)];
      if (words.length > 0 && !stop.signal.aborted) notices.show(words.join("; "), "waiting");
    };
    tell().catch(() => {});
    return () => stop.abort();
  }, [clock, notices, session, key]);
}

function unknownWords(unknown: number, key: KeyWords): readonly string[] {
  const them = unknown === 1 ? "it" : "them";
  return unknown === 0
    ? []
    : [`${plural(unknown, "write")} with unknown outcome: ${key("activity")} shows ${them}`];
}

function leftWords([run, ...more]: readonly string[], key: KeyWords): readonly string[] {
  if (run === undefined) return [];
  return more.length === 0
    ? [`run ${run} unfinished: ${key("runs")} shows it`]
    : [`${plural(more.length + 1, "run")} unfinished: ${key("runs")} shows them`];
}
