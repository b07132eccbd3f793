/** The values that a user types into a form, and the collapsed parts of the form. */
import type { Path } from "../json/exact.ts";
import { bodyShape, type Field, type Form, type Shape } from "./fields.ts";
import { startsWith } from "./payload-places.ts";

/** A typed value: a text for each leaf, an array for rows. An empty value is absent. */
export type FormValue = string | readonly FormValue[] | FormValues;

export interface FormValues {
  readonly [name: string]: FormValue;
}

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

export function valueAt(values: FormValues, path: Path): FormValue | undefined {
  let value: FormValue | undefined = values;
  for (const step of path) {
    if (typeof step === "number") value = isValueRows(value) ? value[step] : undefined;
    else value = isFormValues(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

export function textAt(values: FormValues, path: Path): string {
  const value = valueAt(values, path);
  return typeof value === "string" ? value : "";
}

/** Returns a form with the given values, its initial rows and its optional objects collapsed. */
export function emptyForm(form: Form, given: FormValues = {}): FormState {
  const shape = bodyShape(form);
  return { values: { ...blankValues(shape), ...given }, folded: initialFolds(shape.fields, []) };
}

/**
 * Returns the keys of the optional objects of a blank form or row. They are collapsed at first, so
 * that a long form starts with the required fields.
 */
export function initialFolds(fields: readonly Field[], path: Path): readonly string[] {
  return fields.flatMap((field): readonly string[] => {
    const place = [...path, field.name];
    if (field.type === "object") {
      const inner = initialFolds(field.fields, place);
      return field.presence === "optional" ? [foldKey(place), ...inner] : inner;
    }
    if (field.type !== "rows") return [];
    return Array.from({ length: field.start }, (_, at) =>
      initialFolds(field.item.fields, [...place, at]),
    ).flat();
  });
}

export function blankValues(shape: Shape): FormValues {
  const initial = shape.fields.flatMap((field): [string, FormValue][] => {
    if (field.type === "object") {
      const inner = blankValues(field);
      return Object.keys(inner).length === 0 ? [] : [[field.name, inner]];
    }
    if (field.type !== "rows" || field.start === 0) return [];
    const rows = Array.from({ length: field.start }, () => blankValues(field.item));
    return [[field.name, rows]];
  });
  return Object.fromEntries(initial);
}

/** A part that can be collapsed: a section, named by its id, or an object or row, by its path. */
export type FoldablePart = string | Path;

export function foldKey(at: FoldablePart): string {
  return JSON.stringify(at);
}

export function isFolded({ folded }: FormState, at: FoldablePart): boolean {
  return folded.includes(foldKey(at));
}

/**
 * Returns the keys of the collapsed parts after rows have moved. `newIndexOf` returns the new index
 * of a row, or -1 if the row was removed. A collapsed row is still collapsed after a move.
 */
export function foldsAfter(
  folded: readonly string[],
  rowsPath: Path,
  newIndexOf: (index: number) => number,
): readonly string[] {
  return folded.flatMap((key) => {
    const path = pathOf(key);
    const index = path?.[rowsPath.length];
    if (path === null || typeof index !== "number" || !startsWith(path, rowsPath)) return [key];
    const newIndex = newIndexOf(index);
    return newIndex === -1 ? [] : [foldKey(path.with(rowsPath.length, newIndex))];
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
