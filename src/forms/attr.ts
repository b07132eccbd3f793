/** Finds the form field that a path in an error of the service (`attr`) refers to. */
import { isJsonArray, isJsonObject, type Json, memberOf, type Path } from "../json/exact.ts";
import { bodyShape, type Field, type Form } from "./fields.ts";
import { placeWords } from "./places.ts";

/** A place of the form, and the rest of the service's path that the form does not know. */
interface AttrPlace {
  readonly path: Path;
  readonly rest: Path;
}

/**
 * Splits an `attr` (INTERFACE 7.2) into steps, without a leading `payload` and a final
 * `non_field_errors`. `a[0].b` is read like `a.0.b`.
 */
export function attrSteps(attr: string): Path {
  const words = attr
    .replace(/\[(\d+)\]/g, ".$1")
    .split(".")
    .filter((word) => word !== "");
  const inside = words[0] === "payload" ? words.slice(1) : words;
  const about = inside.at(-1) === "non_field_errors" ? inside.slice(0, -1) : inside;
  return about.map((word) => (/^\d{1,9}$/.test(word) ? Number(word) : word));
}

/**
 * Returns the place in the sent body that a path of the service refers to, or null if there is none
 * or if it is ambiguous. INTERFACE 7.2 shows a path that begins at a customer's account, so a path
 * that does not begin at the top is searched further inside.
 */
export function placeOf(form: Form, body: Json, steps: Path): AttrPlace | null {
  const { fields } = bodyShape(form);
  const top = follow({ fields: [...fields, ...form.query], value: body, path: [] }, steps);
  if (top !== null) return top;
  const inside = holders({ fields, value: body, path: [] })
    .map((holder) => follow(holder, steps))
    .filter((place) => place?.rest.length === 0);
  const [only] = inside;
  return only !== undefined && inside.length === 1 ? only : null;
}

/**
 * Returns the path that an `attr` of the service refers to. `body` is the body that was sent, if it
 * is known.
 */
export function attrPath(form: Form, body: Json | null, attr: string): Path {
  const steps = attrSteps(attr);
  const place = body === null ? null : placeOf(form, body, steps);
  return place === null ? steps : [...place.path, ...place.rest];
}

/** Describes an `attr` of the service with the labels of the form. */
export function attrWords(form: Form, body: Json | null, attr: string): string {
  return placeWords(form, attrPath(form, body, attr));
}

interface Holder {
  readonly fields: readonly Field[];
  readonly value: Json | undefined;
  readonly path: Path;
}

/**
 * Follows the steps as far as the form knows them. Returns null if it does not know the first one.
 */
function follow({ fields, value, path }: Holder, steps: Path): AttrPlace | null {
  const [step, ...rest] = steps;
  const field = fields.find(({ name }) => name === step);
  if (field === undefined || typeof step !== "string") return null;
  return within(field, memberOf(value, step), [...path, step], rest);
}

function within(field: Field, value: Json | undefined, path: Path, steps: Path): AttrPlace {
  const [step, ...rest] = steps;
  const here: AttrPlace = { path, rest: steps };
  if (step === undefined) return here;
  if (field.type === "object") {
    return follow({ fields: field.fields, value, path }, steps) ?? here;
  }
  if (field.type !== "rows" && field.type !== "list") return here;
  const rows = isJsonArray(value) ? value : [];
  // The service can omit the number of a row if there is only one row.
  const [at, further] = typeof step === "number" ? [step, rest] : [rows.length - 1, steps];
  if (at < 0 || at >= rows.length || (typeof step !== "number" && at > 0)) return here;
  const row: AttrPlace = { path: [...path, at], rest: further };
  if (field.type === "list" || further.length === 0) return row;
  return follow({ fields: field.item.fields, value: rows[at], path: row.path }, further) ?? row;
}

/** Returns every object inside the body. */
function holders({ fields, value, path }: Holder): readonly Holder[] {
  return fields.flatMap((field): readonly Holder[] => {
    const inner = memberOf(value, field.name);
    const place = [...path, field.name];
    if (field.type === "object" && isJsonObject(inner)) {
      const holder = { fields: field.fields, value: inner, path: place };
      return [holder, ...holders(holder)];
    }
    if (field.type !== "rows" || !isJsonArray(inner)) return [];
    return inner.flatMap((row, at) => {
      const holder = { fields: field.item.fields, value: row, path: [...place, at] };
      return [holder, ...holders(holder)];
    });
  });
}
