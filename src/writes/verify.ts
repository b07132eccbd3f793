/** Verifies an entry with an unknown outcome. Only the presence of its items resolves it. */
import { isSameService } from "../api/url.ts";
import { isAppError } from "../errors/app-error.ts";
import type { Rows } from "../sqlite/rows.ts";
import { type ActivityOutcome, outcomeOf } from "./activity.ts";
import { addRemark, setItems } from "./journal/changes.ts";
import {
  type Entry,
  entryError,
  isUnusableEntry,
  readAttempts,
  readItems,
} from "./journal/entry.ts";
import type { Item } from "./kinds/kind.ts";
import { kindOf, noCheckedResend } from "./kinds/kinds.ts";
import { prepareWrite, splitWrite, type WriteRequest } from "./prepare.ts";
import {
  type SendOptions,
  throwIfRefused,
  type WriteContext,
  type WriteResult,
} from "./send/events.ts";
import { sendEntry } from "./send/send-entry.ts";
import { entryOf, recordWrite, sendIntent } from "./submit.ts";
import { unapprovedIn, waitingEntries, waitingItems } from "./team/request-approval.ts";

export type VerifyPlan =
  | { readonly kind: "look-up" }
  /** The same bytes are sent again. The response shows which items already exist. */
  | { readonly kind: "checked-resend" }
  /** Items are sent again in separate requests, because the service rejected the whole one. */
  | { readonly kind: "by-item"; readonly positions: readonly number[] }
  | { readonly kind: "impossible"; readonly why: string };

export interface Verification {
  readonly plan: VerifyPlan["kind"];
  readonly outcome: ActivityOutcome;
  /**
   * The result of the entry, or those of the entries for its single items, in order. The last is the
   * first that failed. Empty if nothing was sent.
   */
  readonly results: readonly WriteResult[];
  readonly items: readonly Item[];
}

export function verifyWords(plan: VerifyPlan): string {
  switch (plan.kind) {
    case "look-up":
      return "Verifying only reads: it looks for the supply point's import at the service. If it is there, that confirms it.";
    case "checked-resend":
      return "Verifying sends the same request again. The service adds only what is missing, so nothing is applied twice.";
    case "by-item":
      return `Verifying sends each of ${plan.positions.length} open items in a separate request; the service reports what already exists.`;
    case "impossible":
      return plan.why;
  }
}

/**
 * Sorts entries by their verification plan: `reads` are only looked up, `sends` are sent again, and
 * the rest is left out. Throws a journal error.
 */
export function verifiableEntries(context: WriteContext, ids: readonly number[]) {
  const planOf = (id: number): VerifyPlan["kind"] => {
    try {
      return planVerification(context, id).kind;
    } catch (error) {
      // Another process might have settled the entry in the meantime.
      if (isAppError(error, "write")) return "impossible";
      throw error;
    }
  };
  const plans = Map.groupBy(ids, planOf);
  const idsOf = (kind: VerifyPlan["kind"]) => plans.get(kind) ?? [];
  return {
    reads: idsOf("look-up"),
    sends: [...idsOf("checked-resend"), ...idsOf("by-item")],
    leftOut: idsOf("impossible").length,
  };
}

/** Returns an entry's verification plan. Throws a write error for no entry or a known outcome. */
export function planVerification(context: WriteContext, id: number): VerifyPlan {
  try {
    return planFor(context, entryOf(context, id));
  } catch (error) {
    if (isUnusableEntry(error)) return { kind: "impossible", why: error.message };
    throw error;
  }
}

function planFor(context: WriteContext, entry: Entry): VerifyPlan {
  const { id } = entry;
  if (entry.state !== "unknown") {
    const words = `Entry ${id} is ${entry.state}; only an unknown outcome is verified.`;
    throw entryError(id, "not-possible", words);
  }
  if (!isSameService(entry.baseUrl, context.service.baseUrl)) {
    const why = `It was for ${entry.baseUrl}; use the profile of that service.`;
    return { kind: "impossible", why };
  }
  return context.journal.read((rows) => verifyPlanOf(rows, entry));
}

/**
 * Returns the verification plan of an unknown entry for its own service. Throws a write error
 * `invalid` if its body is damaged.
 */
export function verifyPlanOf(rows: Rows, entry: Entry): VerifyPlan {
  const { id, operation, query, body } = entry;
  if (body === null) return { kind: "impossible", why: "Its body is no longer stored." };
  const { readBack } = kindOf(operation);
  if (readBack.by === "look-up") return { kind: "look-up" };
  if (readBack.by === "nothing") {
    return { kind: "impossible", why: `It cannot be read back: look at ${readBack.where}.` };
  }
  const write = prepareWrite({ operation, query, body });
  const refused = readAttempts(rows, id).some(({ outcome }) => outcome === "400");
  const { deduplicated, facts } = write;
  const why = noCheckedResend(readBack, {
    deduplicated,
    refused: refused && facts.items.length === 1,
  });
  if (why !== null) return { kind: "impossible", why };
  if (!refused) return { kind: "checked-resend" };
  const items = readItems(rows, id);
  const known = new Map(items.map(({ position, outcome }) => [position, outcome]));
  const positions = write.facts.items
    .map((_item, position) => position)
    .filter((position) => (known.get(position) ?? "unknown") === "unknown");
  return { kind: "by-item", positions };
}

export function requestsOf(
  context: WriteContext,
  id: number,
  plan: VerifyPlan,
): readonly WriteRequest[] {
  if (plan.kind === "look-up" || plan.kind === "impossible") return [];
  const { operation, query, body } = entryOf(context, id);
  const request = { operation, query, body: body ?? new Uint8Array() };
  if (plan.kind === "checked-resend") return [request];
  const requests = splitWrite(request);
  return plan.positions.flatMap((position) => requests[position] ?? []);
}

/**
 * Verifies an entry by its plan. Rejects with a journal error or a write error, `not-possible` if
 * no verification is possible.
 */
export async function verify(
  context: WriteContext,
  id: number,
  options: SendOptions,
): Promise<Verification> {
  const plan = planVerification(context, id);
  const isRead = plan.kind === "look-up";
  throwIfRefused(isRead ? { teamRefusal: null } : context, options);
  switch (plan.kind) {
    case "impossible":
      throw entryError(id, "not-possible", plan.why);
    case "by-item":
      return verifyItems(context, id, plan.positions, options);
    case "checked-resend":
    case "look-up": {
      const at = context.clock.now();
      await context.journal.commit((rows) =>
        addRemark(rows, id, { at, kind: "verified", text: plan.kind }),
      );
      const purpose = plan.kind === "look-up" ? "verify" : "send";
      const result = await sendEntry(context, id, ["unknown"], options, purpose);
      const { outcome, items } = result;
      return { plan: plan.kind, outcome, results: [result], items };
    }
  }
}

/**
 * Verifies the items at these positions, each as a separate entry. Stops after a failure, but not after
 * an item that needs an approval: all of them are asked about together. An item that waits for its
 * approval has its entry already.
 */
async function verifyItems(
  context: WriteContext,
  id: number,
  positions: readonly number[],
  options: SendOptions,
): Promise<Verification> {
  const entry = entryOf(context, id);
  const { operation, query, body } = entry;
  const requests = splitWrite({ operation, query, body: body ?? new Uint8Array() });
  const waiting = waitingEntries(context, waitingItems(context, id));
  const results: WriteResult[] = [];
  for (const position of positions) {
    const request = requests[position];
    if (request === undefined) continue;
    const child =
      waiting(request) ?? (await recordWrite(context, request, { ...options, parent: id }));
    const result = await sendIntent(context, child, options);
    results.push(result);
    const [item] = result.items;
    if (result.outcome === "confirmed" && item)
      await context.journal.commit((rows) => setItems(rows, id, [{ ...item, position }]));
    if (result.outcome !== "confirmed" && unapprovedIn(result) === null) break;
  }
  const outcome = await settleByItems(context, entry);
  const items = context.journal.read((rows) => readItems(rows, id));
  return { plan: "by-item", outcome, results, items };
}

/**
 * Settles an entry if the outcome of every item is known. The entry is confirmed if every item
 * exists, and closed otherwise. Returns its outcome.
 */
function settleByItems(context: WriteContext, entry: Entry): Promise<ActivityOutcome> {
  const { journal, clock } = context;
  return journal.commit((rows) => {
    const at = clock.now();
    const items = readItems(rows, entry.id);
    const count = (outcome: Item["outcome"]) =>
      items.filter((item) => item.outcome === outcome).length;
    if (items.length === 0 || count("unknown") > 0) return outcomeOf(entry.state);
    const tookEffect = count("created") + count("exists");
    const state = tookEffect === items.length ? "confirmed" : "closed";
    const settled = { state, reason: "settled-by-items", ended_at: at };
    rows.update("intent", settled, "id = ? AND state = 'unknown'", entry.id);
    const text = `${tookEffect} took effect, ${count("rejected")} rejected, ${count("not-reached")} not reached`;
    addRemark(rows, entry.id, { at, kind: "verified", text });
    return state;
  });
}
