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

export type ListState =
  | { readonly kind: "ready" }
  | ({ readonly kind: "reading" } & WaitWords)
  | { readonly kind: "partial"; readonly lines: readonly ProblemLine[] }
  | { readonly kind: "failed"; readonly why: ReactNode };

export interface Block {
  readonly rows: number;
  readonly shown: ReactNode;
}

export interface RowBlock<Row> {
  readonly rows: number;
  readonly shown: (row: Row) => ReactNode;
}

export interface ListTabs {
  readonly tabs: readonly Tab<string>[];
  readonly current: string;
  readonly to: (id: string) => void;
}

export interface ListSpec<Row> {
  readonly list: List<Row>;
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
  readonly below?: RowBlock<Row>;
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
  readonly status?: readonly FootPart[];
  readonly valuesOf?: (row: Row) => RowValues;
  readonly enter?: (row: Row) => NonNullable<Actions["open"]>;
  readonly actions?: Actions;
  readonly expectFilter?: () => void;
  readonly changeOf?: (row: Row) => TableRow<Row>["changed"];
  readonly fromTop?: true;
}
