import type { Target } from "../writes/kinds/kind.ts";
import type { WriteRequest } from "../writes/prepare.ts";

/** One request for rows of an input. Several rows of one account can share one. */
export interface PlannedRequest {
  /** The lines on which its items begin, in the order of the items, counted from 1. */
  readonly lines: readonly number[];
  readonly target: Target;
  /** The checked write. Its bytes are made once. */
  readonly write: WriteRequest;
}

/** The reason why a row cannot be sent, or a warning about the row. The message names no file. */
export interface RowIssue {
  readonly line: number;
  /** The CSV column or the dotted field of the issue, or null for the row as a whole. */
  readonly column: string | null;
  readonly message: string;
}

/** One result of reading an input. Results are in the order of the rows. */
export type Planned =
  | { readonly kind: "request"; readonly request: PlannedRequest }
  /** This row cannot be sent. Reading continues, so that all problems are reported at once. */
  | {
      readonly kind: "problem";
      readonly problem: RowIssue;
      /** The account or supply point that the row names; untrusted. */
      readonly account?: string | undefined;
      /** True if it concerns the input, or its header, and not a row. */
      readonly ofInput?: true;
    }
  | { readonly kind: "warning"; readonly warning: RowIssue };

/** The text of a record. */
export interface TextRecord {
  readonly line: number;
  readonly text: string;
}

/** Reads the records of one layout. */
export interface RowReader {
  record(record: TextRecord): readonly Planned[];
  /** The name of a CSV cell, for an issue that the cutter found. */
  cellName(cell: number): string | null;
  /** The problem at the start of the input that ends the reading, or null if it can be read. */
  readonly stop: Planned | null;
  /** True if there was any row. */
  readonly hasRows: boolean;
}

/** A problem that ends the reading. */
export function stopping(line: number, message: string): Planned {
  return { kind: "problem", problem: { line, column: null, message }, ofInput: true };
}
