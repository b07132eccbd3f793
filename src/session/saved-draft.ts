import { isDeepStrictEqual } from "node:util";
import {
  type DraftObject,
  draftAt,
  emptyDraft,
  type Draft as FormValues,
  isDraftRows,
  restoreDraft,
} from "../forms/draft.ts";
import type { Field, Form, Path } from "../forms/fields.ts";
import { forms, isFormKind } from "../forms/forms.ts";
import { fieldsOf, spotAt } from "../forms/paths.ts";
import { eachAccount } from "../forms/placeholders.ts";
import { type DraftAction, reduceDraft } from "../forms/reduce-draft.ts";
import type { Draft } from "../settings/draft.ts";

/** The fields that name the target of a draft; without an account, a placeholder for each of several. */
export function targetFields(form: Form, draft: Pick<Draft, "supplier" | "account">): DraftObject {
  const forAccount = form.envelope === null;
  return {
    import_supplier: draft.supplier,
    ...(forAccount ? { external_account_number: draft.account ?? eachAccount } : {}),
  };
}

/** Whether a draft is composed for several accounts, with placeholders for what differs. */
export function isForSeveral(form: Form, draft: Pick<Draft, "account">): boolean {
  return form.envelope === null && draft.account === null;
}

/** The form values of a saved draft, with its query parameters; its target is always filled in. */
export function formValuesOf(form: Form, draft: Draft): FormValues {
  const given = targetFields(form, draft);
  const restored = restoreDraft(form, draft.value) ?? emptyDraft(form, given);
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

/** The form values as a draft saves them. */
export function savedValuesOf(form: Form, typed: FormValues): Pick<Draft, "value" | "query"> {
  const query = form.query.flatMap(({ name }): [string, boolean][] => {
    const chosen = typed.values[name];
    return typeof chosen === "string" && chosen !== "" ? [[name, chosen === "true"]] : [];
  });
  return { value: typed, query: Object.fromEntries(query) };
}

/** What is left of a draft once its form is sent: the text of the editor, beside an empty form. */
export function leftAfterSending(draft: Draft): Draft | null {
  if (draft.edited === undefined || !isFormKind(draft.kind)) return null;
  const form = forms[draft.kind];
  return { ...draft, value: emptyDraft(form, targetFields(form, draft)), query: {}, refusals: [] };
}

/** Whether only the target is filled in. */
export function isPristine(
  form: Form,
  draft: Draft,
  state: {
    readonly typed: FormValues;
    readonly refusals: Draft["refusals"];
    readonly edited: string | null;
  },
): boolean {
  const { typed, refusals, edited } = state;
  const empty = emptyDraft(form, targetFields(form, draft)).values;
  return refusals.length === 0 && edited === null && isDeepStrictEqual(typed.values, empty);
}

/**
 * The optional objects of a blank form or row, which are folded at first, so that a long form starts
 * with what is required.
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

/** The form values after an action, with the optional objects of a new row folded. */
export function withFirstFolds(form: Form, typed: FormValues, action: DraftAction): FormValues {
  if (action.type !== "add-row") return typed;
  const rows = draftAt(typed.values, action.path);
  const spot = spotAt(form, [...action.path, 0]);
  if (spot === null || !isDraftRows(rows)) return typed;
  const row = [...action.path, action.at ?? rows.length - 1];
  return firstFolds(fieldsOf(spot), row).reduce(
    (folding, at) => reduceDraft(form, folding, { type: "fold", at }),
    typed,
  );
}
