/** Reads account numbers from an operator's JSON array or JSON lines. */
import { isUtf8 } from "node:buffer";
import type { Sliced } from "../../accounts/slices.ts";
import { AppError } from "../../errors/app-error.ts";
import { isRecord } from "../../json/exact.ts";
import { repeatedField } from "../../json/scan.ts";
import { elementRanges } from "../../rows/json-array.ts";
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
  const array = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const { from, to } of elementRanges(array, name)) {
    position += 1;
    rows.takeText(position, array.toString("utf8", from, to));
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
