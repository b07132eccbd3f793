/** The types that describe a list screen: its rows, state, blocks, tabs and keys. */
import type { ReactNode } from "react";
import type { Actions } from "../../keys/scopes.ts";
import type { RowValues } from "../../settings/custom/values.ts";
import type { WaitWords } from "../paragraph.tsx";
import type { ProblemLine } from "../problem.tsx";
import type { Tab } from "../tabs.tsx";
import type { TableRow } from "./data-table.tsx";
import type { FootPart } from "./list-foot.tsx";
import type { RowFile, RowNoun } from "./row-files.ts";
import type { List } from "./use-list.ts";

/** The state of the rows of a list. */
export type ListState =
  | { readonly kind: "ready" }
  /** No row is loaded yet. */
  | ({ readonly kind: "reading" } & WaitWords)
  /** Rows are shown together with a problem, such as an incomplete load. */
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
  readonly shown: (row: Row) => ReactNode;
}

/** The tabs of a list, and the reaction to choosing another one. */
export interface ListTabs {
  readonly tabs: readonly Tab<string>[];
  readonly current: string;
  readonly to: (id: string) => void;
}

/** Describes a list screen: its rows, its texts, and the keys in addition to those of every list. */
export interface ListSpec<Row> {
  readonly list: List<Row>;
  /** The state of the rows. Default: ready. */
  readonly state?: ListState;
  /**
   * The text of an empty list. The first sentence reports that the list is empty, the others
   * suggest the next step.
   */
  readonly empty: readonly string[];
  readonly noun: RowNoun;
  readonly file: RowFile<Row>;
  /** The name under which lists share their earlier filters. Default: the stem of the file. */
  readonly history?: string;
  readonly tabs?: ListTabs;
  readonly above?: Block;
  /** The block below the table about the row under the cursor, if no preview is beside the table. */
  readonly below?: RowBlock<Row>;
  /** True to show the block below the table also if a preview is beside them. Default: false. */
  readonly isBelowBeside?: boolean;
  /**
   * Returns the preview of the row on which the cursor rests, shown beside the table if there is
   * room. Default: all cells of the row.
   */
  readonly preview?: (row: Row, isBelow: boolean) => ReactNode;
  /**
   * The number of lines of the preview below the table. It is there if there is no room beside the
   * table and the screen is high enough. Default: the preview is never below.
   */
  readonly rowsBelow?: number;
  /** The parts of the last line after the position. */
  readonly status?: readonly FootPart[];
  /** Returns the values of a row for the user's commands. */
  readonly valuesOf?: (row: Row) => RowValues;
  /** Opens the row under the cursor. */
  readonly enter?: (row: Row) => NonNullable<Actions["open"]>;
  /** The keys of the screen, in addition to the keys of every list. */
  readonly actions?: Actions;
  /** Called when a filter is about to be typed. */
  readonly expectFilter?: () => void;
  /** Returns the change of a row since the last load. */
  readonly changeOf?: (row: Row) => TableRow<Row>["changed"];
  /** True if the first rows stay visible while the cursor is among them. */
  readonly fromTop?: true;
}
