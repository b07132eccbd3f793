/** Plans the bulk run that sends one form to each marked account of a list. */
import type { MarkedAccounts } from "../accounts/marks.ts";
import type { ReadingOptions } from "../bulk/run-settings.ts";
import type { AccountRows } from "../bulk/source.ts";
import type { Form } from "../forms/fields.ts";
import { forms } from "../forms/forms.ts";
import { fillBody } from "../forms/placeholders.ts";
import type { Issue } from "../forms/rules.ts";
import { validateForSeveral } from "../forms/validate.ts";
import { isJsonArray, isJsonObject, type JsonObject, memberOf } from "../json/exact.ts";
import type { SavedDraft } from "../state/drafts.ts";
import type { InputTime } from "../text/loose-dates.ts";
import { formStateOf } from "./draft.ts";

/** The plan to send a draft to each of several accounts, or the reason why it cannot be sent. */
export type MarkedPlan =
  | {
      readonly kind: "plan";
      readonly reading: ReadingOptions;
      readonly supplier: string;
      readonly itemsOf: AccountRows["itemsOf"];
      readonly warnings: readonly Issue[];
    }
  | { readonly kind: "invalid"; readonly form: Form; readonly issues: readonly Issue[] }
  | { readonly kind: "unreadable" };

/** Plans the rows of a draft. Loosely typed dates become exact as of `typedAt`. */
export function markedPlanOf(draft: SavedDraft, typedAt: InputTime): MarkedPlan {
  const { kind, supplier } = draft;
  if (kind !== "notes" && kind !== "transactions") return { kind: "unreadable" };
  const form = forms[kind];
  const allowMissing = draft.allowMissing === true;
  const { values } = formStateOf(form, draft);
  const checked = validateForSeveral(form, values, typedAt, { allowMissing });
  if (!checked.ok) return { kind: "invalid", form, issues: checked.issues };
  const { body, query, warnings } = checked;
  return {
    kind: "plan",
    // Each transaction has a separate answer, but the notes of an account share one answer.
    reading: {
      kind,
      format: "jsonl",
      query,
      allowMissing,
      typedAt,
      group: kind === "notes" ? "account" : "none",
    },
    supplier,
    itemsOf: (number) => itemsFor(form, body, supplier, number),
    warnings,
  };
}

function itemsFor(
  form: Form,
  body: JsonObject,
  supplier: string,
  number: string,
): readonly JsonObject[] {
  const values = { import_supplier: supplier, external_account_number: number };
  const items = memberOf(fillBody(form, body, values), form.itemsField ?? "");
  return isJsonArray(items) ? items.filter(isJsonObject) : [];
}

/** Counts of the marked accounts: sent to, staged and not listed. */
export class MarkedCounts {
  sentTo = 0;
  staged = 0;
  notListed = 0;
}

/**
 * Yields the accounts that the form is sent to, and counts all marked accounts. Yields staged
 * accounts only if `staged` is true.
 */
export function* sentTo(
  marked: MarkedAccounts,
  staged: boolean,
  counts = new MarkedCounts(),
): Generator<string> {
  for (const { external, standing } of marked.each()) {
    if (standing === "staged") counts.staged += 1;
    if (standing === "not-listed") counts.notListed += 1;
    if (standing === "staged" && !staged) continue;
    counts.sentTo += 1;
    yield external;
  }
}
