/** Describes what was done in a report: rows that took effect, and entries that were closed. */
import { count } from "../../text/numbers.ts";
import { type Done, doneHere } from "../../writes/done.ts";
import { isOperation, kindOf } from "../../writes/kinds/kinds.ts";
import { doneOfTeamWords } from "../../writes/words/done.ts";
import { closedWords } from "../../writes/words/outcomes.ts";
import { type Block, heading, sentence, table } from "./blocks.ts";
import { maxListed, utc } from "./describe-work.ts";
import type { Report } from "./report.ts";

type ReportedDone = Pick<Report, "work" | "team" | "since">;

export function doneSentence({ work, team, since }: ReportedDone): string {
  if (work === null) return "What was done is not known.";
  const words = doneOfTeamWords(work.done, team?.kind === "read" ? team.done : []);
  return words === ""
    ? `Nothing was recorded to be sent since ${utc(since)}.`
    : `Done since ${utc(since)}. ${words}`;
}

export function doneBlocks({ work, team, since }: ReportedDone): readonly Block[] {
  if (work === null) return [];
  const { closed } = work;
  const byPerson =
    team?.kind === "read" ? [...doneHere(work.done, team.names), ...team.done] : null;
  const done = byPerson ?? work.done;
  const cells = ({ operation, importSupplier, outcome, tookEffect, entries, rows, sum }: Done) => [
    ...[operation, importSupplier, outcome, tookEffect],
    ...[count(entries), count(rows), sum ?? (isSummed(operation) ? "not known" : "-")],
  ];
  const listed = closed.slice(0, maxListed);
  return [
    ...(done.length === 0 ? [] : [heading(2, `Done since ${utc(since)}`)]),
    ...table(
      [
        ...(byPerson === null ? [] : ["By", "Machine"]),
        ...["Operation", "Supplier", "Outcome", "Took effect", "Entries", "Rows", "Sum"],
      ],
      byPerson?.map((one) => [one.by, one.machine, ...cells(one)]) ?? work.done.map(cells),
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
