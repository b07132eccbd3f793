import { memberOf, type Path } from "../json/value.ts";
import { bodyShape, type Field, type Form, isLeafField, type Shape } from "./fields.ts";

/** A value as typed: text in every leaf, rows as arrays; what is not filled in is absent. */
export type DraftValue = string | readonly DraftValue[] | DraftObject;

export interface DraftObject {
  readonly [name: string]: DraftValue;
}

/** A form as it is being filled in; plain JSON, so that it can be kept and come back. */
export interface Draft {
  /** The body's fields and the query parameters side by side, by their names on the wire. */
  readonly values: DraftObject;
  /** What is folded away, each as the JSON text of a path: a section's id, an object or a row. */
  readonly folded: readonly string[];
}

export function isDraftRows(value: DraftValue | undefined): value is readonly DraftValue[] {
  return Array.isArray(value);
}

export function isDraftObject(value: unknown): value is DraftObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path; undefined where nothing is filled in. */
export function draftAt(values: DraftObject, path: Path): DraftValue | undefined {
  let value: DraftValue | undefined = values;
  for (const step of path) {
    if (typeof step === "number") value = isDraftRows(value) ? value[step] : undefined;
    else value = isDraftObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

/** The text at a path, empty where nothing is filled in. */
export function textAt(values: DraftObject, path: Path): string {
  const value = draftAt(values, path);
  return typeof value === "string" ? value : "";
}

/** A form with nothing filled in but what is given, and the rows that a person will want first. */
export function emptyDraft(form: Form, given: DraftObject = {}): Draft {
  return { values: { ...blankShape(bodyShape(form)), ...given }, folded: [] };
}

/** An object with the rows it starts with. */
export function blankShape(shape: Shape): DraftObject {
  const started = shape.fields.flatMap((field): [string, DraftValue][] => {
    if (field.type === "object") {
      const inner = blankShape(field);
      return Object.keys(inner).length === 0 ? [] : [[field.name, inner]];
    }
    if (field.type !== "rows" || field.start === 0) return [];
    const rows = Array.from({ length: field.start }, () => blankShape(field.item));
    return [[field.name, rows]];
  });
  return Object.fromEntries(started);
}

/**
 * A draft from what was kept earlier, perhaps by another version of this program: what fits the
 * form stays, all else is dropped; null when it is no draft at all.
 */
export function restoreDraft(form: Form, kept: unknown): Draft | null {
  if (!isDraftObject(kept)) return null;
  const values: unknown = kept.values;
  if (!isDraftObject(values)) return null;
  const folded: unknown = kept.folded;
  return {
    values: fittingShape([...bodyShape(form).fields, ...form.query], values),
    folded: Array.isArray(folded) ? folded.filter((key) => typeof key === "string") : [],
  };
}

function fittingShape(fields: readonly Field[], value: unknown): DraftObject {
  const fitting = fields.flatMap((field): [string, DraftValue][] => {
    const inner = fittingField(field, memberOf(value, field.name));
    return inner === undefined ? [] : [[field.name, inner]];
  });
  return Object.fromEntries(fitting);
}

function fittingField(field: Field, value: unknown): DraftValue | undefined {
  if (value === undefined) return undefined;
  if (isLeafField(field)) return typeof value === "string" ? value : undefined;
  if (field.type === "object") {
    return isDraftObject(value) ? fittingShape(field.fields, value) : undefined;
  }
  if (!Array.isArray(value)) return undefined;
  if (field.type === "list") return value.filter((entry) => typeof entry === "string");
  return value.filter(isDraftObject).map((row) => fittingShape(field.item.fields, row));
}
