import { isJsonArray, isJsonObject, type Json } from "../json/value.ts";
import { bodyShape, type Field, type Form, type Shape } from "./fields.ts";

/**
 * Puts fields in the documented order. Everything stays: what a file says is sent as it says it, an
 * empty text too, and what is not documented stays where the schema will find it.
 */
export function inDocumentedOrder(form: Form, value: Json): Json {
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
