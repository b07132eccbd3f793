import type { ServiceError } from "../../api/errors.ts";
import { isFormValues, isValueRows } from "../../forms/form-values.ts";
import { placeServiceIssues } from "../../forms/service-errors.ts";
import { isJsonArray } from "../../json/exact.ts";
import type { Plan } from "../../session/send-form.ts";
import type { SavedDraft } from "../../state/drafts.ts";
import type { Item } from "../../writes/kinds/kind.ts";
import { kindOf } from "../../writes/kinds/kinds.ts";
import {
  type PreparedWrite,
  prepareWrite,
  splitWrite,
  type WriteRequest,
} from "../../writes/prepare.ts";
import type { WriteResult } from "../../writes/submit.ts";

/**
 * Returns true if each item can be sent in a separate request, so that each one has a separate
 * answer.
 */
export function canSplit({ prepared }: Plan): boolean {
  return prepared.operation === "transactions create" && prepared.facts.items.length > 1;
}

/** The requests of a plan, in the order in which they are sent. */
export function requestsOf(plan: Plan, split: boolean): readonly WriteRequest[] {
  return split && canSplit(plan) ? splitWrite(plan.request) : [plan.request];
}

/** The same with what the write path knows of each. */
export function preparedOf(plan: Plan, split: boolean): readonly PreparedWrite[] {
  return split && canSplit(plan) ? requestsOf(plan, split).map(prepareWrite) : [plan.prepared];
}

/**
 * Returns the rest of a draft: null if everything is confirmed, else the unconfirmed items with
 * their refusals.
 */
export function remainingDraft(
  plan: Plan,
  split: boolean,
  draft: SavedDraft,
  results: readonly WriteResult[],
): SavedDraft | null {
  const last = results.at(-1);
  const confirmed = results.filter(({ outcome }) => outcome === "confirmed").length;
  if (last === undefined) return draft;
  if (confirmed === requestsOf(plan, split).length) return null;
  const rest = confirmed === 0 ? draft : withoutRows(plan, draft, confirmed);
  const refusals = refusalsOfResult(split ? fromItem(plan, confirmed) : plan, last);
  return refusals.length === 0 && rest === draft ? draft : { ...rest, refusals };
}

/** The plan of what is left from an item on: that is what the form shows then. */
export function fromItem(plan: Plan, first: number): Plan {
  const { itemsField } = kindOf(plan.prepared.operation);
  const items = itemsField === null ? undefined : plan.body[itemsField];
  if (itemsField === null || !isJsonArray(items)) return plan;
  return { ...plan, body: { ...plan.body, [itemsField]: items.slice(first, first + 1) } };
}

function withoutRows(plan: Plan, draft: SavedDraft, count: number): SavedDraft {
  const { itemsField } = kindOf(plan.prepared.operation);
  const { value } = draft;
  if (itemsField === null || !isFormValues(value) || !isFormValues(value.values)) return draft;
  const rows = value.values[itemsField];
  if (!isValueRows(rows)) return draft;
  const values = { ...value.values, [itemsField]: rows.slice(count) };
  // What was folded was folded by row number; the rows have moved.
  return { ...draft, value: { ...value, values, folded: [] } };
}

/** The end of several requests as one: the last one's, with the items of all of them. */
export function combined(
  plan: Plan,
  results: readonly [WriteResult, ...WriteResult[]],
  split: boolean,
): WriteResult {
  const last = results.at(-1) ?? results[0];
  if (!split) return last;
  const { labels } = plan.prepared.facts;
  const ended = results.flatMap(({ items }, position) =>
    items.map((item): Item => ({ ...item, position })),
  );
  const left = labels.slice(results.length).map(
    (label, at): Item => ({
      position: results.length + at,
      label,
      outcome: "not-reached",
      status: null,
    }),
  );
  const items = [...ended, ...left];
  // What was stopped between two requests is confirmed in part only.
  if (left.length === 0 || last.outcome !== "confirmed") return { ...last, items };
  return { ...last, outcome: "unsent", reason: "cancelled", items };
}

export type Refusal = SavedDraft["refusals"][number];

/**
 * Returns the places of a form to fix after a 400 (INTERFACE 7.1–7.3) or a 404. A refusal that
 * concerns no field has an empty path and is shown above the form.
 */
export function refusalsOf(plan: Plan, error: ServiceError): readonly Refusal[] {
  const { form, body } = plan;
  if (error.kind === "not-found") return [{ path: [], message: notImported(plan) }];
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
 * The refusals of a write that has ended; none when it was not refused. One that is unknown as a
 * whole may have been refused in part.
 */
export function refusalsOfResult(plan: Plan, result: WriteResult): readonly Refusal[] {
  const { outcome, error } = result;
  if (error === null || (outcome !== "rejected" && outcome !== "unknown")) return [];
  const refused = error.kind === "rejected" || error.kind === "not-found";
  return refused ? refusalsOf(plan, error) : [];
}

function notImported({ prepared }: Plan): string {
  const { target } = prepared.facts;
  const whom =
    target.kind === "account"
      ? `${target.importSupplier} has no imported account ${target.externalAccountNumber}`
      : "The service does not know it";
  return `${whom} (404): it might be staged and not imported yet, or the supplier code or number is wrong.`;
}
