import { toJson } from "../../json/print.ts";
import { csvRow } from "../../text/csv.ts";
import { plural } from "../../text/numbers.ts";
import { type ActivityFilter, type ActivityRow, exportActivity } from "../../writes/activity.ts";
import type { Journal } from "../../writes/journal/open-journal.ts";
import { exitCode } from "../exit-codes.ts";
import type { Format } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { writeOutput } from "../new-file.ts";
import { exits, type Verb } from "../verb.ts";
import { type ActivityOptions, activityFilter, addActivityFilters } from "./filter.ts";
import { rowEntry, rowFields } from "./row-entry.ts";
import { withJournalToRead } from "./with-journal.ts";

/** `activity export` */
export const verb: Verb = {
  examples: [
    "supplyline activity export --since 24h --format csv --output activity.csv",
    "supplyline activity export --run r7k2qd | wc -l",
  ],
  exits: exits.local,
  declare: (command) =>
    addActivityFilters(
      command
        .description("the same as list, of any length: JSON lines, or as --format says")
        .option("--output <file>", "a new file to write to, instead of stdout"),
    ),
  run: exportWrites,
};

interface ExportOptions extends ActivityOptions {
  /** A file that is not there yet; stdout without it. */
  readonly output?: string;
}

/** Writes the writes that match as JSON lines, CSV or one JSON array, however many they are. */
async function exportWrites(invocation: Invocation, options: ExportOptions): Promise<number> {
  const { globals, out, io } = invocation;
  const { output } = options;
  const filter = activityFilter(options, invocation);
  await withJournalToRead(invocation, async (journal) => {
    if (output === undefined) {
      for (const piece of pieces(journal, filter, globals.format)) await out.write(piece);
      return;
    }
    let rows = 0;
    await writeOutput("--output", output, io.signal, async (append) => {
      for (const piece of pieces(journal, filter, globals.format, () => rows++))
        await append(piece);
    });
    invocation.notice(`${plural(rows, "write")} in ${output}.`);
  });
  return exitCode.done;
}

/** As a table there would be no end to it: JSON lines are what it is by default. */
function* pieces(
  journal: Journal,
  filter: ActivityFilter,
  format: Format,
  onRow: () => void = () => {},
): Generator<string, void, void> {
  if (format === "csv") yield `${csvRow(rowFields.map(({ name }) => name))}\n`;
  if (format === "json") yield "[";
  let first = true;
  for (const row of exportActivity(journal, filter)) {
    onRow();
    yield rowText(row, format, first);
    first = false;
  }
  if (format === "json") yield first ? "]\n" : "\n]\n";
}

function rowText(row: ActivityRow, format: Format, first: boolean): string {
  switch (format) {
    case "json":
      return `${first ? "" : ","}\n  ${toJson(row)}`;
    case "csv": {
      const entry = rowEntry(row);
      return `${csvRow(rowFields.map(({ name }) => cell(entry[name])))}\n`;
    }
    default:
      return `${toJson(row)}\n`;
  }
}

function cell(value: ReturnType<typeof rowEntry>["journal_id"]): string | number | null {
  return typeof value === "string" || typeof value === "number" ? value : null;
}
