/** Reads the header and the rows of a CSV input. */
import { plural } from "../../text/numbers.ts";
import { type Planned, type RowReader, stopping, type TextRecord } from "../planned.ts";
import type { ReadingOptions } from "../run-settings.ts";
import { rowOf } from "./csv-plan.ts";
import { type Header, headerOf } from "./header.ts";
import type { InputRow, Planner } from "./planner.ts";
import { cellsOf } from "./record-text.ts";

/** Reads the records of a CSV input: first the header, then the rows. */
export class CsvReader implements RowReader {
  stop: Planned | null = null;
  hasRows = false;
  readonly #planner: Planner;
  readonly #options: ReadingOptions;
  readonly #separator: string;
  #header: Extract<Header, { kind: "columns" }> | null = null;

  constructor(planner: Planner, options: ReadingOptions, separator: number) {
    this.#planner = planner;
    this.#options = options;
    this.#separator = String.fromCharCode(separator);
  }

  cellName(cell: number): string | null {
    return this.#header?.cellName(cell) ?? null;
  }

  record({ line, text }: TextRecord): readonly Planned[] {
    const cells = cellsOf(text, this.#separator);
    const header = this.#header;
    if (header === null) return this.#begin(line, cells);
    this.hasRows = true;
    if (cells.every((cell) => cell === "")) {
      const message = "This row is empty; it is skipped.";
      return this.#planner.warning({ line, column: null, message });
    }
    if (cells.length !== header.width) {
      const message = `This row has ${plural(cells.length, "cell")}, the header ${header.width}.`;
      return this.#planner.problem({ line, column: null, message });
    }
    const issues: InputRow["issues"][number][] = [];
    const warnings: InputRow["issues"][number][] = [];
    const row = rowOf(header.plan, cells, this.#options.typedAt, ({ name, severity, message }) => {
      (severity === "error" ? issues : warnings).push({ field: name, message });
    });
    return this.#planner.row({ line, row, issues, warnings });
  }

  #begin(line: number, cells: readonly string[]): readonly Planned[] {
    const header = headerOf(this.#planner.shape, cells, this.#options.allowMissing);
    if (header.kind === "none") {
      this.stop = stopping(line, header.message);
      return [];
    }
    this.#header = header;
    this.#planner.naming = header;
    return header.problems.map(
      (one): Planned => ({ kind: "problem", problem: { line, ...one }, ofInput: true }),
    );
  }
}
