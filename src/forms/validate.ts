/** Validates the values of a form, or the body of a request, before sending. */
import type * as z from "zod/mini";
import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  memberOf,
  memberText,
  type Path,
} from "../json/exact.ts";
import type { InputTime } from "../text/loose-dates.ts";
import { nearest } from "../text/suggest.ts";
import { warningsOf } from "./body-warnings.ts";
import { bodyShape, type Field, type Form, type Leaf, type Shape, toWireBody } from "./fields.ts";
import { type FormValues, isValueRows } from "./form-values.ts";
import {
  byPlaceIn,
  fieldAtPath,
  fieldsOf,
  mapLeaves,
  objectsIn,
  pathText,
  startsWith,
} from "./payload-places.ts";
import { fillText, placeholderIssues } from "./placeholders.ts";
import type { Issue } from "./rules.ts";
import { emptyRowMessage, schemaOf } from "./schema.ts";
import { asIntended } from "./spreadsheet-numbers.ts";
import { fromValues } from "./values-json.ts";

export type Validation =
  | {
      readonly ok: true;
      /** The body in the wire format, in the documented order, with its outer `payload`. */
      readonly body: JsonObject;
      /** The query parameters that were requested (INTERFACE 4.2). */
      readonly query: Readonly<Record<string, string>>;
      readonly warnings: readonly Issue[];
    }
  | { readonly ok: false; readonly issues: readonly Issue[]; readonly warnings: readonly Issue[] };

export interface ValidateOptions {
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** True if the user allows missing fields whose presence is `assumed`. Default: false. */
  readonly allowMissing?: boolean | undefined;
}

/**
 * Validates the values for several accounts at once, with their placeholders. The placeholders
 * remain in the result. Throws RangeError for an unknown time zone.
 */
export function validateForSeveral(
  form: Form,
  values: FormValues,
  typedAt: InputTime,
  options: Pick<ValidateOptions, "allowMissing"> = {},
): Validation {
  const checked = validateValues(form, values, typedAt, options);
  const braces = placeholderIssues(form, values);
  const warnings = [...checked.warnings, ...fixedTransactionIds(values)];
  if (checked.ok && braces.length === 0) return { ...checked, warnings };
  return invalid(form, [...(checked.ok ? [] : checked.issues), ...braces], warnings);
}

/**
 * Reports each transaction ID that is the same for all accounts. The service identifies a
 * transaction by its ID, so it might treat the transactions of all accounts as one.
 */
function fixedTransactionIds({ transactions }: FormValues): readonly Issue[] {
  if (!isValueRows(transactions)) return [];
  return transactions.flatMap((row, at): readonly Issue[] => {
    const id = memberText(row, "transaction_id") ?? "";
    // The null character, which no ID has, shows that the ID contains the account number.
    const values = { import_supplier: "", external_account_number: "\0" };
    if (id.trim() === "" || fillText(id, values).includes("\0")) return [];
    return [
      {
        path: ["transactions", at, "transaction_id"],
        message: "The same ID for every account: add {external_account_number} to make it unique.",
      },
    ];
  });
}

/** Validates the values of a form. Throws RangeError for an unknown time zone. */
export function validateValues(
  form: Form,
  values: FormValues,
  typedAt: InputTime,
  { allowMissing }: Pick<ValidateOptions, "allowMissing"> = {},
): Validation {
  const read = fromValues(form, values, typedAt);
  const checked = validateBody(form, read.body, { query: read.query, allowMissing });
  const unreadable = new Set(read.issues.map(({ path }) => pathText(path)));
  const readable = ({ path }: Issue) => !unreadable.has(pathText(path));
  const warnings = [...read.warnings, ...checked.warnings.filter(readable)];
  if (checked.ok && read.issues.length === 0) return { ...checked, warnings };
  const others = checked.ok ? [] : checked.issues.filter(readable);
  return invalid(form, [...read.issues, ...others], warnings);
}

const schemas = new Map<Form, z.ZodMiniType>();

function schemaFor(form: Form): z.ZodMiniType {
  const schema = schemas.get(form) ?? schemaOf(form);
  schemas.set(form, schema);
  return schema;
}

/**
 * Validates a body (without its outer `payload`), and adds the query parameters to the result. The
 * body of the result lacks the apostrophes that mark numbers as intended. Reports every issue at
 * once.
 */
export function validateBody(
  form: Form,
  body: Json,
  { query = {}, allowMissing = false }: ValidateOptions = {},
): Validation {
  const value = inDocumentedOrder(bodyShape(form), body);
  const missing = missingFrom(form, value);
  const warnings = [...(allowMissing ? missing : []), ...warningsOf(form, value)];
  const blocking = allowMissing ? [] : missing;
  const checked = schemaFor(form).safeParse(value);
  const issues = (checked.error?.issues ?? [])
    .flatMap((issue) => issuesOf(form, issue))
    .filter((issue) => !isEmptyRowOfMissing(issue, blocking));
  if (!checked.success || blocking.length > 0) {
    return invalid(form, [...blocking, ...issues], warnings);
  }
  // The schema accepts only an object with documented fields.
  const sent = mapLeaves(bodyShape(form).fields, value as JsonObject, sentValue);
  return { ok: true, body: toWireBody(form, sent), query, warnings };
}

/** Returns the value that is sent for a leaf: a number without the mark that it is intended. */
function sentValue(leaf: Leaf, value: Json): Json {
  const isExact =
    leaf.type === "enumeration" ||
    (leaf.type === "text" && (leaf.identifier === true || leaf.reference === true));
  return isExact && typeof value === "string" ? asIntended(value) : value;
}

function invalid(form: Form, issues: readonly Issue[], warnings: readonly Issue[]): Validation {
  const compare = byPlaceIn(form);
  return { ok: false, issues: issues.toSorted((a, b) => compare(a.path, b.path)), warnings };
}

/** Returns true for the issue of an empty row if the missing fields of the row are reported. */
function isEmptyRowOfMissing({ path, message }: Issue, missing: readonly Issue[]): boolean {
  return message === emptyRowMessage && missing.some((other) => startsWith(other.path, path));
}

function issuesOf(form: Form, issue: z.core.$ZodIssue): readonly Issue[] {
  const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((name) => undocumented(form, path, name));
  }
  return [{ path, message: issue.message }];
}

/**
 * Returns a value with its fields in the documented order. No field is removed: an empty text of a
 * file is sent, too, and the schema reports undocumented fields.
 */
function inDocumentedOrder(shape: Shape, value: Json): Json {
  if (!isJsonObject(value)) return value;
  const ordered = shape.fields.flatMap((field): [string, Json][] => {
    const inner = memberOf(value, field.name);
    return inner === undefined ? [] : [[field.name, fieldInOrder(field, inner)]];
  });
  const documented = new Set(shape.fields.map(({ name }) => name));
  const unknown = Object.entries(value).filter(([name]) => !documented.has(name));
  return Object.fromEntries([...ordered, ...unknown]);
}

function fieldInOrder(field: Field, value: Json): Json {
  if (field.type === "object") return inDocumentedOrder(field, value);
  if (field.type !== "rows" || !isJsonArray(value)) return value;
  return value.map((row) => inDocumentedOrder(field.item, row));
}

const missingMessage =
  "supplyline expects this field; the interface does not say whether it can be left out.";

/**
 * Reports missing fields that supplyline expects, although the interface does not call them
 * required. They prevent sending unless the user allows missing fields.
 */
function missingFrom(form: Form, body: Json): readonly Issue[] {
  return objectsIn(bodyShape(form).fields, body).flatMap(({ fields, value, path }) =>
    fields
      .filter(({ name, presence }) => presence === "assumed" && !Object.hasOwn(value, name))
      .map(({ name }) => ({
        path: [...path, name],
        message: missingMessage,
        about: "missing" as const,
      })),
  );
}

/**
 * Returns the issue of a field that INTERFACE does not document at that place. The message suggests
 * a documented field with a similar name, or the place where the field is documented.
 */
export function undocumented(form: Form, path: Path, name: string): Issue {
  const part = fieldAtPath(form, path);
  const fields = part === null ? bodyShape(form).fields : fieldsOf(part);
  return { path: [...path, name], message: undocumentedMessage(form, fields, name), about: "name" };
}

function undocumentedMessage(form: Form, fields: readonly Field[], name: string): string {
  const notSent = "This field is not documented and is never sent.";
  const suggestion = nearest(
    name,
    fields.map((field) => field.name),
  );
  if (suggestion !== null) return `${notSent} Did you mean ${suggestion}?`;
  const elsewhere = objectPathsOf(bodyShape(form).fields, name, [])[0];
  if (elsewhere !== undefined) {
    const where = elsewhere.length === 0 ? "at the top level" : `in ${pathText(elsewhere)}`;
    return `${notSent} ${name} belongs ${where}.`;
  }
  if (form.query.some((field) => field.name === name)) {
    return `${notSent} ${name} is an option of the request, not part of its body.`;
  }
  return `${notSent} Documented here: ${fields.map((field) => field.name).join(", ")}.`;
}

/** Returns the paths of objects that document a field of that name. Rows are written as `[]`. */
function objectPathsOf(fields: readonly Field[], name: string, path: Path): readonly Path[] {
  return fields.flatMap((field): readonly Path[] => {
    const here = field.name === name ? [path] : [];
    const inner =
      field.type === "object"
        ? objectPathsOf(field.fields, name, [...path, field.name])
        : field.type === "rows"
          ? objectPathsOf(field.item.fields, name, [...path, `${field.name}[]`])
          : [];
    return [...here, ...inner];
  });
}
