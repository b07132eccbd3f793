import { places } from "../../settings/places.ts";
import { formatInstant } from "../../text/dates.ts";
import { type ActivityFilter, type ActivityRow, listActivity } from "../../writes/activity.ts";
import { causesOfEntries } from "../../writes/failed-entries.ts";
import { addByCause, causeColumns, printCauses } from "../causes.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { cellOf } from "../rows/columns.ts";
import { printRows } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { activityColumns } from "./columns.ts";
import { type ActivityOptions, activityFilter, addActivityFilters } from "./filter.ts";
import { withJournalToRead } from "./with-journal.ts";

export const verb: Verb = {
  description: "the entries of the service in the journal, newest first",
  examples: [
    "supplyline activity list --outcome unknown --outcome retryable",
    "supplyline activity list --since yesterday --until yesterday",
    "supplyline activity list --supplier ACME --account EXT-0000001 --json",
    "supplyline activity list --of-profile night-shift",
    "supplyline activity list --by cause --since 8h",
  ],
  exits: exits.local,
  columns: activityColumns,
  columnsWith: ({ by }) => (by === "cause" ? causeColumns : activityColumns),
  declare: (command) => addByCause(addActivityFilters(command)),
  /** Prints the entries that match, newest first, or their causes. */
  async run(invocation, options: ListOptions) {
    const filter = await activityFilter(options, invocation);
    if (options.by === "cause") return listCauses(invocation, filter);
    const rows = await withJournalToRead(invocation, async (journal) =>
      listActivity(journal, filter),
    );
    if (rows.length === 0) invocation.notice(noMatchWords(invocation, filter));
    // A column without any cell would take width from the others.
    const brief = activityColumns.filter((column) =>
      rows.some((row) => cellOf(row, column) !== null),
    );
    await printRows(invocation, activityColumns, rows, { brief });
    hintAtRuns(invocation, rows);
    return exitCode.done;
  },
};

/**
 * Names the service and the state folder that were searched. Entries of another service are listed
 * with its profile, and those of another folder with that folder.
 */
function noMatchWords(invocation: Invocation, { baseUrl }: ActivityFilter): string {
  const ofService = baseUrl === undefined ? "" : ` of ${baseUrl}`;
  return `No matching entries${ofService}${searched(invocation)}.`;
}

/** Names the folder of the journal, or nothing for a journal in memory. */
function searched({ globals, io }: Invocation): string {
  return globals.sandbox ? "" : ` in ${places(io.env, io.home).stateDir}`;
}

interface ListOptions extends ActivityOptions {
  readonly by?: "cause";
}

/** Prints below a table how to open the run of an entry. */
function hintAtRuns({ globals, notice }: Invocation, rows: readonly ActivityRow[]): void {
  const runs = new Set(rows.flatMap(({ run }) => run ?? []));
  if (globals.format !== "table" || runs.size === 0) return;
  const [run = ""] = runs.size === 1 ? runs : ["RUN"];
  notice(
    `To see ${runs.size === 1 ? "the run" : "a run"} in the console: supplyline open --run ${run}`,
  );
}

/**
 * Prints causes. `--limit` is the maximum number of printed causes, and every failure is counted.
 */
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
 * Returns the line in place of causes: `No failed entries in /state since 2026-11-20 19:04 UTC.`
 */
function noneWords(invocation: Invocation, { since, before }: ActivityFilter): string {
  const at = (ms: number) => formatInstant(ms, { utc: true, seconds: false });
  const from = since === undefined ? "" : ` since ${at(since)} UTC`;
  const to = before === undefined ? "" : ` until ${at(before)} UTC`;
  return `No failed entries${searched(invocation)}${from}${to}.`;
}
