import type { Planned } from "../planned.ts";
import { CsvReader } from "./csv-reader.ts";
import { JsonlReader } from "./jsonl-reader.ts";
import { Planner } from "./planner.ts";
import { lineNotUtf8, type RawRecord, textOf } from "./raw-record.ts";
import type { ReadingOptions } from "./reading.ts";
import { RecordCutter } from "./record-cutter.ts";
import { type RowReader, stopping } from "./row-reader.ts";

/**
 * Reads an input as requests and issues, in the order of its rows, holding one record (and the rows
 * of one request) at a time. All that is wrong with it comes in one reading; only an input that is no
 * table at all ends it at once. Rejects with what the bytes reject with.
 */
export async function* readPlanned(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadingOptions,
): AsyncGenerator<Planned> {
  const cutter = new RecordCutter(options.format);
  const planner = new Planner(options);
  const reading = new Reading(cutter, planner, options);
  for await (const chunk of bytes) {
    cutter.append(chunk);
    for (let record = cutter.take(); record !== null; record = cutter.take()) {
      for (const planned of reading.record(record)) yield planned;
      if (reading.isOver) return;
    }
  }
  cutter.finish();
  for (let record = cutter.take(); record !== null; record = cutter.take()) {
    for (const planned of reading.record(record)) yield planned;
    if (reading.isOver) return;
  }
  for (const planned of planner.end()) yield planned;
  if (reading.hasRows) return;
  yield stopping(1, reading.isBegun ? noRows[cutter.layout?.kind ?? "csv"] : empty);
}

const empty = "The input is empty.";
const noRows = {
  csv: "There is a header and no row below it.",
  jsonl: "There is no row in it.",
  unreadable: "",
} as const;

class Reading {
  isOver = false;
  isBegun = false;
  readonly #cutter: RecordCutter;
  readonly #planner: Planner;
  readonly #options: ReadingOptions;
  #reader: RowReader | null = null;
  #hadFaults = false;

  constructor(cutter: RecordCutter, planner: Planner, options: ReadingOptions) {
    this.#cutter = cutter;
    this.#planner = planner;
    this.#options = options;
  }

  get hasRows(): boolean {
    return this.#hadFaults || this.#reader?.hasRows === true;
  }

  record(raw: RawRecord): readonly Planned[] {
    const { line, issue } = raw;
    const isFirst = !this.isBegun;
    this.isBegun = true;
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
      issue?.message ?? (text === null ? notUtf8(raw) : text.includes("\0") ? holdsNul : null);
    if (message !== null) {
      // Without its header there is no telling what the cells of a CSV are.
      if (isFirst && layout.kind === "csv") return this.#stop(line, message);
      this.#hadFaults = true;
      const cell = issue?.cell ?? null;
      const column = cell === null ? null : reader.cellName(cell);
      return this.#planner.problem({ line, column, message });
    }
    const planned = reader.record({ line, text: text ?? "" });
    if (reader.stop === null) return planned;
    this.isOver = true;
    return [...planned, reader.stop];
  }

  #stop(line: number, message: string): readonly Planned[] {
    this.isOver = true;
    return [stopping(line, message)];
  }
}

const holdsNul = "This row holds a NUL character; a file in UTF-16 has many: save it as UTF-8.";

function notUtf8(raw: RawRecord): string {
  const line = lineNotUtf8(raw);
  const where = line === raw.line ? "This" : `Line ${line}`;
  return `${where} is not UTF-8 text: save the file as UTF-8.`;
}
