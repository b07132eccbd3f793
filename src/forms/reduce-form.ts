/** Applies an action of the user to the values of a form: typing, clearing, folding and rows. */
import type { Path } from "../json/exact.ts";
import { type Field, type Form, isLeafField } from "./fields.ts";
import {
  blankValues,
  type FoldablePart,
  type FormState,
  type FormValue,
  type FormValues,
  foldKey,
  foldsAfter,
  initialFolds,
  isFormValues,
  isValueRows,
  valueAt,
} from "./form-values.ts";
import { fieldAtPath } from "./payload-places.ts";

/** An action that changes a draft. The path of a row ends in the index of the row, from 0. */
export type FormAction =
  /** Sets the typed text of a field. An empty text removes the value. */
  | { readonly type: "set"; readonly path: Path; readonly text: string }
  | { readonly type: "clear"; readonly path: Path }
  /** Adds a row with the index `at`. Default: after the last row. */
  | { readonly type: "add-row"; readonly path: Path; readonly at?: number }
  | { readonly type: "duplicate-row"; readonly path: Path }
  | { readonly type: "move-row"; readonly path: Path; readonly to: number }
  | { readonly type: "remove-row"; readonly path: Path }
  | { readonly type: "fold"; readonly at: FoldablePart }
  | { readonly type: "unfold"; readonly at: FoldablePart }
  /** Replaces all values of the body. The query parameters are unchanged. */
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
        isIndexUpTo(action.to, order.length - 1)
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
      const folded = draft.folded.filter((other) => other !== key);
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
  const part = fieldAtPath(form, path);
  if (part?.kind === "entry") return setValue(draft, path, text);
  if (part?.kind !== "field" || !isLeafField(part.field)) return draft;
  return setValue(draft, path, text === "" ? undefined : text);
}

function clear(form: Form, draft: FormState, path: Path): FormState {
  const part = fieldAtPath(form, path);
  switch (part?.kind) {
    case "entry":
      return setValue(draft, path, "");
    case "row":
      return setValue(draft, path, blankValues(part.shape));
    case "field":
      return setValue(draft, path, undefined);
    case undefined:
      return draft;
  }
}

function addRow(form: Form, draft: FormState, path: Path, at?: number): FormState {
  let folds: readonly string[] = [];
  const added = changeRows(form, draft, path, ({ field, rows, order }) => {
    const place = at ?? rows.length;
    if (!isIndexUpTo(place, rows.length)) return null;
    if (field.type === "rows") folds = initialFolds(field.item.fields, [...path, place]);
    return order.toSpliced(place, 0, field.type === "list" ? "" : blankValues(field.item));
  });
  return added === draft || folds.length === 0
    ? added
    : { ...added, folded: [...added.folded, ...folds] };
}

type RowsOrList = Extract<Field, { type: "rows" | "list" }>;

interface RowsBefore {
  readonly field: RowsOrList;
  readonly rows: readonly FormValue[];
  readonly order: RowsAfter;
}

/** The rows after a change. Each is the index of an earlier row, or a new row. */
type RowsAfter = readonly (number | FormValue)[];

/** Replaces the rows of a field by the result of `change`, which returns null for no change. */
function changeRows(
  form: Form,
  draft: FormState,
  path: Path,
  change: (before: RowsBefore) => RowsAfter | null,
): FormState {
  const part = fieldAtPath(form, path);
  if (part?.kind !== "field") return draft;
  const { field } = part;
  if (field.type !== "rows" && field.type !== "list") return draft;
  const value = valueAt(draft.values, path);
  const rows = isValueRows(value) ? value : [];
  const after = change({ field, rows, order: [...rows.keys()] });
  if (after === null) return draft;
  const changed = after.map((row) => (typeof row === "number" ? (rows[row] ?? "") : row));
  const updated = setValue(draft, path, changed.length === 0 ? undefined : changed);
  if (updated === draft) return draft;
  return { ...updated, folded: foldsAfter(draft.folded, path, (at) => after.indexOf(at)) };
}

/** Changes the rows of a field at one row, which must exist. */
function changeRow(
  form: Form,
  draft: FormState,
  path: Path,
  change: (before: RowsBefore, at: number) => RowsAfter | null,
): FormState {
  const at = path.at(-1);
  if (typeof at !== "number") return draft;
  return changeRows(form, draft, path.slice(0, -1), (before) =>
    isIndexUpTo(at, before.rows.length - 1) ? change(before, at) : null,
  );
}

function copyOf(field: RowsOrList, row: FormValue): FormValue {
  if (field.type === "list" || !isFormValues(row)) return row;
  const unique = new Set(field.item.fields.flatMap((inner) => (inner.unique ? inner.name : [])));
  return Object.fromEntries(Object.entries(row).filter(([name]) => !unique.has(name)));
}

function isIndexUpTo(at: number, last: number): boolean {
  return Number.isInteger(at) && at >= 0 && at <= last;
}

/** Sets the value at a path, or removes it if `value` is undefined. Rows on the path must exist. */
function setValue(draft: FormState, path: Path, value: FormValue | undefined): FormState {
  const values = withValue(draft.values, path, value);
  return isFormValues(values) ? { ...draft, values } : draft;
}

/**
 * Returns a copy of `container` with the value at a path, or without the field if `value` is
 * undefined. Returns null if a row on the path does not exist.
 */
function withValue(
  container: FormValue | undefined,
  path: Path,
  value: FormValue | undefined,
): FormValue | undefined | null {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === "number") {
    if (!isValueRows(container) || !isIndexUpTo(step, container.length - 1)) return null;
    const row = withValue(container[step], rest, value);
    return row === null || row === undefined ? null : container.with(step, row);
  }
  const object = isFormValues(container) ? container : {};
  const inner = withValue(Object.hasOwn(object, step) ? object[step] : undefined, rest, value);
  if (inner === null) return null;
  const { [step]: _, ...others } = object;
  return inner === undefined ? others : { ...others, [step]: inner };
}
