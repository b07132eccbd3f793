import { toJson } from "../json/print.ts";
import { csvRow } from "../text/csv.ts";
import { textTable } from "../text/table.ts";
import type { Invocation } from "./invocation.ts";

/** What a cell may hold: as JSON it goes out unchanged. */
export type Value = string | number | boolean | null | readonly string[];

/** One field of a result: its name for scripts, its title for people. */
export interface Field<K extends string = string> {
  readonly name: K;
  readonly title: string;
  /** Parts behind commas, of which none is ever cut. */
  readonly parts?: boolean;
}

export type Entry<K extends string> = Readonly<Record<K, Value>>;

/** Prints several results that are all at hand: a JSON array, lines of JSON, CSV, or a table. */
export async function printEntries<K extends string>(
  { out, globals, io }: Invocation,
  fields: readonly Field<K>[],
  entries: readonly Entry<K>[],
): Promise<void> {
  switch (globals.format) {
    case "json":
      return out.line(toJson(entries, 2));
    case "jsonl":
      for (const entry of entries) await out.line(toJson(entry));
      return;
    case "csv":
      await out.line(csvRow(fields.map((field) => field.name)));
      for (const entry of entries)
        await out.line(csvRow(fields.map((field) => csvValue(entry[field.name]))));
      return;
    case "table": {
      const rows = entries.map((entry) => fields.map((field) => shown(entry[field.name])));
      const maxWidth = io.stdout.isTTY ? io.stdout.columns : undefined;
      for (const line of textTable(fields, rows, { maxWidth, ascii: globals.ascii }))
        await out.line(line);
    }
  }
}

/** Prints one result: a JSON object, one line of JSON, a CSV row, or a line for each field. */
export async function printEntry<K extends string>(
  invocation: Invocation,
  fields: readonly Field<K>[],
  entry: Entry<K>,
): Promise<void> {
  const { out, globals } = invocation;
  if (globals.format === "json") return out.line(toJson(entry, 2));
  if (globals.format !== "table") return printEntries(invocation, fields, [entry]);
  const columns = [{ title: "" }, { title: "" }];
  const rows = fields.map((field) => [field.title, shown(entry[field.name])]);
  for (const line of textTable(columns, rows).slice(1)) await out.line(line);
}

/** The fields with a line below the status that says what it means. */
export function withMeaning<K extends string>(
  fields: readonly Field<K>[],
): readonly Field<K | "meaning">[] {
  return fields.flatMap((field): Field<K | "meaning">[] =>
    field.name === "status" ? [field, { name: "meaning", title: "" }] : [field],
  );
}

/** A value for people; what is not there is a dash. */
export function shown(value: Value): string {
  if (value === null || value === "") return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return isList(value) ? value.join(", ") || "-" : String(value);
}

function csvValue(value: Value): string | number | null {
  if (typeof value === "boolean") return String(value);
  return isList(value) ? value.join(" ") : value;
}

function isList(value: Value): value is readonly string[] {
  return Array.isArray(value);
}
