import { exitCodeOf } from "../writes/exit-code.ts";
import type { Doubt, Reason } from "../writes/journal/entry.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import { maybeText, maybeWhole, type Row, text } from "../writes/journal/rows.ts";
import type { RunEnd } from "./progress.ts";
import type { RunCounts } from "./run-record.ts";

/** A row that was not sent shares the fate of its run; of one that just ended it was interrupted. */
const unsentCodes: Readonly<Record<RunEnd["kind"], number>> = {
  ended: 6,
  stopped: 130,
  "service-down": 6,
  credentials: 3,
  journal: 1,
};

/** The product's exit code of every outcome that rows of a run have; 0 for what is settled well. */
export function runExitCodes(journal: Journal, run: string): Set<number> {
  const { kinds, stopped } = journal.read((rows) => ({
    kinds: rows.all(
      `SELECT DISTINCT r.outcome, i.reason, i.doubt, coalesce(i.http_status, r.http_status) AS http_status
       FROM run_row r LEFT JOIN intent i ON i.id = r.intent WHERE r.run = ?`,
      run,
    ),
    stopped: rows.get("SELECT stopped_by FROM run WHERE id = ?", run),
  }));
  const by = maybeText(stopped ?? {}, "stopped_by") as RunEnd["kind"] | null;
  return new Set(kinds.map((row) => codeOf(row, by ?? "stopped")));
}

function codeOf(row: Row, stoppedBy: RunEnd["kind"]): number {
  const outcome = text(row, "outcome") as keyof RunCounts;
  const reason = maybeText(row, "reason") as Reason | null;
  if (outcome === "waiting" && (reason === null || reason === "process-ended")) {
    return unsentCodes[stoppedBy];
  }
  // While a row is being sent nobody knows of it.
  const state =
    outcome === "waiting"
      ? "unsent"
      : outcome === "exists"
        ? "confirmed"
        : outcome === "sending"
          ? "unknown"
          : outcome;
  return exitCodeOf({
    outcome: state,
    reason: reason ?? "answered",
    mayHaveLanded: ((maybeText(row, "doubt") ?? "none") as Doubt) !== "none",
    httpStatus: maybeWhole(row, "http_status"),
    error: null,
  });
}
