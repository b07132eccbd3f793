import * as z from "zod";
import { isJsonArray, isJsonObject, type Json, memberOf } from "../json/value.ts";
import { bodyShape, type Field, type Form, type Rule, type Shape } from "./fields.ts";
import { emptyHere, leafSchema, mayBeEmpty, refusing, saying } from "./leaf-schema.ts";

/** The zod schema of a form's body (without an outer `payload`), made from its fields alone. */
export function schemaOf(form: Form): z.ZodType {
  return shapeSchema(bodyShape(form));
}

function shapeSchema(shape: Shape, isRow = false): z.ZodType {
  const fields = shape.fields.map((field) => [field.name, fieldSchema(field)] as const);
  const rules = [
    ...(shape.oneOf === undefined ? [] : [oneOf(shape.oneOf)]),
    ...(shape.refusals ?? []),
  ];
  // Numbers are objects to zod, as they are to the language.
  const object = z.custom(isJsonObject, {
    abort: true,
    error: saying("An object in { } is expected here."),
  });
  // Looked at before the object's own schema takes out what it does not know.
  const filled = isRow && needsNothing(shape) ? object.superRefine(refusing(emptyRow)) : object;
  return filled.pipe(ruled(z.strictObject(Object.fromEntries(fields)), rules));
}

function needsNothing({ fields, oneOf }: Shape): boolean {
  return oneOf === undefined && fields.every(({ presence }) => presence !== "required");
}

function emptyRow(row: unknown): string | null {
  return isJsonObject(row) && Object.keys(row).length === 0 ? emptyHere : null;
}

function oneOf(names: readonly string[]): Rule {
  return (value) =>
    !isJsonObject(value) || names.some((name) => saysSomething(memberOf(value, name)))
      ? []
      : [{ path: names.slice(0, 1), message: `One of these is needed: ${names.join(", ")}.` }];
}

function saysSomething(value: Json | undefined): boolean {
  return value !== undefined && value !== "" && !(isJsonArray(value) && value.length === 0);
}

function fieldSchema(field: Field): z.ZodType {
  const schema = presentSchema(field);
  return field.presence === "required" ? schema : schema.optional();
}

function presentSchema(field: Field): z.ZodType {
  switch (field.type) {
    case "object":
      return shapeSchema(field);
    case "list":
      return z.array(leafSchema(field.item), { error: saying(listExpected) });
    case "rows": {
      const rows = z
        .array(shapeSchema(field.item, true), { error: saying(listExpected) })
        .min(field.min, { error: `At least one ${field.itemLabel.toLowerCase()} is needed.` });
      return ruled(rows, field.refusals);
    }
    default:
      return leafSchema(field, mayBeEmpty(field));
  }
}

const listExpected = "An array in [ ] is expected here.";

/** Rules also see what is unsound elsewhere, so that all issues come at once. */
function ruled<T extends z.ZodType>(schema: T, rules: readonly Rule[] = []): z.ZodType {
  if (rules.length === 0) return schema;
  return schema.superRefine(
    (value, context) => {
      for (const { path, message } of rules.flatMap((rule) => rule(value))) {
        context.addIssue({ code: "custom", path: [...path], message });
      }
    },
    { when: () => true },
  );
}
