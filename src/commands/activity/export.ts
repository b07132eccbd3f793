import { exportActivity } from "../../writes/activity.ts";
import { writePagesTo, writerFor } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { withJournalToRead } from "../with-journal.ts";
import {
  type ActivityOptions,
  activityColumns,
  activityFilter,
  addActivityFilters,
} from "./filter.ts";

export const verb: Verb = {
  description: "like list, without a limit: as JSON lines, or in the format of --format",
  declare: (command) =>
    addActivityFilters(
      command.option("--output <file>", "a new file to write to, instead of stdout"),
    ),
  columns: activityColumns,
  /** Writes all matching entries, as JSON lines instead of a table. */
  async run(invocation, options: ExportOptions) {
    const { globals } = invocation;
    const { output } = options;
    const filter = activityFilter(options, invocation);
    const format = globals.format === "table" ? "jsonl" : globals.format;
    await withJournalToRead(invocation, async (journal) => {
      const writer = writerFor(invocation, activityColumns, { format });
      const pages = exportActivity(journal, filter);
      await writePagesTo(invocation, writer, pages, { output, noun: ["entry", "entries"] });
    });
  },
  exits: exits.local,
  examples: [
    "supplyline activity export --since 24h --format csv --output activity.csv",
    "supplyline activity export --run r7k2qd | wc -l",
  ],
};

interface ExportOptions extends ActivityOptions {
  /** The path of a new file. Default: stdout. */
  readonly output?: string;
}
