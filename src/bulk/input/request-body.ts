/**
 * Builds the body of a request from rows, checks it with the form of their kind, and maps each
 * issue to its row.
 */
import { pathText } from "../../forms/payload-places.ts";
import type { Issue } from "../../forms/rules.ts";
import { accountSection } from "../../forms/shared-fields.ts";
import { type ValidateOptions, validateBody } from "../../forms/validate.ts";
import {
  isJsonArray,
  isJsonNumber,
  type Json,
  type JsonObject,
  memberOf,
  type Path,
} from "../../json/exact.ts";
import { clipped, quoted } from "../../rows/record-text.ts";
import type { RowShape } from "./row-shape.ts";

export interface CheckedIssue {
  /** Index of the row in the request, or null if the issue is about all rows. */
  readonly at: number | null;
  /** Dotted path within the row, or empty for the row as a whole. */
  readonly field: string;
  readonly message: string;
  /** True if the issue is about an existing value, false for a missing value. */
  readonly ofValue: boolean;
}

export type CheckedBody =
  | { readonly ok: true; readonly body: JsonObject; readonly warnings: readonly CheckedIssue[] }
  | { readonly ok: false; readonly issues: readonly CheckedIssue[] };

interface RowsOfAccount {
  readonly rows: readonly JsonObject[];
  readonly lines: readonly number[];
}

export function checkBody(
  shape: RowShape,
  account: RowsOfAccount,
  options: ValidateOptions,
): CheckedBody {
  const { rows } = account;
  const checked = validateBody(shape.form, bodyOf(shape, rows), options);
  const issueOf = (issue: Issue) => rowIssue(shape, account, issue);
  return checked.ok
    ? { ok: true, body: checked.body, warnings: checked.warnings.map(issueOf) }
    : { ok: false, issues: checked.issues.map(issueOf) };
}

const accountFields: ReadonlySet<string> = new Set(accountSection.fields.map(({ name }) => name));

/**
 * Returns the request body for rows of one account, without an outer `payload` (INTERFACE 4.1 to
 * 4.6). The rows may contain only documented names.
 */
function bodyOf({ itemsField }: RowShape, rows: readonly JsonObject[]): JsonObject {
  const [first = {}] = rows;
  if (itemsField === null) return first;
  return {
    ...fieldsOf(first, (name) => accountFields.has(name)),
    [itemsField]: rows.map((row) => fieldsOf(row, (name) => !accountFields.has(name))),
  };
}

function fieldsOf(row: JsonObject, isIncluded: (name: string) => boolean): JsonObject {
  const fields: Record<string, Json> = {};
  for (const [name, value] of Object.entries(row)) if (isIncluded(name)) fields[name] = value;
  return fields;
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
  const value = inside.length === 0 ? null : shortText(valueAt(rows[at ?? 0] ?? {}, inside));
  // A message names an equal item by its number in the request. Users know it by its line.
  const words = onWire.replace(/(?<= as )(?:Note|Transaction|Statement) (\d+)\b/, (all, number) => {
    const line = lines[Number(number) - 1];
    return line === undefined ? all : `line ${line}`;
  });
  return {
    at,
    field: pathText(inside),
    message: value === null ? words : `${words} Found: ${value}.`,
    ofValue: value !== null,
  };
}

function valueAt(row: JsonObject, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((value, step) => {
    if (typeof step === "string") return memberOf(value, step);
    return isJsonArray(value) ? value[step] : undefined;
  }, row);
}

/** Formats a value for a message, or returns null if it has no short form. */
function shortText(value: Json | undefined): string | null {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "boolean" || value === null) return String(value);
  return isJsonNumber(value) ? clipped(value.rawJSON) : null;
}
