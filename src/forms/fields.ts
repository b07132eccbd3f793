/**
 * The types that describe a form and its fields, for the screens, the validation and the wire
 * format.
 */
import { isJsonObject, type Json, type JsonObject, memberOf } from "../json/exact.ts";
import type { Rule } from "./rules.ts";

/**
 * The treatment of a missing field:
 * - `required`: the request is meaningless without the field, or INTERFACE requires it.
 * - `assumed`: the interface does not document whether the field can be left out. A missing field
 *   prevents sending unless the user allows it.
 * - `expected`: the interface shows the field, but does not document whether it can be left out. A
 *   missing field is a warning.
 * - `optional`: the field can be left out.
 */
export type Presence = "required" | "assumed" | "expected" | "optional";

/** A known value of an open enumeration (INTERFACE 2). */
interface KnownValue {
  readonly value: string;
  /**
   * The values of the deciding field (`Enumeration.by`) with which the value was seen. Absent if
   * the value fits all of them.
   */
  readonly with?: readonly string[];
  readonly note?: string;
}

export interface TextLeaf {
  readonly type: "text";
  /**
   * True if the value is also one segment of a URL or the name of an account. It cannot be `.` or
   * `..`, or have control characters or invisible ones.
   */
  readonly identifier?: true;
  /**
   * True if the service finds a record by this text. It must match exactly, so control characters
   * and invisible characters are errors.
   */
  readonly reference?: true;
  /** True if INTERFACE permits an empty string. */
  readonly mayBeEmpty?: true;
  /** The expected content of the text. Any other text has a warning. */
  readonly looksLike?: "email" | "phone";
}

/** An open enumeration: a field with known values that also accepts any other text. */
export interface Enumeration {
  readonly type: "enumeration";
  readonly values: readonly KnownValue[];
  /** The sibling field that decides which of the values fit. */
  readonly by?: string;
}

export type Leaf =
  | TextLeaf
  | Enumeration
  | { readonly type: "multiline" }
  | { readonly type: "document-path" }
  | { readonly type: "date" }
  | { readonly type: "datetime" }
  /** Money as decimal text. A number with more than `maxDecimals` decimals has a warning. */
  | { readonly type: "amount"; readonly maxDecimals?: number }
  | { readonly type: "number" }
  /** `serviceDefault` is absent if INTERFACE documents no default. */
  | { readonly type: "boolean"; readonly serviceDefault?: boolean };

export interface Shape {
  readonly fields: readonly Field[];
  /** The names of fields. At least one of these fields must have content. */
  readonly oneOf?: readonly string[];
  /** Rules about the whole object. Their issues prevent sending. */
  readonly errorRules?: readonly Rule[];
  /** Rules about the whole object. Their issues do not prevent sending. */
  readonly warningRules?: readonly Rule[];
  /**
   * Texts that are not filled in are sent as empty strings if any part of the object is filled in
   * (INTERFACE 2).
   */
  readonly unusedParts?: "empty";
}

export interface ListField {
  readonly type: "list";
  readonly item: Leaf;
  readonly itemLabel: string;
}

interface ObjectField extends Shape {
  readonly type: "object";
}

export interface RowsField {
  readonly type: "rows";
  readonly item: Shape;
  readonly itemLabel: string;
  /** The fields that distinguish a row. The first field with a value is the title of the row. */
  readonly titleFrom: readonly string[];
  /** The name of the field whose amounts are added up. */
  readonly total?: string;
  readonly min: number;
  /** Number of rows in an empty form. */
  readonly start: number;
  readonly errorRules?: readonly Rule[];
  readonly warningRules?: readonly Rule[];
}

interface FieldBase {
  /** The name on the wire. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly presence: Presence;
  /** The values of a sibling with which the field is used, if INTERFACE lists them. */
  readonly usedWith?: { readonly field: string; readonly values: readonly string[] };
  /** True if no two rows can have the same value. A copy of a row leaves the field empty. */
  readonly unique?: true;
}

export type LeafField = FieldBase & Leaf;
export type Field = LeafField | (FieldBase & (ListField | ObjectField | RowsField));

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly fields: readonly Field[];
}

export interface Form {
  readonly kind: string;
  readonly title: string;
  /** The fields of the body, in the order in which they are sent. */
  readonly sections: readonly Section[];
  /** Query parameters, all booleans (INTERFACE 4.2). */
  readonly query: readonly LeafField[];
  /** The key that contains the body on the wire (INTERFACE 4.5), or null if there is none. */
  readonly envelope: "payload" | null;
  /** The field whose array alone can be the content of a file, or null if there is none. */
  readonly itemsField: string | null;
}

export function isLeafField(field: Field): field is LeafField {
  return field.type !== "list" && field.type !== "object" && field.type !== "rows";
}

/** Returns true for a number, a code, a choice or a date. Blanks around it have no meaning. */
export function isCode(leaf: Leaf): boolean {
  switch (leaf.type) {
    case "text":
      return leaf.identifier === true || leaf.reference === true;
    case "multiline":
    case "document-path":
      return false;
    case "enumeration":
    case "date":
    case "datetime":
    case "amount":
    case "number":
    case "boolean":
      return true;
  }
}

export function bodyShape(form: Form): Shape {
  return { fields: form.sections.flatMap((section) => section.fields) };
}

export type Sibling = (name: string) => string | undefined;

const noChoices: readonly string[] = [];

/** Returns a field's known values, those that fit its siblings first. Free text has none. */
export function choicesOf(leaf: Leaf, sibling: Sibling): readonly string[] {
  if (leaf.type === "boolean") return ["yes", "no"];
  if (leaf.type !== "enumeration") return noChoices;
  return [
    ...leaf.values.filter((known) => fits(known, leaf, sibling)),
    ...leaf.values.filter((known) => !fits(known, leaf, sibling)),
  ].map(({ value }) => value);
}

/**
 * Returns the first known value that begins with the typed text, ignoring case. Returns null if
 * there is none, or if the text is empty or a known value.
 */
export function offeredFor(choices: readonly string[], text: string): string | null {
  const typed = text.trim().toLowerCase();
  if (typed === "" || choices.includes(text)) return null;
  return choices.find((value) => value.toLowerCase().startsWith(typed)) ?? null;
}

/**
 * Returns the known value after `text`: the first one for an empty text, and an empty text after
 * the last. Returns null for any other text.
 */
export function nextChoice(choices: readonly string[], text: string): string | null {
  if (choices.length === 0 || (text !== "" && !choices.includes(text))) return null;
  return choices[choices.indexOf(text) + 1] ?? "";
}

/** Returns true if a known value fits the value of the deciding sibling, or if it has no value. */
export function fits(known: KnownValue, { by }: Enumeration, sibling: Sibling): boolean {
  const deciding = by === undefined ? undefined : sibling(by);
  return deciding === undefined || known.with === undefined || known.with.includes(deciding);
}

/**
 * Returns `used` if the interface shows the field with the value of its deciding sibling
 * (`usedWith`), `unused` if the interface shows it only with other values, or `undecided` if the
 * sibling is empty. With an unknown value of the sibling, every field is `used`.
 */
export function relevanceOf(
  field: Field,
  fields: readonly Field[],
  sibling: Sibling,
): "used" | "unused" | "undecided" {
  const { usedWith } = field;
  if (usedWith === undefined) return "used";
  const value = sibling(usedWith.field)?.trim();
  if (value === undefined || value === "") return "undecided";
  const deciding = fields.find(({ name }) => name === usedWith.field);
  const isKnown =
    deciding?.type === "enumeration" && deciding.values.some((known) => known.value === value);
  return !isKnown || usedWith.values.includes(value) ? "used" : "unused";
}

/** Returns the body in the wire format. Supply points are inside `payload` (INTERFACE 4.5). */
export function toWireBody(form: Form, body: JsonObject): JsonObject {
  return form.envelope === null ? body : { [form.envelope]: body };
}

/** Returns true if the body is inside its outer key. Keys beside it are ignored. */
export function isInEnvelope(form: Form, value: Json): value is JsonObject {
  return form.envelope !== null && isJsonObject(value) && Object.hasOwn(value, form.envelope);
}

export function fromWireBody(form: Form, value: Json): Json {
  return isInEnvelope(form, value) ? (memberOf(value, form.envelope ?? "") ?? value) : value;
}
