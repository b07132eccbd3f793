import { isJsonNumber } from "../json/value.ts";
import type { Exact, TypedAt } from "../text/loose-dates.ts";
import { bodyShape, type Field, type Form, isLeafField, type Leaf } from "./fields.ts";
import { type FormValue, type FormValues, isFormValues, isValueRows } from "./form-values.ts";
import { exactLeaf } from "./from-values.ts";

/**
 * What typed text will be sent as, to be shown beside it: the date that `-3d` is, with its zone.
 * Nothing typed is an empty text. Throws RangeError for an unknown time zone.
 */
export function exactText(leaf: Leaf, typed: string, typedAt: TypedAt): Exact {
  if (typed.trim() === "") return { ok: true, text: "" };
  const exact = exactLeaf(leaf, typed, typedAt);
  if (!exact.ok) return exact;
  const text = isJsonNumber(exact.value) ? exact.value.rawJSON : String(exact.value);
  return { ok: true, text, note: exact.note };
}

/**
 * A draft whose dates and datetimes are the exact ones, so that `today` does not become another
 * day while the draft is kept. What cannot be read stays as typed. Throws RangeError for an unknown
 * time zone.
 */
export function withExactDates(form: Form, values: FormValues, typedAt: TypedAt): FormValues {
  return exactShape(bodyShape(form).fields, values, typedAt);
}

function exactShape(fields: readonly Field[], values: FormValues, typedAt: TypedAt): FormValues {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const exact = Object.entries(values).map(([name, value]): [string, FormValue] => {
    const field = byName.get(name);
    return [name, field === undefined ? value : exactField(field, value, typedAt)];
  });
  return Object.fromEntries(exact);
}

function exactField(field: Field, value: FormValue, typedAt: TypedAt): FormValue {
  if (isLeafField(field)) {
    if (typeof value !== "string" || (field.type !== "date" && field.type !== "datetime")) {
      return value;
    }
    const exact = exactText(field, value, typedAt);
    return exact.ok ? exact.text : value;
  }
  if (field.type === "object") {
    return isFormValues(value) ? exactShape(field.fields, value, typedAt) : value;
  }
  // No list of the interface holds dates.
  if (field.type === "list" || !isValueRows(value)) return value;
  return value.map((row) =>
    isFormValues(row) ? exactShape(field.item.fields, row, typedAt) : row,
  );
}
