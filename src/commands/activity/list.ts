import { formatInstant } from "../../text/dates.ts";
import { type ActivityFilter, type ActivityRow, listActivity } from "../../writes/activity.ts";
import { causesOfEntries } from "../../writes/failed-entries.ts";
import { addByCause, causeColumns, printCauses } from "../causes.ts";
import { usageError } from "../command-error.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { type Column, cellOf } from "../rows/columns.ts";
import { printRows } from "../rows/print.ts";
import { hasTeam } from "../team/read-team.ts";
import { exits, type Verb } from "../verb.ts";
import { withJournalToRead } from "../with-journal.ts";
import {
  type ActivityOptions,
  activityColumns,
  activityFilter,
  addActivityFilters,
  folderWords,
  noMatchWords,
  teamActivityColumns,
} from "./filter.ts";
import { listTeam, type TeamListOptions } from "./team-entries.ts";

export const verb: Verb = {
  description: "the entries of the service in the journal, newest first",
  declare: (command) =>
    addByCause(addActivityFilters(command))
      .option("--mine", "with a team: only entries of this machine")
      .option("--by-person <name>", "with a team: only entries of this person or login")
      .option("--machine <name>", "with a team: only entries of this machine's name"),
  columns: activityColumns,
  columnsWith: ({ by }) => (by === "cause" ? causeColumns : activityColumns),
  async run(invocation, options: ListOptions) {
    const filter = activityFilter(options, invocation);
    if (options.by === "cause") return listCauses(invocation, filter);
    if (hasTeam(invocation)) {
      const rows = await listTeam(invocation, filter, options);
      return printEntries(invocation, filter, teamActivityColumns, rows);
    }
    refuseTeamOptions(options);
    const rows = await withJournalToRead(invocation, async (journal) =>
      listActivity(journal, filter),
    );
    await printEntries(invocation, filter, activityColumns, rows);
    hintAtRuns(invocation, rows);
    return exitCode.done;
  },
  exits: exits.local,
  examples: [
    "supplyline activity list --outcome unknown --outcome retryable",
    "supplyline activity list --since yesterday --until yesterday",
    "supplyline activity list --supplier ACME --account EXT-0000001 --json",
    "supplyline activity list --of-profile night-shift",
    "supplyline activity list --by cause --since 8h",
  ],
};

interface ListOptions extends ActivityOptions, TeamListOptions {
  readonly by?: "cause";
}

/** Throws `usage` for an option that needs a team. `--mine` without one is every entry. */
function refuseTeamOptions({ byPerson, machine }: TeamListOptions): void {
  if (byPerson === undefined && machine === undefined) return;
  throw usageError("--by-person and --machine need a profile with a team");
}

/** Prints entries without empty columns, which would reduce the width of the others. */
async function printEntries<Row extends object>(
  invocation: Invocation,
  filter: ActivityFilter,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Promise<number> {
  if (rows.length === 0) invocation.notice(noMatchWords(invocation, filter));
  const brief = columns.filter((column) => rows.some((row) => cellOf(row, column) !== null));
  await printRows(invocation, columns, rows, { brief });
  return exitCode.done;
}

function hintAtRuns({ globals, notice }: Invocation, rows: readonly ActivityRow[]): void {
  const runs = new Set(rows.flatMap(({ run }) => run ?? []));
  if (globals.format !== "table" || runs.size === 0) return;
  const [run = ""] = runs.size === 1 ? runs : ["RUN"];
  notice(
    `To see ${runs.size === 1 ? "the run" : "a run"} in the console: supplyline open --run ${run}`,
  );
}

/** Prints the causes of failures. `--limit` limits the printed causes, not the counted failures. */
async function listCauses(
  invocation: Invocation,
  { limit, ...filter }: ActivityFilter,
): Promise<number> {
  const { signal } = invocation.io;
  const causes = await withJournalToRead(invocation, (journal) =>
    causesOfEntries(journal, filter, { signal }),
  );
  await printCauses(invocation, causes.slice(0, limit), noneWords(invocation, filter));
  return exitCode.done;
}

/**
 * Returns the notice for no causes, such as `No failed entries in /state since 2026-11-20 19:04
 * UTC.`
 */
function noneWords(invocation: Invocation, { since, before }: ActivityFilter): string {
  const format = (ms: number) => formatInstant(ms, { utc: true, seconds: false });
  const from = since === undefined ? "" : ` since ${format(since)} UTC`;
  const to = before === undefined ? "" : ` until ${format(before)} UTC`;
  return `No failed entries${folderWords(invocation)}${from}${to}.`;
}
