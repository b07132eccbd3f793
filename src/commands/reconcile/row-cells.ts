import type { ReconciledRow, RowError } from "../../triage/reconcile/reconciled.ts";
import { rowCell } from "../../triage/reconcile/row-text.ts";
import { issueWords } from "../../triage/source/issue-words.ts";
import { FailedCall } from "../command-error.ts";
import { failureJson, failureOf } from "../failure.ts";
import type { Column } from "../rows/columns.ts";
import { accountColumn, serviceNumberColumn, utcText } from "../rows/shared-columns.ts";
import type { Target } from "../target.ts";

/** The columns of a row, in the order of CSV and of the keys of JSON. */
export const reconcileFields = [
  {
    name: "line",
    title: "Line",
    type: "number",
    meaning: "The line of your list; its position in a JSON array.",
  },
  accountColumn,
  {
    name: "class",
    title: "Class",
    type: "text",
    meaning:
      "`imported` and `pending` are listed. Not listed are `in-progress`, `failed` (UNKNOWN: no account exists), `not-staged` (404) and `absent` (not checked, the lookup failed, or the service has another status for it). `duplicate`: the number stands earlier in your list. `malformed`: the row has no number. `extra`: listed, not in your list.",
  },
  serviceNumberColumn,
  {
    name: "account_created_at",
    title: "Account created at",
    type: "text",
    meaning: "When the account was created.",
  },
  {
    name: "pending_since",
    title: "Pending since",
    type: utcText,
    meaning: "When this machine first saw the account pending.",
  },
  {
    name: "status",
    title: "Status",
    type: "text",
    meaning: "The status of an account that is not listed, as sent.",
  },
  {
    name: "first_line",
    title: "First line",
    type: "number",
    meaning: "Of a duplicate: the line on which the number stands first.",
  },
  {
    name: "suggestion",
    title: "Suggestion",
    type: "text",
    meaning:
      "The only listed number that your list does not have and that differs by one character, by case, or by spaces, hyphens, underscores and leading zeros.",
  },
  {
    name: "error",
    title: "Error",
    type: "object",
    meaning: "`kind` and `message`: why the row is malformed, or why its lookup failed.",
  },
] as const satisfies readonly Column[];

export type ReconcileField = (typeof reconcileFields)[number];

type Cell = string | number | null;

/** Makes the cells of rows, with the words for errors that were met at a service. */
export class RowCells {
  readonly #supplier: string;
  readonly #context: Target["context"];

  constructor(supplier: string, { context }: Pick<Target, "context">) {
    this.#supplier = supplier;
    this.#context = context;
  }

  /** A cell for lines of text; null where it does not apply. */
  text(row: ReconciledRow, name: ReconcileField["name"]): Cell {
    return rowCell(row, name);
  }

  /** An object of the cells that apply. */
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
    return failureOf(new FailedCall(error, this.#context(`reading the status of ${id}`, subject)));
  }
}
