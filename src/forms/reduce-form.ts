/** Applies an action of the user to the values of a form: typing, clearing, folding and rows. */
import type { Path } from "../json/exact.ts";
import { type Field, type Form, isLeafField } from "./fields.ts";
import {
  blankShape,
  type CollapsedSection,
  type FormState,
  type FormValue,
  type FormValues,
  firstFolds,
  foldKey,
  foldsAfter,
  isFormValues,
  isValueRows,
  valueAt,
} from "./form-values.ts";
import { fieldAtPath } from "./places.ts";

/** An action that changes a draft. The path of a row ends in the number of the row. */
export type FormAction =
  /** Sets the typed text of a field. An empty text removes the value. */
  | { readonly type: "set"; readonly path: Path; readonly text: string }
  /** Empties a field, an object, all rows of a field, or one row. */
  | { readonly type: "clear"; readonly path: Path }
  /** Adds a row with the number `at`. Default: after the last row. */
  | { readonly type: "add-row"; readonly path: Path; readonly at?: number }
  /** Adds a copy right after the row. */
  | { readonly type: "duplicate-row"; readonly path: Path }
  | { readonly type: "move-row"; readonly path: Path; readonly to: number }
  | { readonly type: "remove-row"; readonly path: Path }
  | { readonly type: "fold"; readonly at: CollapsedSection }
  | { readonly type: "unfold"; readonly at: CollapsedSection }
  /** Replaces all values of the body. The query parameters stay. */
  | { readonly type: "replace"; readonly values: FormValues };

/** Returns the draft after an action, or the same draft if the form has no such place. */
export function reduceForm(form: Form, draft: FormState, action: FormAction): FormState {
  switch (action.type) {
    case "set":
      return set(form, draft, action.path, action.text);
    case "clear":
      return clear(form, draft, action.path);
    case "add-row":
      return addRow(form, draft, action.path, action.at);
    case "duplicate-row":
      return changeRow(form, draft, action.path, ({ field, rows, order }, at) =>
        order.toSpliced(at + 1, 0, copyOf(field, rows[at] ?? "")),
      );
    case "move-row":
      return changeRow(form, draft, action.path, ({ order }, at) =>
        isNumberUpTo(action.to, order.length - 1)
          ? order.toSpliced(at, 1).toSpliced(action.to, 0, at)
          : null,
      );
    case "remove-row":
      return changeRow(form, draft, action.path, ({ order }, at) => order.toSpliced(at, 1));
    case "fold": {
      const key = foldKey(action.at);
      return draft.folded.includes(key) ? draft : { ...draft, folded: [...draft.folded, key] };
    }
    case "unfold": {
      const key = foldKey(action.at);
      const folded = draft.folded.filter((one) => one !== key);
      return folded.length === draft.folded.length ? draft : { ...draft, folded };
    }
    case "replace": {
      const options = form.query.flatMap(({ name }) => {
        const option = draft.values[name];
        return option === undefined ? [] : [[name, option] as const];
      });
      return { ...draft, values: { ...action.values, ...Object.fromEntries(options) } };
    }
  }
}

function set(form: Form, draft: FormState, path: Path, text: string): FormState {
  const spot = fieldAtPath(form, path);
  if (spot?.kind === "entry") return write(draft, path, text);
  if (spot?.kind !== "field" || !isLeafField(spot.field)) return draft;
  return write(draft, path, text === "" ? undefined : text);
}

function clear(form: Form, draft: FormState, path: Path): FormState {
  const spot = fieldAtPath(form, path);
  switch (spot?.kind) {
    case "entry":
      return write(draft, path, "");
    case "row":
      return write(draft, path, blankShape(spot.shape));
    case "field":
      return write(draft, path, undefined);
    case undefined:
      return draft;
  }
}

/** Adds a blank row with its optional objects collapsed. */
function addRow(form: Form, draft: FormState, path: Path, at?: number): FormState {
  let folds: readonly string[] = [];
  const added = changeRows(form, draft, path, ({ field, rows, order }) => {
    const place = at ?? rows.length;
    if (!isNumberUpTo(place, rows.length)) return null;
    if (field.type === "rows") folds = firstFolds(field.item.fields, [...path, place]);
    return order.toSpliced(place, 0, blankRow(field));
  });
  return added === draft || folds.length === 0
    ? added
    : { ...added, folded: [...added.folded, ...folds] };
}

type RowsOrList = Extract<Field, { type: "rows" | "list" }>;

/** The rows or entries of a field before a change. */
interface RowsBefore {
  readonly field: RowsOrList;
  readonly rows: readonly FormValue[];
  /** The numbers of the rows: 0, 1, 2, … */
  readonly order: RowsAfter;
}

/** The rows after a change, each as the number of an earlier row or as a new row. */
type RowsAfter = readonly (number | FormValue)[];

function changeRows(
  form: Form,
  draft: FormState,
  path: Path,
  change: (before: RowsBefore) => RowsAfter | null,
): FormState {
  const spot = fieldAtPath(form, path);
  if (spot?.kind !== "field") return draft;
  const { field } = spot;
  if (field.type !== "rows" && field.type !== "list") return draft;
  const value = valueAt(draft.values, path);
  const rows = isValueRows(value) ? value : [];
  const after = change({ field, rows, order: [...rows.keys()] });
  if (after === null) return draft;
  const changed = after.map((row) => (typeof row === "number" ? (rows[row] ?? "") : row));
  const written = write(draft, path, changed.length === 0 ? undefined : changed);
  if (written === draft) return draft;
  return { ...written, folded: foldsAfter(draft.folded, path, (at) => after.indexOf(at)) };
}

function changeRow(
  form: Form,
  draft: FormState,
  path: Path,
  change: (before: RowsBefore, at: number) => RowsAfter | null,
): FormState {
  const at = path.at(-1);
  if (typeof at !== "number") return draft;
  return changeRows(form, draft, path.slice(0, -1), (before) =>
    isNumberUpTo(at, before.rows.length - 1) ? change(before, at) : null,
  );
}

/** Creates a row with its initial rows. */
function blankRow(field: RowsOrList): FormValue {
  return field.type === "list" ? "" : blankShape(field.item);
}

/** Returns a copy of a row without the values that no two rows can share. */
function copyOf(field: RowsOrList, row: FormValue): FormValue {
  if (field.type === "list" || !isFormValues(row)) return row;
  const unique = new Set(field.item.fields.flatMap((inner) => (inner.unique ? inner.name : [])));
  return Object.fromEntries(Object.entries(row).filter(([name]) => !unique.has(name)));
}

function isNumberUpTo(at: number, last: number): boolean {
  return Number.isInteger(at) && at >= 0 && at <= last;
}

/** Sets the value at a path, or removes it if `value` is undefined. Rows on the path must exist. */
function write(draft: FormState, path: Path, value: FormValue | undefined): FormState {
  const values = written(draft.values, path, value);
  return isFormValues(values) ? { ...draft, values } : draft;
}

/** Returns a copy of `holder` with the value at a path, or null if the path does not exist. */
function written(
  holder: FormValue | undefined,
  path: Path,
  value: FormValue | undefined,
): FormValue | undefined | null {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === "number") {
    if (!isValueRows(holder) || !isNumberUpTo(step, holder.length - 1)) return null;
    const row = written(holder[step], rest, value);
    return row === null || row === undefined ? null : holder.with(step, row);
  }
  const object = isFormValues(holder) ? holder : {};
  const inner = written(Object.hasOwn(object, step) ? object[step] : undefined, rest, value);
  if (inner === null) return null;
  const { [step]: _, ...others } = object;
  return inner === undefined ? others : { ...others, [step]: inner };
}
