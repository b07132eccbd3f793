import { type FileHandle, open } from "node:fs/promises";
import { csvRow } from "../../text/csv.ts";
import { toJson } from "../../text/json.ts";
import { plural } from "../../text/numbers.ts";
import { type ActivityFilter, type ActivityRow, exportActivity } from "../../writes/activity.ts";
import type { Journal } from "../../writes/journal/open-journal.ts";
import { CommandError, unwritable } from "../command-error.ts";
import { exitCode } from "../exit-codes.ts";
import type { Format } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import type { ActivityOptions } from "./filter-options.ts";
import { activityFilter } from "./journal-filter.ts";
import { rowEntry, rowFields } from "./row-entry.ts";
import { withJournal } from "./with-journal.ts";

export interface ExportOptions extends ActivityOptions {
  /** A file that is not there yet; stdout without it. */
  readonly output?: string;
}

/** Writes the writes that match as JSON lines, CSV or one JSON array, however many they are. */
export async function exportWrites(
  invocation: Invocation,
  options: ExportOptions,
): Promise<number> {
  const { globals, out, io } = invocation;
  const { output } = options;
  const filter = activityFilter(options, invocation);
  await withJournal(invocation, async (journal) => {
    if (output === undefined) {
      for (const piece of pieces(journal, filter, globals.format)) await out.write(piece);
      return;
    }
    const file = await newFile(output);
    let rows = 0;
    try {
      for (const piece of pieces(journal, filter, globals.format, () => rows++)) {
        io.signal.throwIfAborted();
        await file.appendFile(piece);
      }
    } catch (error) {
      io.signal.throwIfAborted();
      throw error instanceof Error && "syscall" in error ? unwritable(error) : error;
    } finally {
      await file.close();
    }
    invocation.notice(`${plural(rows, "write")} in ${output}.`);
  });
  return exitCode.done;
}

/** What was sent for whom is personal data: the file is the user's alone. */
async function newFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", 0o600);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    const why =
      code === "EEXIST"
        ? "it is there already, and nothing is overwritten"
        : `it cannot be made (${code})`;
    throw new CommandError("usage", `--output ${path}: ${why}`);
  }
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
