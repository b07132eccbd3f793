import { exactJsonOf, isRecord, toJson } from "../../json/exact.ts";
import { profileWords } from "../../settings/sandbox-profile.ts";
import { asCommand } from "../../text/as-command.ts";
import { safe } from "../../text/sanitize.ts";
import { sharedFields } from "../../text/shared-fields.ts";
import { textTable } from "../../text/table.ts";
import type { WriteResult } from "../../writes/send/events.ts";
import { teamFields } from "../../writes/team/ledger.ts";
import { writeWords } from "../../writes/words/contents.ts";
import { existsWords, itemWords, movedWords } from "../../writes/words/outcomes.ts";
import type { OutputError } from "../command-error.ts";
import { exitCodeOf } from "../exit-codes.ts";
import { printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { type Column, column, journalIdColumn, outcomeColumn } from "../rows/columns.ts";
import { jsonOutput, writerFor } from "../rows/print.ts";
import { failureOfWrite, type Outcome } from "./outcome-failure.ts";

/**
 * Prints the outcome of a write, even while the program is ending. Confirmed parts are printed on
 * stdout, everything else as an error on stderr. Resolves with the exit code of the write.
 */
export async function printOutcome(invocation: Invocation, outcome: Outcome): Promise<number> {
  const { result } = outcome;
  const lines = () =>
    result.outcome === "confirmed"
      ? confirmedLines(invocation, outcome)
      : itemLines(invocation, outcome);
  const text =
    itemRows(invocation, result) ??
    lines()
      .map((line) => `${line}\n`)
      .join("");
  if (result.outcome === "confirmed") reportIfUnwritable(invocation, result);
  // `close` writes even while the program is ending, so that the outcome is always printed.
  if (text !== "") invocation.out.close(text);
  if (result.outcome !== "confirmed") invocation.report(failureOfWrite(outcome));
  return exitCodeOf(result);
}

/** Reports a confirmed write if stdout fails because of a full disk or a closed pipe. */
function reportIfUnwritable({ io, problem }: Invocation, { journalId }: WriteResult): void {
  io.stdout.prependOnceListener("error", (error: OutputError) => {
    // A closed pipe is no failure, so nothing else would report the write.
    if (error.code === "EPIPE" || error.code === "EIO")
      problem(`The write is confirmed, as journal entry ${journalId}.`);
    // Adds the entry to the error, so that with --json there is only one object.
    else error.confirmedEntry = journalId;
  });
}

function confirmedLines(invocation: Invocation, outcome: Outcome): string[] {
  const { globals } = invocation;
  const { result, profile } = outcome;
  const response = responseOf(result, profile.brand);
  if (printsJson(globals)) {
    const { journalId: journal_id } = result;
    const team = outcome.team === null ? {} : teamFields(outcome.team);
    return [jsonOutput(globals, { journal_id, ...team, outcome: "confirmed", response })];
  }
  return [
    headline(outcome),
    ...table(invocation, outcome),
    ...(result.operation === "payment-instructions create" ? responseLines(response) : []),
    ...existsLines(outcome),
    ...movedLines(outcome),
    ...followLines(outcome),
  ];
}

function itemLines(invocation: Invocation, outcome: Outcome): string[] {
  const { globals } = invocation;
  const { result } = outcome;
  if (printsJson(globals)) return [];
  const outcomes = new Set(result.items.map((item) => item.outcome));
  return outcomes.size > 1 ? table(invocation, outcome) : [];
}

function headline({ result, facts, profile }: Outcome): string {
  const { operation, journalId } = result;
  const label = result.reason === "looked-up" ? "Confirmed by a lookup" : "Confirmed";
  const requests = `${writeWords({ operation, facts })}, on ${profileWords(profile)}`;
  return safe(`${label}: ${requests}; journal entry ${journalId}.`);
}

function table({ globals, io }: Invocation, { result }: Outcome): string[] {
  const columns = [{ title: "#" }, { title: "" }, { title: "" }, { title: "" }];
  const rows = result.items.map((item) => [
    String(item.position + 1),
    itemWords[item.outcome].label,
    item.status ?? "",
    item.label ?? "",
  ]);
  const maxWidth = io.stdout.isTTY ? io.stdout.columns : undefined;
  return textTable(columns, rows, { maxWidth, ascii: globals.ascii })
    .slice(1)
    .map((line) => `  ${line}`);
}

function responseLines(response: unknown): string[] {
  if (!isRecord(response)) return [];
  const rows = Object.entries(response).map(([name, value]) => [
    name,
    typeof value === "string" ? value : toJson(value),
  ]);
  return textTable([{ title: "" }, { title: "" }], rows)
    .slice(1)
    .map((line) => `  ${line}`);
}

function existsLines({ result, facts }: Outcome): string[] {
  const { operation, items, attempts } = result;
  const sent = { operation, items: facts.items };
  const options = { attempts, how: " (--created-at now)" };
  const words = items.flatMap(({ outcome, position }) =>
    outcome === "exists" ? [existsWords(sent, position, options)] : [],
  );
  return [...new Set(words)];
}

/** Returns lines about transactions that were added with a date other than the sent one. */
function movedLines({ result, facts, query }: Outcome): string[] {
  const { operation, response, items } = result;
  return movedWords({ operation, items: facts.items }, query, response).flatMap((words, index) =>
    words === null ? [] : [`${safe(items[index]?.label ?? String(index + 1))}: ${words}`],
  );
}

function followLines({ facts, context }: Outcome): string[] {
  const { target } = facts;
  if (target.kind === "account") return [];
  const { importSupplier: supplier, externalIdentifier: id } = target;
  const watch = asCommand({ kind: "supply-point-watch", supplier, id }, context.profile ?? null);
  const follow = watch === null ? "" : ` \`${safe(watch)}\` follows it.`;
  return [`Its creation is scheduled and runs in the background.${follow}`];
}

/**
 * Returns the service's response to a write: a JSON value with exact numbers, null for an empty
 * body, or text for a body that is not JSON. For a write confirmed by a lookup, returns the process
 * from the lookup. The account number has the same field name for every brand, so that scripts work
 * with every deployment.
 */
export function responseOf(result: WriteResult, brand: string): unknown {
  if (result.reason === "looked-up" && result.process !== null) return result.process;
  const { response } = result;
  if (response === null || response.trim() === "") return null;
  const value = exactJsonOf(response);
  if (value === undefined) return response;
  const brandedName = `${brand}_account_number`;
  if (!isRecord(value) || !Object.hasOwn(value, brandedName)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, fieldValue]) => [
      name === brandedName ? "service_account_number" : name,
      fieldValue,
    ]),
  );
}

export const itemColumns: readonly Column<ReturnType<typeof itemRow>>[] = [
  journalIdColumn,
  outcomeColumn,
  column(["position", "#"], "number", "The place of the item in the request, from 1."),
  column(["label", "Item"], "text or null", "The name of the item, such as its ID."),
  column("item_outcome", "text", "`created`, `exists`, `rejected`, `not-reached` or `unknown`."),
  column(...sharedFields.itemStatus),
];

function itemRow({ journalId, outcome }: WriteResult, item: WriteResult["items"][number]) {
  return {
    journal_id: journalId,
    outcome,
    position: item.position + 1,
    label: item.label,
    item_outcome: item.outcome,
    status: item.status,
  };
}

function itemRows(invocation: Invocation, result: WriteResult): string | null {
  const { globals } = invocation;
  const isProse = globals.format === "table" || printsJson(globals);
  if (isProse && globals.columns === undefined) return null;
  const writer = writerFor(invocation, itemColumns);
  const rows = result.items.map((item) => itemRow(result, item));
  return writer.rows(rows) + writer.end();
}
