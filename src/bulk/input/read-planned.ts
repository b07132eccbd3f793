/** Reads the bytes of a bulk input as requests and issues. */

import { RecordCutter } from "../../rows/record-cutter.ts";
import { lineNotUtf8, type RawRecord, textOf } from "../../rows/record-text.ts";
import type { ReadingOptions } from "../run-settings.ts";
import { CsvReader } from "./csv-reader.ts";
import { JsonlReader } from "./jsonl-reader.ts";
import { finalError, type Planned, type PlannedRequest, Planner } from "./planner.ts";

/**
 * Reads an input as requests and issues, in the order of its rows. At most one record and the
 * rows of one request are in memory. Reading continues after an issue, unless the issue is about
 * the whole input. Throws if the input cannot be read.
 */
export async function* readPlanned(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadingOptions,
): AsyncGenerator<Planned> {
  const cutter = new RecordCutter(options.format);
  const planner = new Planner(options);
  const reading = new InputReading(cutter, planner, options);
  for await (const records of cutter.cut(bytes))
    for (const record of records) {
      for (const planned of reading.record(record)) yield planned;
      if (reading.isOver) return;
    }
  for (const planned of planner.end()) yield planned;
  if (reading.hasRows) return;
  yield finalError(
    1,
    reading.hasRecords ? noRowsWordsOf[cutter.layout?.kind ?? "csv"] : emptyWords,
  );
}

export async function* readRequests(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadingOptions,
): AsyncGenerator<PlannedRequest> {
  // The check has already reported the issues. The caller compares the hash of the input, so a
  // change after the check is detected.
  for await (const planned of readPlanned(bytes, options))
    if (planned.kind === "request") yield planned.request;
}

const emptyWords = "The input is empty.";
export const noRowsWords = "There is a header, but no row.";
const noRowsWordsOf = {
  csv: noRowsWords,
  jsonl: "There is no row.",
  unreadable: "",
} as const;

class InputReading {
  isOver = false;
  hasRecords = false;
  readonly #cutter: RecordCutter;
  readonly #planner: Planner;
  readonly #options: ReadingOptions;
  #reader: CsvReader | JsonlReader | null = null;
  #hasUnreadable = false;

  constructor(cutter: RecordCutter, planner: Planner, options: ReadingOptions) {
    this.#cutter = cutter;
    this.#planner = planner;
    this.#options = options;
  }

  /** True if the input has a row, readable or not. A CSV header is not a row. */
  get hasRows(): boolean {
    return this.#hasUnreadable || this.#reader?.hasRows === true;
  }

  record(raw: RawRecord): readonly Planned[] {
    const { line, issue } = raw;
    const isFirst = !this.hasRecords;
    this.hasRecords = true;
    const layout = this.#cutter.layout;
    if (layout === null || layout.kind === "unreadable") {
      return this.#stop(line, layout?.message ?? "");
    }
    this.#reader ??=
      layout.kind === "csv"
        ? new CsvReader(this.#planner, this.#options, layout.separator)
        : new JsonlReader(this.#planner);
    const reader = this.#reader;
    const text = issue === null ? textOf(raw) : "";
    const message =
      issue?.message ?? (text === null ? notUtf8(raw) : text.includes("\0") ? nulWords : null);
    if (message !== null) {
      // The cells of a CSV file have no meaning without the header.
      if (isFirst && layout.kind === "csv") return this.#stop(line, message);
      this.#hasUnreadable = true;
      const cell = issue?.cell ?? null;
      const column = cell === null || !(reader instanceof CsvReader) ? null : reader.cellName(cell);
      return this.#planner.issue({ severity: "error", line, column, message });
    }
    const planned = reader.record(line, text ?? "");
    if (reader.stop === null) return planned;
    this.isOver = true;
    return [...planned, reader.stop];
  }

  #stop(line: number, message: string): readonly Planned[] {
    this.isOver = true;
    return [finalError(line, message)];
  }
}

const nulWords = "This row contains a NUL character, as UTF-16 files do. Save the file as UTF-8.";

function notUtf8(raw: RawRecord): string {
  const line = lineNotUtf8(raw);
  const subject = line === raw.line ? "This" : `Line ${line}`;
  return `${subject} is not UTF-8. Save the file as UTF-8.`;
}
