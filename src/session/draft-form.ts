/** Converts saved drafts to form values and back. */
import { isDeepStrictEqual } from "node:util";
import type { Field, Form } from "../forms/fields.ts";
import {
  emptyForm,
  type FormState,
  type FormValues,
  isValueRows,
  valueAt,
} from "../forms/form-values.ts";
import { forms, isFormKind } from "../forms/forms.ts";
import { eachAccount } from "../forms/placeholders.ts";
import { fieldAtPath, fieldsOf } from "../forms/places.ts";
import { type FormAction, reduceForm } from "../forms/reduce-form.ts";
import { readBoolean, restoreForm } from "../forms/values-json.ts";
import type { Path } from "../json/exact.ts";
import type { SavedDraft } from "../state/drafts.ts";

/**
 * Returns the fields that name the target of a draft. For several accounts, a placeholder is the
 * account number.
 */
export function targetFields(
  form: Form,
  draft: Pick<SavedDraft, "supplier" | "account">,
): FormValues {
  const forAccount = form.envelope === null;
  return {
    import_supplier: draft.supplier,
    ...(forAccount ? { external_account_number: draft.account ?? eachAccount } : {}),
  };
}

/** Returns true if a draft is composed for several accounts, with placeholders for their values. */
export function isForSeveral(form: Form, draft: Pick<SavedDraft, "account">): boolean {
  return form.envelope === null && draft.account === null;
}

/** Returns the form values of a saved draft, with its query parameters and its target. */
export function formStateOf(form: Form, draft: SavedDraft): FormState {
  const given = targetFields(form, draft);
  const restored = restoreForm(form, draft.value) ?? emptyForm(form, given);
  const query = form.query.flatMap(({ name }): [string, string][] => {
    const chosen = draft.query[name];
    if (chosen !== undefined) return [[name, String(chosen)]];
    // The text of an option that is half typed is saved with the body.
    const text = restored.values[name];
    return typeof text === "string" && readBoolean(text) === null ? [[name, text]] : [];
  });
  const names = new Set(form.query.map(({ name }) => name));
  const body = Object.entries(restored.values).filter(([name]) => !names.has(name));
  return {
    ...restored,
    values: { ...Object.fromEntries(body), ...given, ...Object.fromEntries(query) },
  };
}

/** Returns the values of a form as a draft saves them. */
export function savedValuesOf(form: Form, typed: FormState): Pick<SavedDraft, "value" | "query"> {
  const query = form.query.flatMap(({ name }): [string, boolean][] => {
    const text = typed.values[name];
    const chosen = typeof text === "string" ? readBoolean(text) : null;
    return chosen === null ? [] : [[name, chosen]];
  });
  return { value: typed, query: Object.fromEntries(query) };
}

/**
 * Returns the rest of a draft after its form is sent: the text of the editor beside an empty form.
 * Returns null if there is no such text.
 */
export function leftAfterSending(draft: SavedDraft): SavedDraft | null {
  if (draft.edited === undefined || !isFormKind(draft.kind)) return null;
  const form = forms[draft.kind];
  return { ...draft, value: emptyForm(form, targetFields(form, draft)), query: {}, refusals: [] };
}

/** Returns true if only the target is filled in. */
export function isPristine(
  form: Form,
  draft: SavedDraft,
  state: {
    readonly typed: FormState;
    readonly refusals: SavedDraft["refusals"];
    readonly edited: string | null;
  },
): boolean {
  const { typed, refusals, edited } = state;
  const empty = emptyForm(form, targetFields(form, draft)).values;
  return refusals.length === 0 && edited === null && isDeepStrictEqual(typed.values, empty);
}

/**
 * Returns the optional objects of a blank form or row. They are collapsed at first, so that a long
 * form starts with the required fields.
 */
export function firstFolds(fields: readonly Field[], path: Path): readonly Path[] {
  return fields.flatMap((field): readonly Path[] => {
    const place = [...path, field.name];
    if (field.type === "object") {
      const inner = firstFolds(field.fields, place);
      return field.presence === "optional" ? [place, ...inner] : inner;
    }
    if (field.type !== "rows") return [];
    return Array.from({ length: field.start }, (_, at) =>
      firstFolds(field.item.fields, [...place, at]),
    ).flat();
  });
}

/** Returns the form values after an action, with the optional objects of a new row folded. */
export function collapseNewRows(form: Form, typed: FormState, action: FormAction): FormState {
  if (action.type !== "add-row") return typed;
  const rows = valueAt(typed.values, action.path);
  const spot = fieldAtPath(form, [...action.path, 0]);
  if (spot === null || !isValueRows(rows)) return typed;
  const row = [...action.path, action.at ?? rows.length - 1];
  return firstFolds(fieldsOf(spot), row).reduce(
    (folding, at) => reduceForm(form, folding, { type: "fold", at }),
    typed,
  );
}
