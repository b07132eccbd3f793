/** Asks a second person about a write that needs one, and prints the request and the next steps. */

import { commandLine } from "../../text/as-command.ts";
import { utcInstant } from "../../text/dates.ts";
import { type Field, fieldsOf } from "../../text/fields.ts";
import type { WriteContext, WriteResult } from "../../writes/send/events.ts";
import { type Approval, approvalName } from "../../writes/team/approvals.ts";
import { canAsk, requestForEntry, unapprovedIn } from "../../writes/team/request-approval.ts";
import { amountWords, approveCommand, unapprovedWords } from "../../writes/words/approvals.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { type Column, utcText } from "../rows/columns.ts";
import { isForPeople, rowText } from "../rows/print.ts";
import type { Target } from "../target.ts";

/** A request that waits, with the command that sends after its approval. */
export interface Waiting {
  readonly request: Approval;
  /** The entry of a single write, or null for a run. */
  readonly journalId: number | null;
  readonly next: string | null;
}

const field = fieldsOf<Waiting>();

/** The fields of a request that a command has published. */
export const waitingColumns: readonly Field<Waiting, string, unknown>[] = [
  field("outcome", "Outcome", "text", "`waiting`: a second person is asked.", () => "waiting"),
  field("approval", "Request", "text", "The request, such as `a17`.", (of) =>
    approvalName(of.request),
  ),
  field("expected_rows", "Rows", "number", "The number of its rows.", (of) => of.request.rows),
  field(
    "expected_sum",
    "Sum",
    "text or null",
    "The sum of its amounts, or null without amounts.",
    (of) => of.request.sum,
  ),
  field("expires_at", "Ends at", utcText, "The time at which it ends.", (of) =>
    utcInstant(of.request.expiresAt),
  ),
  field(
    "next",
    "Next",
    "text or null",
    "The command that sends after the approval.",
    (of) => of.next,
  ),
];

const entryColumns: readonly Column<Waiting>[] = [
  field("journal_id", "Entry", "number", "The entry in the journal.", (of) => of.journalId),
  ...waitingColumns,
];

/** Returns the lines about a request that waits, for people. */
export function waitingLines({ request, journalId, next }: Waiting): readonly string[] {
  const entry = journalId === null ? "" : `; journal entry ${journalId}`;
  return [
    `Waiting for a second person: request ${approvalName(request)}, ${amountWords(request)}${entry}. Nothing was sent.`,
    `Another person approves it until ${utcInstant(request.expiresAt)}:`,
    `  ${approveCommand(request)}`,
    ...(next === null ? [] : ["Then this sends it:", `  ${next}`]),
  ];
}

/**
 * Publishes a request for an entry that the ledger let not through without an approval, and prints it.
 * Resolves with the exit code, or with null if no request can help: the outcome is printed then.
 */
export async function askSecondPerson(
  invocation: Invocation,
  target: Target,
  context: WriteContext,
  result: WriteResult,
): Promise<number | null> {
  const unapproved = unapprovedIn(result);
  if (unapproved === null || !canAsk(unapproved)) return null;
  if (unapproved.why !== "none") invocation.warn(unapprovedWords(unapproved));
  const request = await requestForEntry(context, result);
  const { journalId } = result;
  const next = commandLine(
    { words: ["activity", "resend"], operands: [String(journalId)] },
    target.context("").profile ?? null,
  );
  const waiting = { request, journalId, next };
  // The names of the columns are those of an outcome, which this is not.
  const globals = { ...invocation.globals, columns: undefined };
  const text = isForPeople(globals)
    ? `${waitingLines(waiting).join("\n")}\n`
    : rowText({ ...invocation, globals }, entryColumns, waiting);
  invocation.out.close(text);
  return exitCode.done;
}
