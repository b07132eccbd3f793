import { useCallback } from "react";
import { openRuns, runPatienceMs } from "../session/bulk-runs.ts";
import { plural } from "../text/numbers.ts";
import { useKeyWords } from "./keys.tsx";
import { useNotices } from "./notices.tsx";
import { useOverlays } from "./overlay.tsx";
import { useSessions } from "./session.tsx";

/**
 * Leaves the open profile by doing `then`. While a bulk run is under way it asks first; the run is
 * stopped, and what is in flight is waited for, before `then` is done.
 */
export function useLeaving(): (how: string, then: () => void) => void {
  const sessions = useSessions();
  const overlays = useOverlays();
  const notices = useNotices();
  const key = useKeyWords();
  return useCallback(
    (how, then) => {
      const state = sessions.state.get();
      const runs = state.kind === "open" ? state.session.bulkRuns : null;
      const [run, ...more] = runs === null ? [] : openRuns(runs.turns.get());
      if (runs === null || run === undefined) {
        then();
        return;
      }
      const which = more.length === 0 ? `Run ${run}` : `${plural(more.length + 1, "run")}`;
      const resume = [run, ...more].map((id) => `supplyline bulk resume ${id}`).join(", ");
      overlays.open({
        kind: "confirm",
        question: `${which} ${more.length === 0 ? "is" : "are"} under way. Stop and ${how}?`,
        detail: `What is in flight is waited for, ${runPatienceMs / 1_000} s at the most. The rows left can be gone on with: ${resume}, or ${key("resume-run")} on the run's screen.`,
        yes: `Stop and ${how}`,
        onYes: () => {
          notices.show("Stopping: what is in flight is waited for…", "waiting");
          void runs.end(runPatienceMs).then(then);
        },
      });
    },
    [sessions, overlays, notices, key],
  );
}
