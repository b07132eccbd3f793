import { itemsOf, requestsEach, requestsFor, type Template } from "../../bulk/for-accounts.ts";
import type { Form } from "../../forms/fields.ts";
import { forms } from "../../forms/forms.ts";
import type { Issue } from "../../forms/issue.ts";
import { validateForSeveral } from "../../forms/validate-several.ts";
import { isJsonArray, memberOf } from "../../json/exact.ts";
import { formStateOf } from "../../session/draft-form.ts";
import type { SavedDraft } from "../../state/drafts.ts";
import type { InputTime } from "../../text/loose-dates.ts";
import { plural } from "../../text/numbers.ts";
import { kindOf, operationOf } from "../../writes/kinds/kinds.ts";
import { type PreparedWrite, prepareWrite } from "../../writes/prepare.ts";
import { Contents } from "../../writes/words/contents.ts";

/** A draft as it will be sent to each of the marked accounts. */
export type MarkedPlan =
  | { readonly kind: "plan"; readonly template: Template; readonly warnings: readonly Issue[] }
  | { readonly kind: "invalid"; readonly form: Form; readonly issues: readonly Issue[] }
  | { readonly kind: "unreadable" };

/** Makes the template of a draft. Loosely typed dates are made exact as of `typedAt`. */
export function markedPlanOf(draft: SavedDraft, typedAt: InputTime): MarkedPlan {
  const { kind } = draft;
  if (kind !== "notes" && kind !== "transactions") return { kind: "unreadable" };
  const form = forms[kind];
  const checked = validateForSeveral(form, formStateOf(form, draft).values, typedAt, {
    allowMissing: draft.allowMissing,
  });
  if (!checked.ok) return { kind: "invalid", form, issues: checked.issues };
  const { body, query, warnings } = checked;
  const template: Template = {
    kind,
    importSupplier: draft.supplier,
    body,
    query,
    allowMissing: draft.allowMissing === true,
  };
  return { kind: "plan", template, warnings };
}

/** The amounts that are sent to a number of accounts. */
export interface Amounts {
  /** Total number of notes or transactions. On production the user types this number to confirm. */
  readonly rows: number;
  readonly requests: number;
  /** `3 notes`, `6 transactions`. */
  readonly words: string;
  /** The items with types and money: `6 CHARGE of 1.50 in all`. */
  readonly contents: string;
  /** The exact sum of all transactions, or null for notes. */
  readonly sum: string | null;
}

/** Returns the amounts of a template for a number of accounts. */
export function amountsOf(template: Template, accounts: number): Amounts {
  const rows = itemsOf(template) * accounts;
  const operation = operationOf(template.kind);
  const { item, itemsField } = kindOf(operation);
  const items = memberOf(template.body, itemsField ?? "");
  const contents = new Contents(operation);
  contents.add(isJsonArray(items) ? items : [], accounts);
  return {
    rows,
    requests: requestsEach(template) * accounts,
    words: plural(rows, item),
    contents: contents.words(),
    sum: contents.sum,
  };
}

/** The requests of one account as they will be sent; its rows count on from `firstLine`. */
export function preparedFor(template: Template, account: string): readonly PreparedWrite[] {
  return requestsFor(template, account, 1).map(({ write }) => prepareWrite(write));
}
