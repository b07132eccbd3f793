import type { RunEnd } from "../../bulk/run-record.ts";
import { isUnsent, type RunCounts, type RunRecord } from "../../bulk/run-record.ts";
import { maybeText, maybeWhole, type Row, text } from "../../sqlite/rows.ts";
import type { EffectDoubt, Reason } from "../../writes/journal/entry.ts";
import type { Journal } from "../../writes/journal/open-journal.ts";
import { type ExitCode, exitCode, exitCodeOf, mostSevere } from "../exit-codes.ts";

/**
 * The reasons of rows that were not sent because their run ended. Such a row has the exit code of
 * that end.
 */
const endOfRunReasons: readonly Reason[] = [
  "process-ended",
  "run-paused",
  "run-stopped",
  "not-approved",
];

/** The exit code for each end of a run. It applies to the rows that were not sent because of it. */
export const endCodes: Readonly<Record<RunEnd["kind"], ExitCode>> = {
  ended: exitCode.unavailable,
  stopped: exitCode.interrupted,
  unsent: exitCode.unavailable,
  "service-down": exitCode.unavailable,
  "team-away": exitCode.unavailable,
  waits: exitCode.done,
  "not-approved": exitCode.usage,
  credentials: exitCode.credentials,
  journal: exitCode.fault,
};

/**
 * Returns the exit code of a run in its present state: 0 if every row is confirmed or closed, else
 * the most severe code of its rows. If rows are left because the user stopped the run, it is 7 if
 * the outcome of a row is unknown, else 130.
 */
export function exitCodeOfRun(
  journal: Journal,
  { id, state }: Pick<RunRecord, "id" | "state">,
): number {
  if (isUnsent({ state })) return exitCode.interrupted;
  const codes = runExitCodes(journal, id);
  if (!codes.has(exitCode.interrupted)) return mostSevere(codes);
  return codes.has(exitCode.unknownOutcome) ? exitCode.unknownOutcome : exitCode.interrupted;
}

/** Returns the exit codes of all outcomes of a run's rows. A confirmed or closed row has 0. */
export function runExitCodes(journal: Journal, run: string): Set<ExitCode> {
  const { kinds, stopped } = journal.read((rows) => ({
    kinds: rows.all(
      `SELECT DISTINCT r.outcome, i.reason, i.doubt, i.http_status
       FROM run_row r LEFT JOIN intent i ON i.id = r.intent WHERE r.run = ?`,
      run,
    ),
    stopped: rows.get("SELECT stopped_by FROM run WHERE id = ?", run),
  }));
  const by = maybeText(stopped ?? {}, "stopped_by") as RunEnd["kind"] | null;
  // A run without a recorded end was interrupted.
  return new Set(kinds.map((row) => codeOf(row, by ?? "stopped")));
}

function codeOf(row: Row, stoppedBy: RunEnd["kind"]): ExitCode {
  const outcome = text(row, "outcome") as keyof RunCounts;
  const reason = maybeText(row, "reason") as Reason | null;
  if (outcome === "waiting" && (reason === null || endOfRunReasons.includes(reason))) {
    return endCodes[stoppedBy];
  }
  // The outcome of a row that is being sent is unknown.
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
    mayHaveTakenEffect: ((maybeText(row, "doubt") ?? "none") as EffectDoubt) !== "none",
    httpStatus: maybeWhole(row, "http_status"),
    error: null,
    refusal: null,
  });
}
