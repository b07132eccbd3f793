/** Builds the zod schema and the JSON Schema of a form from its fields. */
import * as z from "zod/mini";
import {
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonNumber,
  memberOf,
} from "../json/exact.ts";
import { decimalProblem } from "./decimals.ts";
import { documentPathProblem } from "./document-path.ts";
import {
  bodyShape,
  type Field,
  type Form,
  type Leaf,
  type Shape,
  type TextLeaf,
} from "./fields.ts";
import { invisibleProblem } from "./odd-characters.ts";
import type { Rule } from "./rules.ts";
import { shortenedProblem } from "./spreadsheet-numbers.ts";

const requiredMessage = "This field is required.";
export const emptyRowMessage = "This is empty: fill it in or remove it.";
const nullMessage = "null is never sent: leave the field out.";

/**
 * Returns the function that a schema calls for the message of a mismatch. A missing field and null
 * have separate messages. The message of any other value is `expected`.
 */
function mismatchMessage(expected: string): (issue: { readonly input?: unknown }) => string {
  return ({ input }) =>
    input === undefined ? requiredMessage : input === null ? nullMessage : expected;
}

function checkWith<T>(
  problem: (value: T) => string | null,
): (value: T, context: z.core.$RefinementCtx<T>) => void {
  return (value, context) => {
    const message = problem(value);
    if (message !== null) context.addIssue({ code: "custom", message });
  };
}

function missingDay(text: unknown): string | null {
  const parts = typeof text === "string" ? /^(\d{4}-\d{2})-(\d{2})(?!\d)/.exec(text) : null;
  if (parts === null) return null;
  const [day, month = ""] = parts;
  if (isoDay.safeParse(day).success) return null;
  return isoDay.safeParse(`${month}-01`).success
    ? `There is no ${day}: the month has fewer days.`
    : `There is no ${day} in the calendar.`;
}

const isoDay = z.iso.date();
const isoDate = z.iso.date({
  error: (issue) =>
    missingDay(issue.input) ??
    mismatchMessage("A date such as 2026-11-20 is expected here.")(issue),
});
const datetimeWithZone = z.union([
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
]);
const datetimeWithoutZone = z.iso.datetime({ local: true });

function datetimeProblem(text: string): string | null {
  if (datetimeWithZone.safeParse(text).success) return null;
  const missing = missingDay(text);
  if (missing !== null) return missing;
  return datetimeWithoutZone.safeParse(text).success
    ? "Name the time zone: Z, or an offset such as +01:00."
    : "A datetime such as 2026-11-20T14:00:00+01:00 is expected here.";
}

function textProblem(
  canBeEmpty: boolean,
  { identifier, reference }: Pick<TextLeaf, "identifier" | "reference"> = {},
) {
  return (text: string): string | null => {
    if (text === "") return canBeEmpty ? null : "This must not be empty.";
    if (text.trim() === "") return "This must not be only spaces.";
    if (!text.isWellFormed()) return "This is not well-formed text.";
    if (!identifier && !reference) return null;
    if (identifier && /^\.\.?$/.test(text))
      return "This must not be . or .., which would change the path.";
    return /\p{Cc}/u.test(text)
      ? "This must not contain control characters."
      : (invisibleProblem(text) ?? shortenedProblem(text));
  };
}

function textSchema(problem: (text: string) => string | null): z.ZodMiniType {
  return z
    .string({ error: mismatchMessage("Text in quotes is expected here.") })
    .check(z.superRefine(checkWith(problem)));
}

/**
 * Returns true if the schema of a field accepts an empty text. The service decides whether an
 * optional or expected field can be empty.
 */
export function acceptsEmptyText({ presence }: Field): boolean {
  return presence === "optional" || presence === "expected";
}

/**
 * Returns the schema of a field with one value in the body. If `canBeEmpty` is true, an empty text
 * is accepted. The metadata describes the rules that are functions in zod, for the JSON Schema.
 */
function leafSchema(leaf: Leaf, canBeEmpty = false): z.ZodMiniType {
  const length = canBeEmpty ? {} : { minLength: 1 };
  switch (leaf.type) {
    case "text":
      return textSchema(textProblem(canBeEmpty, leaf)).check(z.meta(length));
    case "multiline":
      return textSchema(textProblem(canBeEmpty)).check(z.meta(length));
    case "enumeration": {
      const known = leaf.values.map(({ value }) => value);
      const metadata = { ...length, anyOf: [{ enum: known }, {}], examples: known };
      return textSchema(textProblem(canBeEmpty, { reference: true })).check(z.meta(metadata));
    }
    case "document-path":
      return textSchema(documentPathProblem).check(z.meta({ minLength: 1, pattern: relativePath }));
    case "date":
      return isoDate;
    case "datetime":
      return textSchema(datetimeProblem).check(z.meta({ format: "date-time" }));
    case "amount":
    case "number":
      return z
        .custom<JsonNumber>(isJsonNumber, {
          abort: true,
          error: mismatchMessage("A number is expected here, without quotes."),
        })
        .check(z.superRefine(checkWith((number) => decimalProblem(number.rawJSON))))
        .check(z.meta({ type: "number" }));
    case "boolean":
      return z
        .boolean({ error: mismatchMessage("true or false is expected here, without quotes.") })
        .check(z.meta(leaf.serviceDefault === undefined ? {} : { default: leaf.serviceDefault }));
  }
}

/** The part of the rule for document paths that a pattern can express: no root, scheme or `..`. */
const relativePath = "^(?![/\\\\])(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(.*[/\\\\])?\\.\\.([/\\\\]|$)).*$";

export function schemaOf(form: Form): z.ZodMiniType {
  return shapeSchema(bodyShape(form));
}

/** Returns the schema of an object. An object that is a row must not be empty. */
function shapeSchema(shape: Shape, isRow = false): z.ZodMiniType {
  const fields = shape.fields.map((field) => [field.name, fieldSchema(field)] as const);
  const rules = [
    ...(shape.oneOf === undefined ? [] : [requireOneOf(shape.oneOf)]),
    ...(shape.errorRules ?? []),
  ];
  // Exact numbers are JavaScript objects, so zod's check for objects would accept them.
  const object = z.custom(isJsonObject, {
    abort: true,
    error: mismatchMessage("An object in { } is expected here."),
  });
  // Checked on the received object, because the result of its schema has no undocumented fields.
  const nonEmpty =
    isRow &&
    shape.oneOf === undefined &&
    shape.fields.every(({ presence }) => presence !== "required")
      ? object.check(z.superRefine(checkWith(emptyRowProblem)))
      : object;
  const body = withRules(z.strictObject(Object.fromEntries(fields)), rules);
  return z.pipe(nonEmpty, body.check(z.meta(requiredFields(shape))));
}

function requiredFields({ fields, oneOf }: Shape): Record<string, unknown> {
  const needed = fields.filter(({ presence }) => presence === "required" || presence === "assumed");
  const required = needed.length === 0 ? {} : { required: needed.map(({ name }) => name) };
  return oneOf === undefined ? required : { ...required, anyOf: oneOf.map(withField) };
}

function withField(name: string): object {
  return { type: "object", properties: { [name]: true }, required: [name] };
}

function emptyRowProblem(row: unknown): string | null {
  return isJsonObject(row) && Object.keys(row).length === 0 ? emptyRowMessage : null;
}

function requireOneOf(names: readonly string[]): Rule {
  return (value) =>
    !isJsonObject(value) || names.some((name) => hasContent(memberOf(value, name)))
      ? []
      : [{ path: names.slice(0, 1), message: `One of these is needed: ${names.join(", ")}.` }];
}

function hasContent(value: Json | undefined): boolean {
  return value !== undefined && value !== "" && !(isJsonArray(value) && value.length === 0);
}

function fieldSchema(field: Field): z.ZodMiniType {
  const schema = presentSchema(field).check(
    z.meta({ title: field.label, ...descriptionOf(field) }),
  );
  return field.presence === "required" ? schema : z.optional(schema);
}

function descriptionOf({ hint, usedWith }: Field): { readonly description?: string } {
  const used = usedWith && `Shown with ${usedWith.field} ${usedWith.values.join(", ")}.`;
  const description = [hint, used].filter((part) => part !== undefined).join(" ");
  return description === "" ? {} : { description };
}

function presentSchema(field: Field): z.ZodMiniType {
  switch (field.type) {
    case "object":
      return shapeSchema(field);
    case "list":
      return z.array(leafSchema(field.item), { error: mismatchMessage(listExpected) });
    case "rows": {
      const rows = z.array(shapeSchema(field.item, true), { error: mismatchMessage(listExpected) });
      const error = `At least one ${field.itemLabel.toLowerCase()} is needed.`;
      return withRules(
        field.min === 0 ? rows : rows.check(z.minLength(field.min, { error })),
        field.errorRules,
      );
    }
    default:
      return leafSchema(field, acceptsEmptyText(field));
  }
}

const listExpected = "An array in [ ] is expected here.";

/** Adds rules to a schema. They also check values with other issues, so that all are reported. */
function withRules<T extends z.ZodMiniType>(schema: T, rules: readonly Rule[] = []): z.ZodMiniType {
  if (rules.length === 0) return schema;
  return schema.check(
    z.superRefine(
      (value, context) => {
        for (const { path, message } of rules.flatMap((rule) => rule(value))) {
          context.addIssue({ code: "custom", path: [...path], message });
        }
      },
      { when: () => true },
    ),
  );
}

/** A JSON Schema, draft 2020-12, as plain JSON. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON Schema of a form's body with its outer `payload`, for editors and for checks
 * before sending. Enumerations are open: known values are suggested, and other values are valid.
 */
export function jsonSchema(form: Form): JsonSchema {
  const body = schemaOf(form);
  const whole = form.envelope === null ? body : z.strictObject({ [form.envelope]: body });
  // Exact numbers and objects are checked by functions, and described by their metadata.
  const titled = whole.check(z.meta({ title: form.title }));
  return z.toJSONSchema(titled, { unrepresentable: "any" });
}
