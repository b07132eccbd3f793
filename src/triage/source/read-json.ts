/** Reads account numbers from an operator's JSON array or JSON lines. */
import { isUtf8 } from "node:buffer";
import { utf8 } from "../../accounts/columns.ts";
import { Expect, JsonScanner } from "../../accounts/ingest/json-scanner.ts";
import type { Sliced } from "../../accounts/slices.ts";
import { AppError } from "../../errors/app-error.ts";
import { isRecord, nestingLimit } from "../../json/exact.ts";
import { jsonErrorAt, repeatedField } from "../../json/scan.ts";
import { RecordCutter } from "../../rows/record-cutter.ts";
import { textOf } from "../../rows/record-text.ts";
import { type Source, SourceBuilder, supplierColumn } from "./source.ts";

interface JsonOptions {
  readonly name: string;
  readonly column: string;
  /** The supplier whose rows are read, or null to read the rows of all suppliers. */
  readonly supplier: string | null;
}

/**
 * Reads the rows of a JSON array: strings, or objects with the column. Throws a source error if the
 * array is not complete.
 */
export function* readJson(bytes: Uint8Array, options: JsonOptions): Sliced<Source> {
  const { name } = options;
  if (!isUtf8(bytes))
    throw new AppError("source", "usage", `${name} is not UTF-8 text`, {
      remedy: "Save it as UTF-8.",
    });
  const rows = new JsonRows(bytes.length, options);
  let position = 0;
  for (const element of elementsOf(bytes, name)) {
    position += 1;
    rows.takeText(position, element);
    if (position % 4096 === 0) yield;
  }
  return rows.finish("json");
}

export function* readJsonLines(bytes: Uint8Array, options: JsonOptions): Sliced<Source> {
  const rows = new JsonRows(bytes.length, options);
  const cutter = new RecordCutter("jsonl");
  cutter.append(bytes);
  cutter.finish();
  for (let record = cutter.take(); record !== null; record = cutter.take()) {
    const text = textOf(record);
    rows.builder.begin(record.content);
    if (text === null) rows.builder.addIssue(record.line, { kind: "not-utf8" });
    else if (record.issue !== null)
      rows.builder.addIssue(record.line, { kind: "unreadable", message: record.issue.message });
    else if (text.trim() !== "") rows.takeText(record.line, text);
    if (rows.builder.rows % 4096 === 0) yield;
  }
  return rows.finish("jsonl");
}

class JsonRows {
  readonly builder: SourceBuilder;
  readonly #options: JsonOptions;
  #other: Readonly<Record<string, unknown>> | null = null;
  #hasColumn = false;

  constructor(maxBytes: number, options: JsonOptions) {
    this.builder = new SourceBuilder(maxBytes);
    this.#options = options;
  }

  /** Adds a row from its JSON text. Throws a source error if the row has a key twice. */
  takeText(line: number, text: string): void {
    let value: unknown;
    this.builder.begin(text);
    try {
      value = JSON.parse(text);
    } catch {
      this.builder.addIssue(line, { kind: "unreadable", message: "This row is not JSON." });
      return;
    }
    if (isRecord(value)) {
      this.#checkKeys(line, text);
      if (this.#isLeftOut(value)) return;
    }
    const number = isRecord(value) ? this.#numberIn(value) : value;
    if (typeof number === "string") this.builder.addText(line, number);
    else this.builder.addIssue(line, { kind: "no-number" });
  }

  finish(layout: "json" | "jsonl"): Source {
    const { name, column } = this.#options;
    if (!this.#hasColumn && this.#other !== null)
      throw new AppError("source", "usage", `${name} has no row with ${column}`, {
        columns: Object.keys(this.#other),
        samples: Object.values(this.#other).map(sampleOf),
      });
    return this.builder.finish(name, layout);
  }

  /** Throws a source error if the key of the number or of the supplier can be there twice. */
  #checkKeys(line: number, text: string): void {
    const { name, column } = this.#options;
    const isTwice = (key: string) => text.indexOf(key) !== text.lastIndexOf(key);
    // A key can be written with escapes, so that it is not found as a text.
    if (!isTwice(column) && !isTwice(supplierColumn) && !text.includes("\\u")) return;
    const key = repeatedField(text)?.at(-1);
    if (key === undefined) return;
    const words = `${name}, row ${line}: the key ${key} is there twice`;
    throw new AppError("source", "usage", words, { remedy: "Remove one." });
  }

  #isLeftOut(value: Readonly<Record<string, unknown>>): boolean {
    const { supplier } = this.#options;
    const named = Object.hasOwn(value, supplierColumn) ? value[supplierColumn] : null;
    if (supplier === null || typeof named !== "string") return false;
    if (named.trim() === "" || named.trim() === supplier) return false;
    this.builder.leaveOut(named.trim());
    return true;
  }

  #numberIn(value: Readonly<Record<string, unknown>>): unknown {
    const { column } = this.#options;
    if (Object.hasOwn(value, column)) this.#hasColumn = true;
    else this.#other ??= value;
    return Object.hasOwn(value, column) ? value[column] : null;
  }
}

function sampleOf(value: unknown): string {
  return typeof value === "object" ? "" : String(value);
}

/**
 * Yields the texts of the elements of an array one at a time, so that a list of a million rows does not block
 * other work.
 */
function* elementsOf(bytes: Uint8Array, name: string): Generator<string, void, void> {
  for (const { from, to } of elementRanges(bytes, name))
    yield utf8.decode(bytes.subarray(from, to));
}

/** The bytes of one element of an array, from `from` up to `to`, exclusive. */
interface ElementRange {
  readonly from: number;
  readonly to: number;
}

/** Yields the place of each element of an array. Throws a source error if the array is not complete. */
export function* elementRanges(
  bytes: Uint8Array,
  name: string,
): Generator<ElementRange, void, void> {
  const scanner = new JsonScanner(nestingLimit);
  // Scans the bracket that opens the array.
  let at = scanner.scan(bytes, 0, bytes.indexOf(0x5b) + 1, -1);
  for (;;) {
    let from = at;
    at = scanner.scan(bytes, at, bytes.length, 1);
    if (scanner.problem === null && scanner.depth === 0) return;
    while (from < at && (bytes[from] === 0x2c || (bytes[from] as number) <= 0x20)) from++;
    const isWhole = from < at && scanner.depth === 1 && scanner.state === Expect.separator;
    if (scanner.problem !== null || !isWhole) throw notJson(utf8.decode(bytes), name);
    yield { from, to: at };
  }
}

function notJson(text: string, name: string): AppError<"source"> {
  const error = jsonErrorAt(text);
  const place = error === null ? "" : `, line ${error.line}, column ${error.column}`;
  const words = `${name}${place}: this begins like a JSON array and is not JSON`;
  return new AppError("source", "usage", words);
}
