import { useEffect } from "react";
import { plural } from "../text/numbers.ts";
import { useConsole } from "./console.tsx";
import { useNotices } from "./notices.tsx";
import { useSessionState } from "./session.tsx";

/** The first frame comes first. Milliseconds. */
const afterMs = 250;

/**
 * Says once per session how many writes of the profile have an unknown outcome. No journal is made
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
      const { unknownWrites } = await import("./unknown-writes.ts");
      const unknown = await unknownWrites(session, stateDir, stop.signal);
      if (unknown === 0 || stop.signal.aborted) return;
      const them = unknown === 1 ? "it" : "them";
      notices.show(`${plural(unknown, "write")} with unknown outcome: A shows ${them}`, "waiting");
    };
    tell().catch(() => {});
    return () => stop.abort();
  }, [clock, stateDir, notices, session]);
}
