/** Defines the columns of `reconcile`, and creates the cells of its rows. */

import type { ReconciledRow, RowError } from "../../triage/reconcile/reconciled.ts";
import { rowCell } from "../../triage/reconcile/row-text.ts";
import { issueWords } from "../../triage/source/source.ts";
import { failureJson, failureOf } from "../failure.ts";
import { type Column, column } from "../rows/columns.ts";
import { accountColumn, serviceNumberColumn, utcText } from "../rows/shared-columns.ts";
import type { Target } from "../target.ts";

/** The columns of a row, in the order of CSV columns and JSON keys. */
export const reconcileFields = [
  column("line", "Line", "number", "The line of your list; its position in a JSON array."),
  accountColumn,
  column(
    "class",
    "Class",
    "text",
    "`imported` and `pending` are listed. Not listed are `in-progress`, `failed` (UNKNOWN: no account exists), `not-staged` (404) and `absent` (not checked, the lookup failed, or the service has another status for it). `duplicate`: the number is earlier in your list. `malformed`: the row has no number. `extra`: listed, not in your list.",
  ),
  serviceNumberColumn,
  column("account_created_at", "Account created at", "text", "When the account was created."),
  column(
    "pending_since",
    "Pending since",
    utcText,
    "When this machine first saw the account pending.",
  ),
  column("status", "Status", "text", "The status of an account that is not listed, as sent."),
  column(
    "first_line",
    "First line",
    "number",
    "The line of the number's first row, for a duplicate.",
  ),
  column(
    "suggestion",
    "Suggestion",
    "text",
    "The only listed number that your list does not have and that differs by one character, by case, or by spaces, hyphens, underscores and leading zeros.",
  ),
  column(
    "error",
    "Error",
    "object",
    "`kind` and `message`: why the row is malformed, or why its lookup failed.",
  ),
] as const satisfies readonly Column[];

export type ReconcileField = (typeof reconcileFields)[number];

type Cell = string | number | null;

/** Creates the cells of rows, including the messages of lookup errors. */
export class RowCells {
  readonly #supplier: string;
  readonly #context: Target["context"];

  constructor(supplier: string, { context }: Pick<Target, "context">) {
    this.#supplier = supplier;
    this.#context = context;
  }

  /** Returns a cell for lines of text, or null if the field does not apply. */
  text(row: ReconciledRow, name: ReconcileField["name"]): Cell {
    return rowCell(row, name);
  }

  /** Returns an object of the cells that apply. */
  json(row: ReconciledRow, fields: readonly ReconcileField[]): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (const { name } of fields) {
      const value = name === "error" ? this.#errorJson(row) : rowCell(row, name);
      if (value !== null) object[name] = value;
    }
    return object;
  }

  #errorJson({ error, external }: ReconciledRow): unknown {
    if (error === null) return null;
    if (error.kind === "malformed") return { kind: "malformed", message: issueWords(error.issue) };
    return failureJson(this.#failureOf(error, external));
  }

  #failureOf({ error }: Extract<RowError, { kind: "lookup" }>, external: string | null) {
    const id = external ?? "";
    const subject = { kind: "account", supplier: this.#supplier, id } as const;
    return failureOf(error, this.#context(`reading the status of ${id}`, subject));
  }
}
