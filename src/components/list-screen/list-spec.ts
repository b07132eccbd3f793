import type { ReactNode } from "react";
import type { Actions } from "../../keys/scopes.ts";
import type { RowValues } from "../../settings/custom/values.ts";
import type { ProblemLine } from "../problem.tsx";
import type { Tab } from "../tabs.tsx";
import type { WaitWords } from "../waiting.tsx";
import type { TableRow } from "./data-table.tsx";
import type { FootPart } from "./list-foot.tsx";
import type { RowFile, RowNoun } from "./row-files.ts";
import type { List } from "./use-list.ts";

/** The state of the rows of a list. */
export type ListState =
  | { readonly kind: "ready" }
  /** No row is there yet. */
  | ({ readonly kind: "reading" } & WaitWords)
  /** Rows are there, and something about them must be known. */
  | { readonly kind: "partial"; readonly lines: readonly ProblemLine[] }
  | { readonly kind: "failed"; readonly why: ReactNode };

/** Lines of a screen. `rows` is their number. */
export interface Block {
  readonly rows: number;
  readonly shown: ReactNode;
}

/** Lines about a row. `rows` is their number. */
export interface RowBlock<Row> {
  readonly rows: number;
  /** True for a block of the row on which the cursor rests, which the key of a preview folds. */
  readonly folds?: true;
  readonly shown: (row: Row) => ReactNode;
}

/** The tabs of a list, and the reaction to choosing another one. */
export interface ListTabs {
  readonly tabs: readonly Tab<string>[];
  readonly current: string;
  readonly to: (id: string) => void;
}

/** The rows of a list and its keys. The functions of every list are included. */
export interface ListSpec<Row> {
  readonly list: List<Row>;
  /** Default: ready. */
  readonly state?: ListState;
  /**
   * The text of an empty list. The first sentence says that it is empty, the others suggest what to
   * do.
   */
  readonly empty: readonly string[];
  readonly noun: RowNoun;
  readonly file: RowFile;
  /** The name under which lists share their earlier filters. Default: the name of the file. */
  readonly history?: string;
  readonly tabs?: ListTabs;
  readonly above?: Block;
  /** The row under the cursor in full, if there is no preview. */
  readonly below?: RowBlock<Row>;
  /**
   * The preview of the row under the cursor, beside the table if there is room, when the cursor
   * rests. Default: all of its cells.
   */
  readonly preview?: (row: Row) => ReactNode;
  /** Parts after the position. */
  readonly status?: readonly FootPart[];
  /** The values of a row for the user's commands. */
  readonly valuesOf?: (row: Row) => RowValues;
  /** Opens the row under the cursor. */
  readonly enter?: (row: Row) => NonNullable<Actions["open"]>;
  /** The keys of the screen beside those of every list. */
  readonly actions?: Actions;
  /** Called when a filter is about to be typed. */
  readonly expectFilter?: () => void;
  /** Signs at a row that has changed since the last load. */
  readonly changeOf?: (row: Row) => TableRow<Row>["changed"];
  /** The first rows stay in sight as long as the cursor is among them. */
  readonly fromTop?: true;
}
