/**
 * Plans the requests of a draft, for one account or for all marked accounts of a list, and assigns
 * the refusals of the service to its fields.
 */
import type { MarkedAccounts } from "../accounts/marks.ts";
import type { ServiceError } from "../api/errors.ts";
import type { ReadingOptions } from "../bulk/run-settings.ts";
import type { AccountRows } from "../bulk/source.ts";
import { isAppError } from "../errors/app-error.ts";
import type { Form } from "../forms/fields.ts";
import { forms, isFormKind } from "../forms/forms.ts";
import { fillBody } from "../forms/placeholders.ts";
import type { Issue } from "../forms/rules.ts";
import { placeServiceIssues } from "../forms/service-errors.ts";
import { validateForSeveral, validateValues } from "../forms/validate.ts";
import { bytesOf, isJsonArray, isJsonObject, type JsonObject, memberOf } from "../json/exact.ts";
import type { SavedDraft } from "../state/drafts.ts";
import type { InputTime } from "../text/loose-dates.ts";
import type { Target } from "../writes/kinds/kind.ts";
import { kindOf, operationOf } from "../writes/kinds/kinds.ts";
import {
  type PreparedWrite,
  prepareWrite,
  splitWrite,
  type WriteRequest,
} from "../writes/prepare.ts";
import type { WriteResult } from "../writes/send/events.ts";
import { formStateOf } from "./draft.ts";

/** The requests of a draft. The review shows the same bytes that are sent. */
export interface Plan {
  readonly form: Form;
  /** The body as JSON, its outer `payload` included. */
  readonly body: JsonObject;
  readonly warnings: readonly Issue[];
  readonly prepared: PreparedWrite;
  /** True if each item is sent in a separate request, or null if that is not offered. */
  readonly split: boolean | null;
  readonly parts: readonly PreparedWrite[];
}

export type NotPlanned =
  | { readonly kind: "invalid"; readonly form: Form; readonly issues: readonly Issue[] }
  | { readonly kind: "unreadable" };

/**
 * Plans the requests of a draft. Loosely typed dates become exact as of `typedAt`. With `split`,
 * each item is sent in a separate request if that is offered, so that each one has a separate
 * response.
 */
export function planOf(
  draft: SavedDraft,
  typedAt: InputTime,
  split = false,
): { readonly kind: "plan"; readonly plan: Plan } | NotPlanned {
  if (!isFormKind(draft.kind)) return { kind: "unreadable" };
  const form = forms[draft.kind];
  const validation = validateValues(form, formStateOf(form, draft).values, typedAt, {
    allowMissing: draft.allowMissing,
  });
  if (!validation.ok) return { kind: "invalid", form, issues: validation.issues };
  const request: WriteRequest = {
    operation: operationOf(draft.kind),
    query: validation.query,
    body: bytesOf(validation.body),
  };
  try {
    const prepared = prepareWrite(request);
    const { body, warnings } = validation;
    const canSplit = request.operation === "transactions create" && prepared.facts.items.length > 1;
    const parts = canSplit && split ? splitWrite(request).map(prepareWrite) : [prepared];
    const plan = { form, body, warnings, prepared, parts, split: canSplit ? split : null };
    return { kind: "plan", plan };
  } catch (error) {
    if (!isAppError(error, "write")) throw error;
    return { kind: "invalid", form, issues: [{ path: [], message: error.message }] };
  }
}

export interface MarkedPlan {
  readonly kind: "plan";
  readonly reading: ReadingOptions;
  readonly supplier: string;
  readonly itemsOf: AccountRows["itemsOf"];
  readonly warnings: readonly Issue[];
}

/** Plans a draft's rows for several accounts. Loosely typed dates become exact as of `typedAt`. */
export function markedPlanOf(draft: SavedDraft, typedAt: InputTime): MarkedPlan | NotPlanned {
  const { kind, supplier } = draft;
  if (kind !== "notes" && kind !== "transactions") return { kind: "unreadable" };
  const form = forms[kind];
  const allowMissing = draft.allowMissing === true;
  const { values } = formStateOf(form, draft);
  const checked = validateForSeveral(form, values, typedAt, { allowMissing });
  if (!checked.ok) return { kind: "invalid", form, issues: checked.issues };
  const { body, query, warnings } = checked;
  // Each transaction has a separate response, but the notes of an account share one response.
  const group = kind === "notes" ? "account" : "none";
  return {
    kind: "plan",
    reading: { kind, format: "jsonl", query, allowMissing, typedAt, group },
    supplier,
    itemsOf(number) {
      const account = { import_supplier: supplier, external_account_number: number };
      const items = memberOf(fillBody(form, body, account), form.itemsField ?? "");
      return isJsonArray(items) ? items.filter(isJsonObject) : [];
    },
    warnings,
  };
}

/** The numbers of marked accounts. A staged or unlisted account can also be sent to. */
export class MarkedCounts {
  sentTo = 0;
  staged = 0;
  notListed = 0;
}

/**
 * Yields the numbers of the accounts that the form is sent to, and counts all marked accounts.
 * Yields staged accounts only if `includesStaged` is true.
 */
export function* sentTo(
  marked: MarkedAccounts,
  includesStaged: boolean,
  counts = new MarkedCounts(),
): Generator<string> {
  for (const { external, standing } of marked.each()) {
    if (standing === "staged") counts.staged += 1;
    if (standing === "not-listed") counts.notListed += 1;
    if (standing === "staged" && !includesStaged) continue;
    counts.sentTo += 1;
    yield external;
  }
}

export function urlOf(baseUrl: string, path: string, query: PreparedWrite["query"]): string {
  const queryText = new URLSearchParams(query).toString();
  return `${baseUrl}${path}${queryText === "" ? "" : `?${queryText}`}`;
}

export type Refusal = SavedDraft["refusals"][number];

/**
 * Returns the refusals of the service after a 400 (INTERFACE 7.1–7.3) or a 404, with the places of
 * the form to fix. A refusal that concerns no field has an empty path and is shown above the form.
 */
export function refusalsOf(plan: Plan, error: ServiceError): readonly Refusal[] {
  const { form, body } = plan;
  if (error.kind === "not-found")
    return [{ path: [], message: notImportedWords(plan.prepared.facts.target) }];
  const { placed, above } = placeServiceIssues(form, body, error.facts);
  const general = above.map(({ code, detail }) => ({
    path: [],
    message: code === null ? detail : `${detail} (${code})`,
  }));
  const fields = placed.map(({ path, message }) => ({ path, message }));
  if (fields.length + general.length > 0) return [...general, ...fields];
  return [
    { path: [], message: `${error.message} It has no reason; the raw response is complete.` },
  ];
}

/**
 * Returns the refusals of the result of the first request that is not confirmed. `first` is the
 * index of its first item. A write with an unknown outcome might have been refused in part.
 */
export function refusalsOfResult(
  plan: Plan,
  { outcome, error }: WriteResult,
  first: number,
): readonly Refusal[] {
  if (error === null || (outcome !== "rejected" && outcome !== "unknown")) return [];
  const refused = error.kind === "rejected" || error.kind === "not-found";
  return refused ? refusalsOf(plan.split ? fromItem(plan, first) : plan, error) : [];
}

/** Returns the plan of one item, whose index in the form is 0 because the confirmed ones left it. */
function fromItem(plan: Plan, first: number): Plan {
  const { itemsField } = kindOf(plan.prepared.operation);
  const items = itemsField === null ? undefined : plan.body[itemsField];
  if (itemsField === null || !isJsonArray(items)) return plan;
  return { ...plan, body: { ...plan.body, [itemsField]: items.slice(first, first + 1) } };
}

export function notImportedWords(target: Target): string {
  const problem =
    target.kind === "account"
      ? `${target.importSupplier} has no imported account ${target.externalAccountNumber}`
      : "The service does not know it";
  return `${problem} (404): it might be staged and not imported yet, or the supplier code or number is wrong.`;
}
