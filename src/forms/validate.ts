/** Validates the values of a form, or the body of a request, before it is sent. */
import type * as z from "zod/mini";
import { isJsonArray, isJsonObject, type Json, type JsonObject, type Path } from "../json/exact.ts";
import type { InputTime } from "../text/loose-dates.ts";
import { warningsOf } from "./body-warnings.ts";
import { bodyShape, type Field, type Form, isLeafField, type Shape, toWireBody } from "./fields.ts";
import type { FormValues } from "./form-values.ts";
import { fromValues } from "./from-values.ts";
import type { Issue, Validation } from "./issue.ts";
import { byPlaceIn, pathText, startsWith } from "./places.ts";
import { emptyRowMessage, schemaOf } from "./schema.ts";
import { undocumented } from "./undocumented.ts";

const schemas = new Map<Form, z.ZodMiniType>();

/** Returns the schema of a form, which is created when it is first needed. */
function schemaFor(form: Form): z.ZodMiniType {
  const schema = schemas.get(form) ?? schemaOf(form);
  schemas.set(form, schema);
  return schema;
}

export interface ValidateOptions {
  /** The query parameters of the body. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /**
   * True if the user allows missing fields that the interface does not call required. Default:
   * false.
   */
  readonly allowMissing?: boolean | undefined;
}

/**
 * Validates a body (without its outer `payload`) with its query parameters. Reports every issue at
 * once.
 */
export function validateBody(
  form: Form,
  body: Json,
  { query = {}, allowMissing = false }: ValidateOptions = {},
): Validation {
  const value = inDocumentedOrder(form, body);
  const missing = missingFrom(form, value);
  const warnings = [...(allowMissing ? missing : []), ...warningsOf(form, value)];
  const stopping = allowMissing ? [] : missing;
  const checked = schemaFor(form).safeParse(value);
  if (!checked.success || stopping.length > 0) {
    const issues = checked.success
      ? []
      : checked.error.issues.flatMap((one) => issuesOf(form, one)).filter(isNoRowOf(stopping));
    const compare = byPlaceIn(form);
    return {
      ok: false,
      issues: [...stopping, ...issues].sort((a, b) => compare(a.path, b.path)),
      warnings,
    };
  }
  // The schema accepts only an object with documented fields.
  return { ok: true, body: toWireBody(form, value as JsonObject), query, warnings };
}

/** Returns a filter that drops the issue of an empty row if its missing fields are reported. */
function isNoRowOf(missing: readonly Issue[]): (issue: Issue) => boolean {
  return ({ path, message }) =>
    message !== emptyRowMessage || !missing.some((one) => startsWith(one.path, path));
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
  const compare = byPlaceIn(form);
  const issues = [...read.issues, ...others].sort((a, b) => compare(a.path, b.path));
  return { ok: false, issues, warnings };
}

function issuesOf(form: Form, issue: z.core.$ZodIssue): readonly Issue[] {
  const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((name) => undocumented(form, path, name));
  }
  return [{ path, message: issue.message }];
}

/**
 * Returns a value with its fields in the documented order. Every field stays: values of a file are
 * sent unchanged, even an empty text, and the schema reports undocumented fields.
 */
function inDocumentedOrder(form: Form, value: Json): Json {
  return orderedShape(bodyShape(form), value);
}

function orderedShape(shape: Shape, value: Json): Json {
  if (!isJsonObject(value)) return value;
  const known = shape.fields.flatMap((field): [string, Json][] => {
    if (!Object.hasOwn(value, field.name)) return [];
    return [[field.name, orderedField(field, value[field.name] as Json)]];
  });
  const documented = new Set(shape.fields.map(({ name }) => name));
  const unknown = Object.entries(value).filter(([name]) => !documented.has(name));
  return Object.fromEntries([...known, ...unknown]);
}

function orderedField(field: Field, value: Json): Json {
  if (field.type === "object") return orderedShape(field, value);
  if (field.type !== "rows" || !isJsonArray(value)) return value;
  return value.map((row) => orderedShape(field.item, row));
}

const missingWords =
  "supplyline expects this field; the interface does not say whether it can be left out.";

/**
 * Reports the fields that supplyline expects and the body lacks, although the interface does not
 * call them required. They prevent sending unless the user allows it.
 */
function missingFrom(form: Form, body: Json): readonly Issue[] {
  return missingIn(bodyShape(form), body, []);
}

function missingIn({ fields }: Shape, value: Json, path: Path): readonly Issue[] {
  if (!isJsonObject(value)) return [];
  return fields.flatMap((field): readonly Issue[] => {
    const place = [...path, field.name];
    const inner = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    if (inner === undefined) {
      return field.presence === "assumed"
        ? [{ path: place, message: missingWords, about: "missing" }]
        : [];
    }
    return missingInside(field, inner, place);
  });
}

function missingInside(field: Field, value: Json, path: Path): readonly Issue[] {
  if (isLeafField(field) || field.type === "list") return [];
  if (field.type === "object") return missingIn(field, value, path);
  if (!isJsonArray(value)) return [];
  return value.flatMap((row, at) => missingIn(field.item, row, [...path, at]));
}
