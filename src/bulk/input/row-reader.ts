import type { Planned } from "../planned.ts";

/** A record as the cutter gave it, its text read. */
export interface TextRecord {
  readonly line: number;
  readonly text: string;
}

/** Reads the records of one layout. */
export interface RowReader {
  record(record: TextRecord): readonly Planned[];
  /** The name of a CSV cell, for an issue that the cutter found. */
  cellName(cell: number): string | null;
  /** What is wrong with the input as it begins, so that there is no reading on; null while it can be read. */
  readonly stop: Planned | null;
  /** Whether any row came. */
  readonly hasRows: boolean;
}

/** A problem that ends the reading. */
export function stopping(line: number, message: string): Planned {
  return { kind: "problem", problem: { line, column: null, message } };
}
