/** The values that a user types into a form, and the collapsed parts of the form. */
import { memberOf, type Path } from "../json/exact.ts";
import { bodyShape, type Field, type Form, isLeafField, type Shape } from "./fields.ts";
import { startsWith } from "./places.ts";

/**
 * A typed value: a text for each leaf, an array for rows. Values that are not filled in are absent.
 */
export type FormValue = string | readonly FormValue[] | FormValues;

export interface FormValues {
  readonly [name: string]: FormValue;
}

/** A form while it is filled in. It is plain JSON, so that it can be stored and restored. */
export interface FormState {
  /** The body's fields and the query parameters side by side, by their names on the wire. */
  readonly values: FormValues;
  /** The keys (see {@link foldKey}) of the collapsed sections, objects and rows. */
  readonly folded: readonly string[];
}

export function isValueRows(value: FormValue | undefined): value is readonly FormValue[] {
  return Array.isArray(value);
}

export function isFormValues(value: unknown): value is FormValues {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value at a path, or undefined if nothing is filled in. */
export function valueAt(values: FormValues, path: Path): FormValue | undefined {
  let value: FormValue | undefined = values;
  for (const step of path) {
    if (typeof step === "number") value = isValueRows(value) ? value[step] : undefined;
    else value = isFormValues(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

/** Returns the text at a path, or an empty text if nothing is filled in. */
export function textAt(values: FormValues, path: Path): string {
  const value = valueAt(values, path);
  return typeof value === "string" ? value : "";
}

/** Returns a form with the given values and its initial rows. */
export function emptyForm(form: Form, given: FormValues = {}): FormState {
  return { values: { ...blankShape(bodyShape(form)), ...given }, folded: [] };
}

/** Creates an object with its initial rows. */
export function blankShape(shape: Shape): FormValues {
  const started = shape.fields.flatMap((field): [string, FormValue][] => {
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
 * Restores a stored draft, which another version of this program might have saved. Values that do
 * not fit the form are dropped. Returns null if `kept` is not a draft.
 */
export function restoreForm(form: Form, kept: unknown): FormState | null {
  if (!isFormValues(kept)) return null;
  const values: unknown = kept.values;
  if (!isFormValues(values)) return null;
  const folded: unknown = kept.folded;
  return {
    values: fittingShape([...bodyShape(form).fields, ...form.query], values),
    folded: Array.isArray(folded) ? folded.filter((key) => typeof key === "string") : [],
  };
}

function fittingShape(fields: readonly Field[], value: unknown): FormValues {
  const fitting = fields.flatMap((field): [string, FormValue][] => {
    const inner = fittingField(field, memberOf(value, field.name));
    return inner === undefined ? [] : [[field.name, inner]];
  });
  return Object.fromEntries(fitting);
}

function fittingField(field: Field, value: unknown): FormValue | undefined {
  if (value === undefined) return undefined;
  if (isLeafField(field)) return typeof value === "string" ? value : undefined;
  if (field.type === "object") {
    return isFormValues(value) ? fittingShape(field.fields, value) : undefined;
  }
  if (!Array.isArray(value)) return undefined;
  if (field.type === "list") return value.filter((entry) => typeof entry === "string");
  return value.filter(isFormValues).map((row) => fittingShape(field.item.fields, row));
}

/** A part of a form that can be collapsed: a section by its id, an object or a row by its path. */
export type CollapsedSection = string | Path;

/** Returns the key of a collapsed part, as stored in a draft. */
export function foldKey(at: CollapsedSection): string {
  return JSON.stringify(at);
}

export function isFolded({ folded }: FormState, at: CollapsedSection): boolean {
  return folded.includes(foldKey(at));
}

/** Returns the collapsed parts after rows have moved. A row that moves stays collapsed. */
export function foldsAfter(
  folded: readonly string[],
  rows: Path,
  moved: (at: number) => number | null,
): readonly string[] {
  return folded.flatMap((key) => {
    const path = pathOf(key);
    const at = path?.[rows.length];
    if (path === null || typeof at !== "number" || !startsWith(path, rows)) return [key];
    const to = moved(at);
    return to === null ? [] : [foldKey(path.with(rows.length, to))];
  });
}

function pathOf(key: string): Path | null {
  try {
    const path: unknown = JSON.parse(key);
    return Array.isArray(path) ? path : null;
  } catch {
    return null;
  }
}
