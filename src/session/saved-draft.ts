import { isDeepStrictEqual } from "node:util";
import { type Field, type Form, isFormKind } from "../forms/fields.ts";
import type { FormState } from "../forms/form-values.ts";
import {
  emptyForm,
  type FormValues,
  isValueRows,
  restoreForm,
  type FormState as Typed,
  valueAt,
} from "../forms/form-values.ts";
import { forms } from "../forms/forms.ts";
import { fieldsOf, spotAt } from "../forms/paths.ts";
import { eachAccount } from "../forms/placeholders.ts";
import { type FormAction, reduceForm } from "../forms/reduce-form.ts";
import type { Path } from "../json/value.ts";
import type { SavedDraft } from "../settings/saved-drafts.ts";

/** What a draft starts with: whom it is for; without an account, each of several. */
export function givenOf(form: Form, draft: Pick<SavedDraft, "supplier" | "account">): FormValues {
  const forAccount = form.envelope === null;
  return {
    import_supplier: draft.supplier,
    ...(forAccount ? { external_account_number: draft.account ?? eachAccount } : {}),
  };
}

/** Whether it is composed for several accounts, with placeholders for what is each one's own. */
export function isForSeveral(form: Form, draft: Pick<SavedDraft, "account">): boolean {
  return form.envelope === null && draft.account === null;
}

/** The texts of a kept draft, its query parameters among them; whom it is for is never lost. */
export function typedOf(form: Form, draft: SavedDraft): FormState {
  const given = givenOf(form, draft);
  const restored = restoreForm(form, draft.value) ?? emptyForm(form, given);
  const query = form.query.flatMap(({ name }): [string, string][] => {
    const chosen = draft.query[name];
    return chosen === undefined ? [] : [[name, String(chosen)]];
  });
  const names = new Set(form.query.map(({ name }) => name));
  const body = Object.entries(restored.values).filter(([name]) => !names.has(name));
  return {
    ...restored,
    values: { ...Object.fromEntries(body), ...given, ...Object.fromEntries(query) },
  };
}

/** The form as it is kept. */
export function keptOf(form: Form, typed: FormState): Pick<SavedDraft, "value" | "query"> {
  const query = form.query.flatMap(({ name }): [string, boolean][] => {
    const chosen = typed.values[name];
    return typeof chosen === "string" && chosen !== "" ? [[name, chosen === "true"]] : [];
  });
  return { value: typed, query: Object.fromEntries(query) };
}

/** What is left of a draft once its form is sent: what waits from the editor, beside an empty form. */
export function leftAfterSending(draft: SavedDraft): SavedDraft | null {
  if (draft.edited === undefined || !isFormKind(draft.kind)) return null;
  const form = forms[draft.kind];
  return { ...draft, value: emptyForm(form, givenOf(form, draft)), query: {}, refusals: [] };
}

/** Whether nothing but whom it is for stands in it. */
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
  const empty = emptyForm(form, givenOf(form, draft)).values;
  return refusals.length === 0 && edited === null && isDeepStrictEqual(typed.values, empty);
}

/**
 * The objects of a blank form, or of a blank row, that may be left out: folded away at first, so that
 * a long form begins with what is needed.
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

/** The draft after an action, a new row with what may be left out folded away. */
export function withFirstFolds(form: Form, typed: Typed, action: FormAction): Typed {
  if (action.type !== "add-row") return typed;
  const rows = valueAt(typed.values, action.path);
  const spot = spotAt(form, [...action.path, 0]);
  if (spot === null || !isValueRows(rows)) return typed;
  const row = [...action.path, action.at ?? rows.length - 1];
  return firstFolds(fieldsOf(spot), row).reduce(
    (folding, at) => reduceForm(form, folding, { type: "fold", at }),
    typed,
  );
}
