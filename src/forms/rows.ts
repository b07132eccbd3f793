/** Adds, copies, moves and removes rows of a form. */
import type { Path } from "../json/exact.ts";
import type { Field, Form } from "./fields.ts";
import {
  blankShape,
  type FormValue,
  type FormValues,
  isFormValues,
  isValueRows,
  valueAt,
} from "./form-values.ts";
import { fieldAtPath } from "./places.ts";

/**
 * A change of rows: the rows afterwards, and the new number of each earlier row, or null if it was
 * removed.
 */
export interface RowsChange {
  readonly rows: readonly FormValue[];
  readonly moved: (at: number) => number | null;
}

type Rows = Extract<Field, { type: "rows" | "list" }>;

/** Returns the field of rows or entries at a path with its values, or null if there is none. */
export function rowsAt(
  form: Form,
  values: FormValues,
  path: Path,
): { readonly field: Rows; readonly rows: readonly FormValue[] } | null {
  const spot = fieldAtPath(form, path);
  if (spot?.kind !== "field") return null;
  const { field } = spot;
  if (field.type !== "rows" && field.type !== "list") return null;
  const rows = valueAt(values, path);
  return { field, rows: isValueRows(rows) ? rows : [] };
}

/** Creates a row with its initial rows. */
export function blankRow(field: Rows): FormValue {
  return field.type === "list" ? "" : blankShape(field.item);
}

export function inserted(rows: readonly FormValue[], at: number, row: FormValue): RowsChange {
  return {
    rows: rows.toSpliced(at, 0, row),
    moved: (old) => (old < at ? old : old + 1),
  };
}

export function removed(rows: readonly FormValue[], at: number): RowsChange {
  return {
    rows: rows.toSpliced(at, 1),
    moved: (old) => (old === at ? null : old < at ? old : old - 1),
  };
}

/** Moves one row to another number. The rows in between shift by one. */
export function moved(rows: readonly FormValue[], from: number, to: number): RowsChange {
  const row = rows[from] ?? "";
  return {
    rows: rows.toSpliced(from, 1).toSpliced(to, 0, row),
    moved: (old) => {
      if (old === from) return to;
      const closedUp = old > from ? old - 1 : old;
      return closedUp >= to ? closedUp + 1 : closedUp;
    },
  };
}

/** Returns a copy of a row without the values that no two rows can share. */
export function copyOf(field: Rows, row: FormValue): FormValue {
  if (field.type === "list" || !isFormValues(row)) return row;
  const unique = new Set(field.item.fields.flatMap((inner) => (inner.unique ? inner.name : [])));
  return Object.fromEntries(Object.entries(row).filter(([name]) => !unique.has(name)));
}
