/** Prints the outcome of a write. */

import { isRecord } from "../../json/exact.ts";
import { toJson } from "../../json/print.ts";
import { profileWords } from "../../settings/sandbox-profile.ts";
import { asCommand } from "../../text/as-command.ts";
import { safe } from "../../text/sanitise.ts";
import { textTable } from "../../text/table.ts";
import type { WriteResult } from "../../writes/send/events.ts";
import { describeRequests } from "../../writes/words/contents.ts";
import { existsWords, itemWords, movedWords } from "../../writes/words/outcomes.ts";
import type { OutputError } from "../command-error.ts";
import { printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { answerOf } from "./answer.ts";
import { exitCodeOf } from "./exit-code.ts";
import { itemRows } from "./item-rows.ts";
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
  // `close` writes even while the program is ending, so that the output has the outcome.
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
  const response = answerOf(result, profile.brand);
  if (printsJson(globals)) {
    const { journalId: journal_id } = result;
    const indent = globals.format === "json" ? 2 : undefined;
    return [toJson({ journal_id, outcome: "confirmed", response }, indent)];
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

/** Returns a line for each item if their outcomes differ. */
function itemLines(invocation: Invocation, outcome: Outcome): string[] {
  const { globals } = invocation;
  const { result } = outcome;
  if (printsJson(globals)) return [];
  const ends = new Set(result.items.map((item) => item.outcome));
  return ends.size > 1 ? table(invocation, outcome) : [];
}

function headline({ result, facts, profile }: Outcome): string {
  const { operation, journalId } = result;
  const said = result.reason === "looked-up" ? "Confirmed by looking" : "Confirmed";
  const what = `${describeRequests({ operation, facts })}, on ${profileWords(profile)}`;
  return safe(`${said}: ${what}; journal entry ${journalId}.`);
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
  return movedWords({ operation, items: facts.items }, query, response).flatMap((words, at) =>
    words === null ? [] : [`${safe(items[at]?.label ?? String(at + 1))}: ${words}`],
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
