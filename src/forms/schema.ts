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
import { unseenProblem } from "./odd-characters.ts";
import type { Rule } from "./rules.ts";

const required = "This field is required.";
/** The message about an empty row or entry. */
export const emptyRowMessage = "This is empty: fill it in or remove it.";
const nullSent = "null is never sent: leave the field out.";

/**
 * Returns a function for the messages of a schema: a missing field, null, or any other mismatch.
 */
function saying(expected: string): (issue: { readonly input?: unknown }) => string {
  return ({ input }) => (input === undefined ? required : input === null ? nullSent : expected);
}

/** Returns a check that reports the result of `problem` for a value of the right type. */
function refusing<T>(
  problem: (value: T) => string | null,
): (value: T, context: z.core.$RefinementCtx<T>) => void {
  return (value, context) => {
    const message = problem(value);
    if (message !== null) context.addIssue({ code: "custom", message });
  };
}

const isoDate = z.iso.date({ error: saying("A date such as 2026-11-20 is expected here.") });
const isoDatetime = z.union([
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
]);
const withoutZone = z.iso.datetime({ local: true });

function datetimeProblem(text: string): string | null {
  if (isoDatetime.safeParse(text).success) return null;
  return withoutZone.safeParse(text).success
    ? "Name the time zone: Z, or an offset such as +01:00."
    : "A datetime such as 2026-11-20T14:00:00+01:00 is expected here.";
}

function textProblem(
  mayBeEmpty: boolean,
  { identifier, reference }: Pick<TextLeaf, "identifier" | "reference"> = {},
) {
  return (text: string): string | null => {
    if (text === "") return mayBeEmpty ? null : "This must not be empty.";
    if (text.trim() === "") return "This must not be only spaces.";
    if (!text.isWellFormed()) return "This is not well-formed text.";
    if (!identifier && !reference) return null;
    if (identifier && /^\.\.?$/.test(text))
      return "This must not be . or .., which would change the path.";
    return /\p{Cc}/u.test(text) ? "This must not contain control characters." : unseenProblem(text);
  };
}

function textThat(problem: (text: string) => string | null): z.ZodMiniType {
  return z
    .string({ error: saying("Text in quotes is expected here.") })
    .check(z.superRefine(refusing(problem)));
}

/**
 * Returns true if an empty text is accepted. The service decides about optional and expected
 * fields.
 */
export function mayBeEmpty({ presence }: Field): boolean {
  return presence === "optional" || presence === "expected";
}

/**
 * Returns the schema of a field with one value in the body. If `empty` is true, an empty text is
 * accepted. The metadata describes rules for JSON Schema that are functions in zod.
 */
function leafSchema(leaf: Leaf, empty = false): z.ZodMiniType {
  const length = empty ? {} : { minLength: 1 };
  switch (leaf.type) {
    case "text":
      return textThat(textProblem(empty, leaf)).check(z.meta(length));
    case "multiline":
      return textThat(textProblem(empty)).check(z.meta(length));
    case "enumeration": {
      const seen = leaf.values.map(({ value }) => value);
      const open = { ...length, anyOf: [{ enum: seen }, {}], examples: seen };
      return textThat(textProblem(empty, { reference: true })).check(z.meta(open));
    }
    case "document-path":
      return textThat(documentPathProblem).check(z.meta({ minLength: 1, pattern: relativePath }));
    case "date":
      return isoDate;
    case "datetime":
      return textThat(datetimeProblem).check(z.meta({ format: "date-time" }));
    case "amount":
    case "number":
      return z
        .custom<JsonNumber>(isJsonNumber, {
          abort: true,
          error: saying("A number is expected here, without quotes."),
        })
        .check(z.superRefine(refusing((number) => decimalProblem(number.rawJSON))))
        .check(z.meta({ type: "number" }));
    case "boolean":
      return z
        .boolean({ error: saying("true or false is expected here, without quotes.") })
        .check(z.meta(leaf.standard === undefined ? {} : { default: leaf.standard }));
  }
}

/** The part of the rule for document paths that a pattern can express: no root, scheme or `..`. */
const relativePath = "^(?![/\\\\])(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(.*[/\\\\])?\\.\\.([/\\\\]|$)).*$";

/** Creates the zod schema of a form's body (without an outer `payload`) from its fields. */
export function schemaOf(form: Form): z.ZodMiniType {
  return shapeSchema(bodyShape(form));
}

function shapeSchema(shape: Shape, isRow = false): z.ZodMiniType {
  const fields = shape.fields.map((field) => [field.name, fieldSchema(field)] as const);
  const rules = [
    ...(shape.oneOf === undefined ? [] : [oneOf(shape.oneOf)]),
    ...(shape.refusals ?? []),
  ];
  // Exact numbers are JavaScript objects, so zod's own check would accept them.
  const object = z.custom(isJsonObject, {
    abort: true,
    error: saying("An object in { } is expected here."),
  });
  // Checked before the object's own schema removes unknown fields.
  const filled =
    isRow && needsNothing(shape) ? object.check(z.superRefine(refusing(emptyRow))) : object;
  const body = ruled(z.strictObject(Object.fromEntries(fields)), rules);
  return z.pipe(filled, body.check(z.meta(neededIn(shape))));
}

/** Returns the `required` part of a body's JSON Schema, which includes the assumed fields. */
function neededIn({ fields, oneOf }: Shape): Record<string, unknown> {
  const needed = fields.filter(({ presence }) => presence === "required" || presence === "assumed");
  const required = needed.length === 0 ? {} : { required: needed.map(({ name }) => name) };
  return oneOf === undefined ? required : { ...required, anyOf: oneOf.map(present) };
}

function present(name: string): object {
  return { type: "object", properties: { [name]: true }, required: [name] };
}

function needsNothing({ fields, oneOf }: Shape): boolean {
  return oneOf === undefined && fields.every(({ presence }) => presence !== "required");
}

function emptyRow(row: unknown): string | null {
  return isJsonObject(row) && Object.keys(row).length === 0 ? emptyRowMessage : null;
}

function oneOf(names: readonly string[]): Rule {
  return (value) =>
    !isJsonObject(value) || names.some((name) => hasContent(memberOf(value, name)))
      ? []
      : [{ path: names.slice(0, 1), message: `One of these is needed: ${names.join(", ")}.` }];
}

function hasContent(value: Json | undefined): boolean {
  return value !== undefined && value !== "" && !(isJsonArray(value) && value.length === 0);
}

function fieldSchema(field: Field): z.ZodMiniType {
  const schema = presentSchema(field).check(z.meta({ title: field.label, ...describedBy(field) }));
  return field.presence === "required" ? schema : z.optional(schema);
}

function describedBy({ hint, usedWith }: Field): { readonly description?: string } {
  const used = usedWith && `Shown with ${usedWith.field} ${usedWith.values.join(", ")}.`;
  const description = [hint, used].filter((part) => part !== undefined).join(" ");
  return description === "" ? {} : { description };
}

function presentSchema(field: Field): z.ZodMiniType {
  switch (field.type) {
    case "object":
      return shapeSchema(field);
    case "list":
      return z.array(leafSchema(field.item), { error: saying(listExpected) });
    case "rows": {
      const rows = z.array(shapeSchema(field.item, true), { error: saying(listExpected) });
      const error = `At least one ${field.itemLabel.toLowerCase()} is needed.`;
      return ruled(
        field.min === 0 ? rows : rows.check(z.minLength(field.min, { error })),
        field.refusals,
      );
    }
    default:
      return leafSchema(field, mayBeEmpty(field));
  }
}

const listExpected = "An array in [ ] is expected here.";

/**
 * Adds rules to a schema. They also check objects with other issues, so that all issues are
 * reported at once.
 */
function ruled<T extends z.ZodMiniType>(schema: T, rules: readonly Rule[] = []): z.ZodMiniType {
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
 * Returns the JSON Schema of a form's whole documented body, for editors and for checks before
 * sending. Enumerations are open: known values are suggested, and other values are valid.
 */
export function jsonSchema(form: Form): JsonSchema {
  const body = schemaOf(form);
  const whole = form.envelope === null ? body : z.strictObject({ [form.envelope]: body });
  // Exact numbers and objects are checked by functions, and described by their metadata.
  const titled = whole.check(z.meta({ title: form.title }));
  return z.toJSONSchema(titled, { unrepresentable: "any" });
}
