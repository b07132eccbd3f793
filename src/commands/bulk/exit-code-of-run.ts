import { runExitCodes } from "../../bulk/run-exit-codes.ts";
import { isUnsent, type RunRecord } from "../../bulk/run-record.ts";
import type { Journal } from "../../writes/journal/open-journal.ts";
import { exitCode, gravest } from "../exit-codes.ts";

/**
 * The exit code of a run as it stands: 0 when every row was confirmed or settled, else that of the
 * gravest. Where rows are left because somebody stopped it: 7 when nobody knows of a row, else 130.
 */
export function exitCodeOfRun(
  journal: Journal,
  { id, state }: Pick<RunRecord, "id" | "state">,
): number {
  if (isUnsent({ state })) return exitCode.interrupted;
  const codes = runExitCodes(journal, id);
  if (!codes.has(exitCode.interrupted)) return gravest(codes);
  return codes.has(exitCode.unknownOutcome) ? exitCode.unknownOutcome : exitCode.interrupted;
}
