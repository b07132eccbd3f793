/** Converts a JSON body to the texts of a form, so that the user can edit it. */
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type Path } from "../json/exact.ts";
import { bodyShape, type Field, type Form, isLeafField, type Shape } from "./fields.ts";
import type { FormValue, FormValues } from "./form-values.ts";

/** The texts of a body, for editing in a form. */
interface ToDraft {
  readonly values: FormValues;
  /**
   * The paths of values without a place in the form: undocumented fields, an object instead of a
   * text, null.
   */
  readonly unfit: readonly Path[];
}

/** Converts a body (without its outer `payload`) to the texts of a draft. */
export function toValues(form: Form, body: Json): ToDraft {
  const unfit: Path[] = [];
  return { values: shapeOf(bodyShape(form), body, [], unfit) ?? {}, unfit };
}

function shapeOf(shape: Shape, value: Json, path: Path, unfit: Path[]): FormValues | undefined {
  if (!isJsonObject(value)) {
    unfit.push(path);
    return undefined;
  }
  const fields = new Map(shape.fields.map((field) => [field.name, field]));
  const kept = Object.entries(value).flatMap(([name, inner]): [string, FormValue][] => {
    const place = [...path, name];
    const field = fields.get(name);
    const draft = field && fieldOf(field, inner, place, unfit);
    if (field === undefined) unfit.push(place);
    return draft === undefined ? [] : [[name, draft]];
  });
  return Object.fromEntries(kept);
}

function fieldOf(field: Field, value: Json, path: Path, unfit: Path[]): FormValue | undefined {
  if (isLeafField(field)) return leafOf(value, path, unfit);
  if (field.type === "object") return shapeOf(field, value, path, unfit);
  if (!isJsonArray(value)) {
    unfit.push(path);
    return undefined;
  }
  // A row that does not fit becomes an empty row, so that the numbers of the others do not change.
  return value.map((entry, at): FormValue => {
    const place = [...path, at];
    if (field.type === "list") return leafOf(entry, place, unfit) ?? "";
    return shapeOf(field.item, entry, place, unfit) ?? {};
  });
}

function leafOf(value: Json, path: Path, unfit: Path[]): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (isJsonNumber(value)) return value.rawJSON;
  unfit.push(path);
  return undefined;
}
