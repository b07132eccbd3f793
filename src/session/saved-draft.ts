import { isDeepStrictEqual } from "node:util";
import { type DraftObject, emptyDraft, restoreDraft, type Draft as Typed } from "../forms/draft.ts";
import { type Form, isFormKind } from "../forms/fields.ts";
import { forms } from "../forms/forms.ts";
import { eachAccount } from "../forms/placeholders.ts";
import type { Draft } from "../settings/draft.ts";

/** What a draft starts with: whom it is for; without an account, each of several. */
export function givenOf(form: Form, draft: Pick<Draft, "supplier" | "account">): DraftObject {
  const forAccount = form.envelope === null;
  return {
    import_supplier: draft.supplier,
    ...(forAccount ? { external_account_number: draft.account ?? eachAccount } : {}),
  };
}

/** Whether it is composed for several accounts, with placeholders for what is each one's own. */
export function isForSeveral(form: Form, draft: Pick<Draft, "account">): boolean {
  return form.envelope === null && draft.account === null;
}

/** The texts of a kept draft, its query parameters among them; whom it is for is never lost. */
export function typedOf(form: Form, draft: Draft): Typed {
  const given = givenOf(form, draft);
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

/** The form as it is kept. */
export function keptOf(form: Form, typed: Typed): Pick<Draft, "value" | "query"> {
  const query = form.query.flatMap(({ name }): [string, boolean][] => {
    const chosen = typed.values[name];
    return typeof chosen === "string" && chosen !== "" ? [[name, chosen === "true"]] : [];
  });
  return { value: typed, query: Object.fromEntries(query) };
}

/** What is left of a draft once its form is sent: what waits from the editor, beside an empty form. */
export function leftAfterSending(draft: Draft): Draft | null {
  if (draft.edited === undefined || !isFormKind(draft.kind)) return null;
  const form = forms[draft.kind];
  return { ...draft, value: emptyDraft(form, givenOf(form, draft)), query: {}, refusals: [] };
}

/** Whether nothing but whom it is for stands in it. */
export function isPristine(
  form: Form,
  draft: Draft,
  state: {
    readonly typed: Typed;
    readonly refusals: Draft["refusals"];
    readonly edited: string | null;
  },
): boolean {
  const { typed, refusals, edited } = state;
  const empty = emptyDraft(form, givenOf(form, draft)).values;
  return refusals.length === 0 && edited === null && isDeepStrictEqual(typed.values, empty);
}
