/** Describes what was done in a report: rows that took effect, and entries that were closed. */
import { count } from "../../text/numbers.ts";
import { isOperation, kindOf } from "../../writes/kinds/kinds.ts";
import { doneWords } from "../../writes/words/done.ts";
import { closedWords } from "../../writes/words/outcomes.ts";
import { type Block, heading, sentence, table } from "./blocks.ts";
import { maxListed, utc } from "./describe-work.ts";
import type { Report } from "./report.ts";

export function doneSentence({ work, since }: Pick<Report, "work" | "since">): string {
  if (work === null) return "What was done is not known.";
  return work.done.length === 0
    ? `Nothing was recorded to be sent since ${utc(since)}.`
    : `Done since ${utc(since)}. ${doneWords(work.done)}`;
}

export function doneBlocks({ work, since }: Pick<Report, "work" | "since">): readonly Block[] {
  if (work === null) return [];
  const { done, closed } = work;
  const shown = (n: number | null) => (n === null ? "not known" : count(n));
  const listed = closed.slice(0, maxListed);
  return [
    ...(done.length === 0 ? [] : [heading(2, `Done since ${utc(since)}`)]),
    ...table(
      ["Operation", "Supplier", "Outcome", "Took effect", "Entries", "Rows", "Sum"],
      done.map(({ operation, importSupplier, outcome, tookEffect, entries, rows, sum }) => [
        ...[operation, importSupplier, outcome, tookEffect],
        ...[count(entries), shown(rows), sum ?? (isSummed(operation) ? "not known" : "-")],
      ]),
    ),
    ...(closed.length === 0 ? [] : [heading(2, "Closed by an operator")]),
    ...(closed.length > listed.length
      ? [sentence(`The last ${count(listed.length)} of ${count(closed.length)}.`)]
      : []),
    ...table(
      [
        "Entry",
        "Operation",
        "Supplier",
        "Account or supply point",
        "Closed as",
        "Reason",
        "Profile",
      ],
      listed.map((entry) => [
        ...[String(entry.journal_id), entry.operation, entry.import_supplier],
        entry.external_account_number ?? entry.external_identifier ?? "-",
        closedWords[entry.took_effect ?? "unknown"].short,
        ...[entry.closing_reason ?? "-", entry.profile],
      ]),
    ),
  ];
}

function isSummed(operation: string): boolean {
  return isOperation(operation) && kindOf(operation).isSummed;
}
