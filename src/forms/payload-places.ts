/** Finds the field at a path of a form, visits the values of its fields, and describes paths. */
import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  memberOf,
  type Path,
} from "../json/exact.ts";
import { bodyShape, type Field, type Form, isLeafField, type Leaf, type Shape } from "./fields.ts";
import type { Issue } from "./rules.ts";

/** The part of a form at a path. */
type FormPart =
  | { readonly kind: "field"; readonly field: Field }
  /** One row of a rows field. */
  | { readonly kind: "row"; readonly shape: Shape; readonly label: string }
  /** One entry of a list field. */
  | { readonly kind: "entry"; readonly leaf: Leaf; readonly label: string };

/** Returns the part of the form at a path of the body or of the query, or null if undocumented. */
export function fieldAtPath(form: Form, path: Path): FormPart | null {
  let fields: readonly Field[] = [...bodyShape(form).fields, ...form.query];
  let part: FormPart | null = null;
  for (const step of path) {
    const next = partInside(part, fields, step);
    if (next === null) return null;
    part = next;
    fields = fieldsOf(part);
  }
  return part;
}

/** Returns the part of the form at one step below `part`, or null if it is not documented. */
function partInside(
  part: FormPart | null,
  fields: readonly Field[],
  step: string | number,
): FormPart | null {
  if (typeof step === "string") {
    const field = fields.find(({ name }) => name === step);
    return field === undefined ? null : { kind: "field", field };
  }
  if (part?.kind !== "field") return null;
  const { field } = part;
  if (field.type === "rows") return { kind: "row", shape: field.item, label: field.itemLabel };
  if (field.type === "list") return { kind: "entry", leaf: field.item, label: field.itemLabel };
  return null;
}

/**
 * Returns the fields directly inside a part. A leaf has none. A field with rows or entries has
 * none, because its parts have numbers.
 */
export function fieldsOf(part: FormPart): readonly Field[] {
  if (part.kind === "row") return part.shape.fields;
  return part.kind === "field" && part.field.type === "object" ? part.field.fields : [];
}

/** An object of a body, with the fields that it can have. */
interface BodyObject {
  readonly fields: readonly Field[];
  readonly value: JsonObject;
  readonly path: Path;
}

/** Returns a body and all objects inside it, in the order of the form. */
export function objectsIn(
  fields: readonly Field[],
  value: Json | undefined,
  path: Path = [],
): readonly BodyObject[] {
  if (!isJsonObject(value)) return [];
  const inner = fields.flatMap((field): readonly BodyObject[] => {
    const place = [...path, field.name];
    const member = memberOf(value, field.name);
    if (field.type === "object") return objectsIn(field.fields, member, place);
    if (field.type !== "rows" || !isJsonArray(member)) return [];
    return member.flatMap((row, at) => objectsIn(field.item.fields, row, [...place, at]));
  });
  return [{ fields, value, path }, ...inner];
}

type LeafChange = (leaf: Leaf, value: Json, path: Path) => Json;

/**
 * Returns a copy of a body, or of the typed values of a form, with each value of a leaf changed.
 * Values that do not fit the fields are unchanged.
 */
export function mapLeaves<Values extends JsonObject>(
  fields: readonly Field[],
  values: Values,
  change: LeafChange,
  path: Path = [],
): Values {
  const changed = Object.entries(values).map(([name, value]): [string, Json] => {
    const field = fields.find((candidate) => candidate.name === name);
    return [name, field === undefined ? value : mapField(field, value, change, [...path, name])];
  });
  return Object.fromEntries(changed) as Values;
}

function mapField(field: Field, value: Json, change: LeafChange, path: Path): Json {
  if (isLeafField(field)) return change(field, value, path);
  if (field.type === "object") {
    return isJsonObject(value) ? mapLeaves(field.fields, value, change, path) : value;
  }
  if (!isJsonArray(value)) return value;
  return value.map((row, at) => {
    const place = [...path, at];
    if (field.type === "list") return change(field.item, row, place);
    return isJsonObject(row) ? mapLeaves(field.item.fields, row, change, place) : row;
  });
}

/** Formats a path as the service does, such as `notes.0.body` (INTERFACE 7.2). */
export function pathText(path: Path): string {
  return path.join(".");
}

/**
 * Formats a path for people, with the labels of the form and numbers from 1: `Transaction 1 › Tax
 * item 2 › Rate`. Steps that the form does not know are unchanged. The first `without` steps are
 * left out.
 */
export function placeWords(form: Form, path: Path, without = 0): string {
  const words: string[] = [];
  for (const [index, step] of path.entries()) {
    if (index < without) continue;
    const part = fieldAtPath(form, path.slice(0, index + 1));
    if (part === null) return [...words, pathText(path.slice(index))].join(" › ");
    const isNumbered = typeof path[index + 1] === "number";
    if (part.kind === "field") {
      // The label of a row names its array, too.
      if (!isNumbered) words.push(part.field.label);
    } else words.push(`${part.label} ${Number(step) + 1}`);
  }
  return words.join(" › ");
}

/** Formats a message with its place. A message about the whole form has no place. */
export function atPlace(
  form: Form,
  { path, message }: { readonly path: Path; readonly message: string },
): string {
  return path.length === 0 ? message : `${placeWords(form, path)}: ${message}`;
}

/** Formats a message about a file or an editor's text, with the path that is written there. */
export function atPath({ path, message, onWire = message }: Omit<Issue, "about">): string {
  return path.length === 0 ? onWire : `${pathText(path)}: ${onWire}`;
}

/** Returns true if `path` is `start` or is inside it. */
export function startsWith(path: Path, start: Path): boolean {
  return start.every((step, index) => path[index] === step);
}

/** Returns a comparison of two paths by their order in the form. Unknown paths come last. */
export function byPlaceIn(form: Form): (a: Path, b: Path) => number {
  const ranksOf = (path: Path): readonly number[] =>
    path.map((step, index) =>
      typeof step === "number" ? step : rankOf(path.slice(0, index), step),
    );
  const rankOf = (inside: Path, name: string): number => {
    const part = inside.length === 0 ? null : fieldAtPath(form, inside);
    const fields = part === null ? [...bodyShape(form).fields, ...form.query] : fieldsOf(part);
    const at = fields.findIndex((field) => field.name === name);
    return at < 0 ? fields.length : at;
  };
  return (a, b) => {
    const [left, right] = [ranksOf(a), ranksOf(b)];
    const at = left.findIndex((rank, index) => rank !== right[index]);
    if (at < 0) return left.length - right.length;
    return (left[at] ?? 0) - (right[at] ?? -1);
  };
}
