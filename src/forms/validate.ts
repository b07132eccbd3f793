import type * as z from "zod/mini";
import {
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  memberText,
  type Path,
} from "../json/exact.ts";
import type { InputTime } from "../text/loose-dates.ts";
import { nearest } from "../text/suggest.ts";
import { decimalPlaces } from "./decimals.ts";
import {
  bodyShape,
  type Field,
  type Form,
  fits,
  isLeafField,
  type Leaf,
  type Rule,
  relevanceOf,
  type Shape,
  type Sibling,
  toWireBody,
} from "./fields.ts";
import type { FormValues } from "./form-values.ts";
import { fromValues } from "./from-values.ts";
import type { Issue, Validation } from "./issue.ts";
import { lookAlikeWarnings, unseenWarnings } from "./odd-characters.ts";
import { byPlaceIn, pathText, startsWith } from "./places.ts";
import { emptyRowMessage, mayBeEmpty, schemaOf } from "./schema.ts";
import { undocumented } from "./undocumented.ts";

const schemas = new Map<Form, z.ZodMiniType>();

/** The schema of a form, made when it is first needed. */
function schemaFor(form: Form): z.ZodMiniType {
  const schema = schemas.get(form) ?? schemaOf(form);
  schemas.set(form, schema);
  return schema;
}

export interface ValidateOptions {
  /** The query parameters that the body goes with. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** The user allows fields to be missing that the interface does not call required. */
  readonly allowMissing?: boolean | undefined;
}

/**
 * Validates a body (without its outer `payload`) with the query parameters it goes with. All that
 * is wrong is reported at once.
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
  // The schema has seen an object with the documented fields only.
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
 * Puts fields in the documented order. Every field stays: values of a file are sent unchanged, even
 * an empty text, and the schema reports undocumented fields.
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
 * The fields that supplyline expects and the body lacks, although the interface does not call them
 * required: they stop a body unless the user allows it.
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

/**
 * Returns the warnings about a body: unusual values that might be intended. They do not prevent
 * sending.
 */
function warningsOf(form: Form, body: Json): readonly Issue[] {
  return warningsOfShape(bodyShape(form), body, []);
}

function warningsOfShape(shape: Shape, value: Json, path: Path): readonly Issue[] {
  if (!isJsonObject(value)) return [];
  const sibling: Sibling = (name) => memberText(value, name);
  const missing = shape.fields.filter(
    (field) => field.presence === "expected" && !Object.hasOwn(value, field.name),
  );
  return [
    ...(missing.length === 0 ? [] : [leftOut(missing, path)]),
    ...shape.fields.flatMap((field) => {
      const inner = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
      if (inner === undefined) return [];
      const place = [...path, field.name];
      const decided = field.usedWith && sibling(field.usedWith.field);
      const unused =
        relevanceOf(field, shape.fields, sibling) === "unused"
          ? [{ path: place, message: `The interface does not show it with ${decided}.` }]
          : [];
      const empty = isEmptyByHand(field, inner) ? [{ path: place, message: emptyWords }] : [];
      // A choice that does not belong with the type was not seen with it either.
      const own =
        unused.length > 0 && field.type === "enumeration"
          ? []
          : warningsOfField(field, inner, place, sibling);
      return [...unused, ...empty, ...own];
    }),
    ...ruled(shape.warnings, value, path),
  ];
}

const emptyWords =
  "This is empty and is sent empty. Leave out a field that you do not want to send.";

/** Returns true if a value is empty although INTERFACE does not document it as empty. */
function isEmptyByHand(field: Field, value: Json): boolean {
  if (!mayBeEmpty(field)) return false;
  if (value === "") return field.type !== "text" || field.mayBeEmpty !== true;
  if (isJsonArray(value)) return value.length === 0 && field.presence === "optional";
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function leftOut(missing: readonly Field[], path: Path): Issue {
  const [are, them] = missing.length === 1 ? ["is", "it"] : ["are", "them"];
  const words = (names: readonly string[]) =>
    `${names.join(", ")} ${are} empty; the service may need ${them}.`;
  return {
    path,
    message: words(missing.map(({ label }) => label)),
    onWire: words(missing.map(({ name }) => name)),
  };
}

function warningsOfField(
  field: Field,
  value: Json,
  path: Path,
  sibling: Sibling,
): readonly Issue[] {
  if (isLeafField(field)) {
    return messagesOf(field, value, sibling).map((message) => ({ path, message }));
  }
  if (field.type === "object") return warningsOfShape(field, value, path);
  if (!isJsonArray(value)) return [];
  if (field.type === "list") {
    return value.flatMap((entry, at) =>
      messagesOf(field.item, entry, sibling).map((message) => ({ path: [...path, at], message })),
    );
  }
  return [
    ...value.flatMap((row, at) => warningsOfShape(field.item, row, [...path, at])),
    ...ruled(field.warnings, value, path),
  ];
}

function ruled(rules: readonly Rule[] = [], value: Json, path: Path): readonly Issue[] {
  return rules
    .flatMap((rule) => rule(value))
    .map((remark) => ({ path: [...path, ...remark.path], message: remark.message }));
}

function messagesOf(leaf: Leaf, value: Json, sibling: Sibling): readonly string[] {
  switch (leaf.type) {
    case "enumeration":
      return typeof value === "string" ? unseen(leaf, value, sibling) : [];
    case "amount":
      return leaf.places !== undefined &&
        isJsonNumber(value) &&
        decimalPlaces(value.rawJSON) > leaf.places
        ? [`More than ${leaf.places} decimal places; it is sent unchanged.`]
        : [];
    case "text":
      if (typeof value !== "string") return [];
      return [
        ...(leaf.identifier || leaf.reference ? lookAlikeWarnings(value) : unseenWarnings(value)),
        ...oddText(value, /\p{Cc}/u),
        ...unlike(leaf.looksLike, value),
      ];
    case "document-path":
      if (typeof value !== "string") return [];
      return [...unseenWarnings(value), ...oddText(value, /\p{Cc}/u)];
    case "multiline":
      if (typeof value !== "string") return [];
      return [...unseenWarnings(value), ...oddText(value.trim(), /[^\P{Cc}\t\r\n]/u)];
    default:
      return [];
  }
}

const looks = {
  email: { like: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, name: "an e-mail address" },
  phone: { like: /^\+?(?=(?:\D*\d){3})[\d\s()./-]+$/, name: "a phone number" },
} as const;

/** Returns a warning if a text does not have the usual form of its field. */
function unlike(kind: keyof typeof looks | undefined, value: string): readonly string[] {
  if (kind === undefined || value.trim() === "" || looks[kind].like.test(value.trim())) return [];
  return [`This does not look like ${looks[kind].name}; it is sent unchanged.`];
}

function oddText(text: string, controls: RegExp): readonly string[] {
  return [
    ...(text.trim() === text ? [] : ["It begins or ends with a space."]),
    ...(controls.test(text) ? ["It contains control characters."] : []),
  ];
}

function unseen(
  leaf: Extract<Leaf, { type: "enumeration" }>,
  value: string,
  sibling: Sibling,
): readonly string[] {
  const seen = leaf.values.find((one) => one.value === value);
  if (seen !== undefined) {
    if (fits(seen, leaf, sibling)) return [];
    return [`Seen with ${seen.with?.join(", ")}, not with ${sibling(leaf.by ?? "")}.`];
  }
  const values = leaf.values.map((one) => one.value);
  const meant = nearest(value, values);
  const guess = meant === null ? `Known: ${values.join(", ")}.` : `Did you mean ${meant}?`;
  return [`Unknown value, sent as typed. ${guess}`];
}
