/** Defines the requests and issues that reading an input results in. */
import type { Target } from "../writes/kinds/kind.ts";
import type { WriteRequest } from "../writes/prepare.ts";

/** One request for one or several rows of an input. */
export interface PlannedRequest {
  /** The line of each item, from 1, in the order of the items. */
  readonly lines: readonly number[];
  readonly target: Target;
  /** The checked write. Its bytes are created only once. */
  readonly write: WriteRequest;
}

/** An error or a warning about a row. The message does not name the file. */
export interface RowIssue {
  readonly line: number;
  /** The CSV column or the dotted field of the issue, or null for the row as a whole. */
  readonly column: string | null;
  readonly message: string;
}

/** One result of reading an input. Results are in the order of the rows. */
export type Planned =
  | { readonly kind: "request"; readonly request: PlannedRequest }
  /** The row cannot be sent. Reading continues, so that one reading reports all problems. */
  | {
      readonly kind: "problem";
      readonly problem: RowIssue;
      /** The account or supply point of the row (untrusted). */
      readonly account?: string | undefined;
      /** True if the problem is about the input or its header, and not about a row. */
      readonly ofInput?: true;
    }
  | { readonly kind: "warning"; readonly warning: RowIssue };

/** The text of a record. */
export interface TextRecord {
  readonly line: number;
  readonly text: string;
}

/** Reads the records of one layout, CSV or JSON lines. */
export interface RowReader {
  record(record: TextRecord): readonly Planned[];
  /** Returns the column name of a CSV cell by its index, or null if it has none. */
  cellName(cell: number): string | null;
  /** The problem at the start of the input that ends the reading, or null if it can be read. */
  readonly stop: Planned | null;
  /** True if the input has a row so far. */
  readonly hasRows: boolean;
}

/** Returns a problem that ends the reading. */
export function stopping(line: number, message: string): Planned {
  return { kind: "problem", problem: { line, column: null, message }, ofInput: true };
}
