import { toJson } from "../../json/exact.ts";
import { utcInstant } from "../../text/dates.ts";
import { safe, safeLines } from "../../text/sanitize.ts";
import { textTable } from "../../text/table.ts";
import type { ActivityRow } from "../../writes/activity.ts";
import { type ActivityDetail, showActivity } from "../../writes/activity-detail.ts";
import { teamRow } from "../../writes/team/colleagues.ts";
import type { LedgerAct } from "../../writes/team/ledger-views.ts";
import { actWords } from "../../writes/words/authors.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { cellOf, shown } from "../rows/columns.ts";
import { printRow } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { withJournalToRead } from "../with-journal.ts";
import { type EntryArgument, entryArgument } from "./entry-argument.ts";
import { activityColumns, teamActivityColumns } from "./filter.ts";
import { withTeamEntry } from "./team-entries.ts";

export const verb: Verb = {
  description: "one entry: its body, its attempts and their responses",
  declare: (command) =>
    command.argument("<id>", "number in the journal, or tN of the team", entryArgument),
  columns: activityColumns,
  async run(invocation, entry: EntryArgument) {
    if (entry.of === "team") return showOfTeam(invocation, entry.id);
    const { id } = entry;
    const { globals, out } = invocation;
    const detail = await withJournalToRead(invocation, async (journal) =>
      showActivity(journal, id),
    );
    if (globals.format === "table" && globals.columns === undefined)
      for (const line of linesOf(detail)) await out.line(line);
    else await printRow(invocation, activityColumns, rowOf(detail), { json: () => detail });
    return exitCode.done;
  },
  exits: [...exits.entry, 3, 6],
  examples: ["supplyline activity show 12", "supplyline activity show 12 --json"],
};

/** Prints an entry of the team. Its body and its attempts are on the machine that sent it. */
async function showOfTeam(invocation: Invocation, id: number): Promise<number> {
  const { entry, acts } = await withTeamEntry(invocation, id, async (entry, ledger) => ({
    entry,
    acts: await ledger.acts(id),
  }));
  const row = teamRow(entry);
  await printRow(invocation, teamActivityColumns, row, {
    json: () => ({ ...row, login: entry.login, acts: acts.map(actJson) }),
  });
  for (const act of acts) invocation.notice(actWords(act));
  invocation.notice(`Its body and its attempts are on ${safe(entry.machine)}.`);
  return exitCode.done;
}

function actJson({ kind, at, person, machine, login, reason }: LedgerAct) {
  return { kind, at: utcInstant(at), by: person, machine, login, reason };
}

function rowOf(detail: ActivityDetail): ActivityRow {
  return { ...detail, attempts: detail.attempts.length };
}

function linesOf(detail: ActivityDetail): string[] {
  return [
    ...factLines(detail),
    ...section(
      "Attempts",
      ["#", "Started at", "Headers sent at", "Ended at", "Outcome", "Status", "Code", "Detail"],
      detail.attempts.map((attempt) => [
        attempt.n,
        attempt.started_at,
        attempt.headers_sent_at,
        attempt.ended_at,
        attempt.outcome,
        attempt.http_status,
        attempt.code,
        attempt.detail,
      ]),
    ),
    ...section(
      "Items",
      ["#", "Outcome", "Status", ""],
      detail.items.map((item) => [item.position + 1, item.outcome, item.status, item.label]),
    ),
    ...section(
      "Remarks",
      ["At", "", ""],
      detail.remarks.map((remark) => [remark.at, remark.kind, remark.text]),
    ),
    "",
    "Body",
    ...(detail.body === null
      ? ["  no longer stored"]
      : (typeof detail.body === "string" ? safeLines(detail.body) : toJson(detail.body, 2))
          .split("\n")
          .map((line) => `  ${line}`)),
    ...responseLines(detail),
  ];
}

function factLines(detail: ActivityDetail): string[] {
  const query = new URLSearchParams(detail.query).toString();
  const row = rowOf(detail);
  const rows = [
    ...activityColumns
      .map((column) => ({ ...column, cell: cellOf(row, column) }))
      .filter(({ name, cell }) => name !== "attempts" && cell !== null)
      .map(({ title, cell }) => [title, shown(cell)]),
    ["Request", `POST ${detail.base_url}${detail.path}${query === "" ? "" : `?${query}`}`],
    ["Ended at", shown(detail.ended_at)],
    ["Reason", shown(detail.reason)],
    [
      "Might have taken effect",
      detail.outcome === "confirmed" || detail.doubt === "none" || isDecided(detail) ? "-" : "yes",
    ],
    ...(detail.parent === null ? [] : [["Verifies entry", String(detail.parent)]]),
    ["SHA-256", detail.sha256],
    ...(detail.damaged === undefined
      ? []
      : [["Damaged", `${detail.damaged.join(", ")}: changed since it was written to the journal`]]),
  ];
  return textTable([{ title: "" }, { title: "" }], rows).slice(1);
}

function isDecided({ took_effect: tookEffect }: ActivityDetail): boolean {
  return tookEffect === "yes" || tookEffect === "no";
}

function section(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string[] {
  if (rows.length === 0) return [];
  const lines = textTable(
    columns.map((name) => ({ title: name })),
    rows.map((row) => row.map(shown)),
  );
  return ["", title, ...lines.map((line) => `  ${line}`)];
}

function responseLines({ attempts }: ActivityDetail): string[] {
  return attempts.flatMap(({ n, response }) =>
    response === null || response === ""
      ? []
      : [
          "",
          safe(`Response to attempt ${n}`),
          ...safeLines(response)
            .split("\n")
            .map((line) => `  ${line}`),
        ],
  );
}
