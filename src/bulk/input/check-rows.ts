import type { Issue } from "../../forms/issue.ts";
import { pathText } from "../../forms/places.ts";
import { type ValidateOptions, validateBody } from "../../forms/validate.ts";
import {
  isJsonArray,
  isJsonNumber,
  type Json,
  type JsonObject,
  memberOf,
  type Path,
} from "../../json/exact.ts";
import { clipped, quoted } from "./quoted.ts";
import { bodyOf, type RowShape } from "./row-shape.ts";

/** An issue that the check found in one row. */
export interface CheckedIssue {
  /** Index of the row among those checked together, or null if the issue is about all of them. */
  readonly at: number | null;
  /** Dotted path within the row, or empty for the row as a whole. */
  readonly field: string;
  readonly message: string;
  /** True if the issue is about a value in the row, not about a missing one. */
  readonly ofValue: boolean;
}

export type Checked =
  | { readonly ok: true; readonly body: JsonObject; readonly warnings: readonly CheckedIssue[] }
  | { readonly ok: false; readonly issues: readonly CheckedIssue[] };

/**
 * Rows of one account that are sent together, with their lines for messages about several of them.
 */
interface RowsOfAccount {
  readonly rows: readonly JsonObject[];
  readonly lines: readonly number[];
}

/** Checks rows as the body that they form, by the form of their kind. */
export function checkRows(
  shape: RowShape,
  together: RowsOfAccount,
  options: ValidateOptions,
): Checked {
  const { rows } = together;
  const checked = validateBody(shape.form, bodyOf(shape, rows), options);
  const issueOf = (issue: Issue) => rowIssue(shape, together, issue);
  return checked.ok
    ? { ok: true, body: checked.body, warnings: checked.warnings.map(issueOf) }
    : { ok: false, issues: checked.issues.map(issueOf) };
}

function rowIssue(
  { itemsField }: RowShape,
  { rows, lines }: RowsOfAccount,
  { path, message, onWire = message }: Issue,
): CheckedIssue {
  const [first, number] = path;
  const isOfItem = first === itemsField && typeof number === "number";
  const at = isOfItem ? number : rows.length === 1 ? 0 : null;
  const inside = isOfItem ? path.slice(2) : path;
  const found = inside.length === 0 ? null : shown(valueAt(rows[at ?? 0] ?? {}, inside));
  // Rules over several items name an earlier one by its place in the request.
  const told = onWire.replace(/(?<= as )(?:Note|Transaction|Statement) (\d+)\b/, (all, number) => {
    const line = lines[Number(number) - 1];
    return line === undefined ? all : `line ${line}`;
  });
  return {
    at,
    field: pathText(inside),
    message: found === null ? told : `${told} Found: ${found}.`,
    ofValue: found !== null,
  };
}

function valueAt(row: JsonObject, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((value, step) => {
    if (typeof step === "string") return memberOf(value, step);
    return isJsonArray(value) ? value[step] : undefined;
  }, row);
}

/** Returns a value as a message repeats it, or null if it has no short form. */
function shown(value: Json | undefined): string | null {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "boolean" || value === null) return String(value);
  return isJsonNumber(value) ? clipped(value.rawJSON) : null;
}
