import { bodyShape, type Field, type Form, type Path, type Shape } from "./fields.ts";
import type { Issue } from "./issue.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "./json-value.ts";

/** A body in the documented order, and what was left out of it. */
export interface Tidy {
  readonly value: Json;
  readonly warnings: readonly Issue[];
}

/**
 * Puts fields in the documented order and leaves out the ones that need not be there and hold
 * nothing: an empty text, array or object is never sent unless INTERFACE 2 shows it so. What is not
 * documented stays where the schema will find it.
 */
export function tidy(form: Form, value: Json): Tidy {
  const warnings: Issue[] = [];
  return { value: tidyShape(bodyShape(form), value, [], warnings), warnings };
}

function tidyShape(shape: Shape, value: Json, path: Path, warnings: Issue[]): Json {
  if (!isJsonObject(value)) return value;
  const known = shape.fields.flatMap((field): [string, Json][] => {
    if (!Object.hasOwn(value, field.name)) return [];
    const inner = value[field.name] as Json;
    const place = [...path, field.name];
    if (field.presence !== "required" && isLeftEmpty(field, inner)) {
      warnings.push({ path: place, message: "This is empty and left out of what is sent." });
      return [];
    }
    return [[field.name, tidyField(field, inner, place, warnings)]];
  });
  const documented = new Set(shape.fields.map(({ name }) => name));
  const unknown = Object.entries(value).filter(([name]) => !documented.has(name));
  return Object.fromEntries([...known, ...unknown]);
}

function tidyField(field: Field, value: Json, path: Path, warnings: Issue[]): Json {
  if (field.type === "object") return tidyShape(field, value, path, warnings);
  if (field.type !== "rows" || !isJsonArray(value)) return value;
  return value.map((row, at) => tidyShape(field.item, row, [...path, at], warnings));
}

function isLeftEmpty(field: Field, value: Json): boolean {
  switch (field.type) {
    case "object":
      return isJsonObject(value) && field.unusedParts !== "empty" && holdsNothing(value);
    case "rows":
      // An array that the interface shows without calling it optional may have to be there.
      return isJsonArray(value) && value.length === 0 && field.presence === "optional";
    case "list":
      return isJsonArray(value) && value.length === 0;
    case "text":
      return value === "" && field.mayBeEmpty !== true;
    default:
      return value === "";
  }
}

function holdsNothing(value: JsonObject): boolean {
  return Object.values(value).every(
    (inner) => inner === "" || (isJsonObject(inner) && holdsNothing(inner)),
  );
}
