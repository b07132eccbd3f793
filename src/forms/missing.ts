import { isJsonArray, isJsonObject, type Json, type Path } from "../json/value.ts";
import { bodyShape, type Field, type Form, isLeafField, type Shape } from "./fields.ts";
import type { Issue } from "./issue.ts";

const missingWords =
  "supplyline expects this field; the interface does not say whether it can be left out.";

/**
 * The fields that supplyline expects and the body lacks, although the interface does not call them
 * required: they stop a body unless the user allows it.
 */
export function missingFrom(form: Form, body: Json): readonly Issue[] {
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
