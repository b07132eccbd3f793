import { toJson } from "../../json/print.ts";
import { listActivity } from "../../writes/activity.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { printEntries } from "../present.ts";
import { exits, type Verb } from "../verb.ts";
import { type ActivityOptions, activityFilter, addActivityFilters } from "./filter.ts";
import { rowEntry, rowFields } from "./row-entry.ts";
import { withJournalToRead } from "./with-journal.ts";

/** `activity list` */
export const verb: Verb = {
  examples: [
    "supplyline activity list --outcome unknown --outcome retryable",
    "supplyline activity list --since yesterday --until yesterday",
    "supplyline activity list --supplier ACME --account EXT-0000001 --json",
  ],
  exits: exits.local,
  declare: (command) =>
    addActivityFilters(command.description("the entries of the journal, newest first")),
  run: listWrites,
};

/** Prints the writes that match, newest first. */
async function listWrites(invocation: Invocation, options: ActivityOptions): Promise<number> {
  const { globals, out } = invocation;
  const filter = activityFilter(options, invocation);
  const rows = await withJournalToRead(invocation, async (journal) =>
    listActivity(journal, filter),
  );
  switch (globals.format) {
    case "json":
      await out.line(toJson(rows, 2));
      break;
    case "jsonl":
      for (const row of rows) await out.line(toJson(row));
      break;
    case "csv":
      await printEntries(invocation, rowFields, rows.map(rowEntry));
      break;
    case "table": {
      // A column that is empty from top to bottom only takes room from the others.
      const entries = rows.map(rowEntry);
      const fields = rowFields.filter(
        ({ name }) => entries.length === 0 || entries.some((entry) => entry[name] !== null),
      );
      if (rows.length === 0) invocation.notice("The journal holds no such write.");
      else await printEntries(invocation, fields, entries);
    }
  }
  return exitCode.done;
}
