/** Asks a second person about a write that needs one, and prints the request and the next steps. */

import { commandLine } from "../../text/as-command.ts";
import { utcInstant } from "../../text/dates.ts";
import { type Field, fieldsOf, within } from "../../text/fields.ts";
import { sharedFields } from "../../text/shared-fields.ts";
import { approvalFields } from "../../writes/approval-fields.ts";
import type { WriteContext, WriteResult } from "../../writes/send/events.ts";
import { type Approval, approvalName } from "../../writes/team/approvals.ts";
import { canAsk, unapprovedIn, withRequests } from "../../writes/team/request-approval.ts";
import {
  amountWords,
  approveCommand,
  unapprovedError,
  unapprovedWords,
} from "../../writes/words/approvals.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import type { Column } from "../rows/columns.ts";
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

export const waitingColumns: readonly Field<Waiting, string, unknown>[] = [
  field("outcome", "text", "`waiting`: a second person is asked.", () => "waiting"),
  within(approvalFields.approval, ({ request }: Waiting) => request),
  field(["expected_rows", "Rows"], "number", "The number of its rows.", (of) => of.request.rows),
  field(
    ["expected_sum", "Sum"],
    "text or null",
    "The sum of its amounts, or null without amounts.",
    (of) => of.request.sum,
  ),
  within(approvalFields.expiresAt, ({ request }: Waiting) => request),
  field("next", "text or null", "The command that sends after the approval.", (of) => of.next),
];

const entryColumns: readonly Column<Waiting>[] = [
  field(...sharedFields.entry, (of) => of.journalId),
  ...waitingColumns,
];

export function waitingLines({ request, journalId, next }: Waiting): readonly string[] {
  // Other rows of a run can have been sent.
  const [entry, sent] =
    journalId === null
      ? ["", "None of them was sent."]
      : [`; journal entry ${journalId}`, "Nothing was sent."];
  return [
    `Waiting for a second person: request ${approvalName(request)}, ${amountWords(request)}${entry}. ${sent}`,
    `Another person approves it until ${utcInstant(request.expiresAt)}:`,
    `  ${approveCommand(request)}`,
    ...(next === null ? [] : ["Then this sends it:", `  ${next}`]),
  ];
}

/** The sends of a command, one or, to verify an entry by its items, several. */
interface Sent {
  readonly results: readonly WriteResult[];
  readonly journalId: number;
  /** The command that sends after the approval. Default: `resend`. */
  readonly by?: "resend" | "verify";
}

/**
 * Publishes a request for entries that the ledger let not through without an approval, and prints it.
 * Resolves with the exit code, or with null if all are approved: the outcome is printed then. Throws
 * `not-approved` if no request can help, whatever earlier attempts did, because nothing was sent now.
 */
export async function askSecondPerson(
  invocation: Invocation,
  target: Target,
  context: WriteContext,
  { results, journalId, by = "resend" }: Sent,
): Promise<number | null> {
  const all = results.map(unapprovedIn).filter((one) => one !== null);
  const unapproved = all.find(canAsk) ?? all[0];
  if (unapproved === undefined) return null;
  if (!canAsk(unapproved))
    throw unapprovedError(unapproved, { next: `activity ${by} ${journalId}`, journalId });
  if (unapproved.why !== "none") invocation.warn(unapprovedWords(unapproved));
  const asked = (await withRequests(context, results)).map(unapprovedIn);
  const request = asked.find((one) => one?.why === "waits")?.request ?? null;
  if (request === null) return null;
  const next = commandLine(
    { words: ["activity", by], operands: [String(journalId)] },
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
