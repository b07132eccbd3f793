/** Asks a second person about the rows of a run, where the team's policy asks for two people. */
import { basename } from "node:path";
import { isAppError } from "../errors/app-error.ts";
import { text, whole } from "../sqlite/rows.ts";
import { kindOf, operationOf } from "../writes/kinds/kinds.ts";
import type { WriteContext } from "../writes/send/events.ts";
import type { Approval, Unapproved } from "../writes/team/approvals.ts";
import { requestApproval, waitingItems } from "../writes/team/request-approval.ts";
import { planVerification } from "../writes/verify.ts";
import { unapprovedError } from "../writes/words/approvals.ts";
import type { RunRecord } from "./run-record.ts";
import { readRun } from "./runs.ts";

/**
 * Resolves with true if a run needs a new request before its rows are claimed. Rejects with the team
 * error `not-approved` if its request waits or was refused. A database that does not answer decides
 * nothing: the claims wait for it.
 */
export async function needsRequest(
  { team }: WriteContext,
  { id, kind }: Pick<RunRecord, "id" | "kind">,
): Promise<boolean> {
  if (team === null || !kindOf(operationOf(kind)).movesMoney) return false;
  try {
    const { fourEyes, request } = await team.ledger.approvals.ofRun(id);
    if (fourEyes === "none" || request?.standing === "approved") return false;
    if (request?.standing === "waits" || request?.standing === "refused")
      throw notApproved(id, { why: request.standing, request });
    return true;
  } catch (error) {
    if (isAppError(error, "team", "team-unavailable")) return false;
    throw error;
  }
}

/** Returns the error for the rows of a run without an approval. */
export function notApproved(run: string, unapproved: Unapproved) {
  return unapprovedError(unapproved, { next: `bulk resume ${run}` });
}

/** SQL for the entries of a run that a resume sends or verifies, in the order of the input. */
const openEntries = `SELECT id, state FROM intent i WHERE run = ? AND run IS NOT NULL
    AND (state IN ('intent', 'unsent', 'unknown') OR (state = 'retryable' AND doubt = 'none'))
    AND (state <> 'unsent' OR reason IS NULL OR reason NOT IN ('sent-before', 'refused-before')
      OR EXISTS (SELECT 1 FROM override o WHERE o.intent = i.id))
  ORDER BY line, id`;

/**
 * Publishes a request for the rows of a run that are left, or resolves with null if none are. Rejects
 * with a team error or a journal error.
 */
export async function requestForRun(context: WriteContext, run: string): Promise<Approval | null> {
  const { kind, source, reading } = readRun(context, run);
  const ids = context.journal
    .read((rows) => rows.all(openEntries, run))
    .map((row) => ({ id: whole(row, "id"), state: text(row, "state") }))
    .flatMap(({ id, state }) => (state === "unknown" ? sentToVerify(context, id) : [id]));
  if (ids.length === 0) return null;
  const isFile = source !== "-" && source !== "console";
  // The path of a copy of standard input says nothing on another machine.
  const { copy: _, ...texts } = reading;
  return requestApproval(context, {
    ...{ operation: operationOf(kind), ids, run },
    source: isFile ? basename(source) : null,
    reading: source === "console" ? null : texts,
  });
}

/** Returns the entries that the verification of an unknown entry sends: itself, or one for each item. */
function sentToVerify(context: WriteContext, id: number): readonly number[] {
  const { kind } = planVerification(context, id);
  if (kind === "checked-resend") return [id];
  return kind === "by-item" ? waitingItems(context, id) : [];
}
