import { bodyShape, type Field, type Form, type Leaf, type Shape } from "./fields.ts";
import { mayBeEmpty } from "./schema.ts";

/** A JSON Schema, draft 2020-12, as plain JSON. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of a form's whole documented body, for editors and for checks before sending.
 * Enumerations are open: the values seen are offered, others pass.
 */
export function jsonSchema(form: Form): JsonSchema {
  const body = shapeSchema(bodyShape(form));
  const whole =
    form.envelope === null ? body : objectSchema({ [form.envelope]: body }, [form.envelope]);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: form.title,
    ...whole,
  };
}

function objectSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema {
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function shapeSchema({ fields, oneOf }: Shape): JsonSchema {
  const properties = Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)]));
  const required = fields.flatMap(({ name, presence }) =>
    presence === "required" || presence === "assumed" ? name : [],
  );
  return {
    ...objectSchema(properties, required),
    ...(oneOf === undefined ? {} : { anyOf: oneOf.map(present) }),
  };
}

function present(name: string): JsonSchema {
  return { type: "object", properties: { [name]: true }, required: [name] };
}

function fieldSchema(field: Field): JsonSchema {
  return { title: field.label, ...describedBy(field), ...valueSchema(field) };
}

function describedBy({ hint, usedWith }: Field): JsonSchema {
  const used = usedWith && `Shown with ${usedWith.field} ${usedWith.values.join(", ")}.`;
  const description = [hint, used].filter((part) => part !== undefined).join(" ");
  return description === "" ? {} : { description };
}

function valueSchema(field: Field): JsonSchema {
  switch (field.type) {
    case "object":
      return shapeSchema(field);
    case "list":
      return { type: "array", items: leafSchema(field.item) };
    case "rows":
      return {
        type: "array",
        items: shapeSchema(field.item),
        ...(field.min === 0 ? {} : { minItems: field.min }),
      };
    default:
      return leafSchema(field, mayBeEmpty(field));
  }
}

function leafSchema(leaf: Leaf, mayBeEmpty = false): JsonSchema {
  const length = mayBeEmpty ? {} : { minLength: 1 };
  switch (leaf.type) {
    case "text":
    case "multiline":
      return { type: "string", ...length };
    case "document-path":
      // As much of the rule as a pattern says plainly: relative, no scheme, no `..` segment.
      return {
        type: "string",
        minLength: 1,
        pattern: "^(?![/\\\\])(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(.*[/\\\\])?\\.\\.([/\\\\]|$)).*$",
      };
    case "date":
      return { type: "string", format: "date" };
    case "datetime":
      return { type: "string", format: "date-time" };
    case "amount":
    case "number":
      return { type: "number" };
    case "boolean":
      return {
        type: "boolean",
        ...(leaf.standard === undefined ? {} : { default: leaf.standard }),
      };
    case "enumeration": {
      const seen = leaf.values.map(({ value }) => value);
      return { type: "string", ...length, anyOf: [{ enum: seen }, {}], examples: seen };
    }
  }
}
