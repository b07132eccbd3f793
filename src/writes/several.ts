/** Sorts several entries by what can be done with each of them. */
import { isAppError } from "../errors/app-error.ts";
import { planResend } from "./resend.ts";
import { entryOf, type WriteContext } from "./submit.ts";
import { planVerification, type VerifyPlan } from "./verify.ts";

/** Entries read from the journal at a time. */
const readTogether = 200;

/**
 * Returns the entries that the retry table lets be sent again: retryable ones, without those that
 * the duplicate guard holds back. Rejects with a journal error.
 */
export async function resendable(context: WriteContext, ids: readonly number[]) {
  const wanted: number[] = [];
  /** The service would not recognize the repetition of these. */
  const inDoubt = new Set<number>();
  for (const [at, id] of ids.entries()) {
    // Each plan reads the journal, so keys are handled in between.
    if (at % readTogether === 0) await new Promise((resolve) => setImmediate(resolve));
    if (entryOf(context, id).state !== "retryable") continue;
    const { kind } = planResend(context, id);
    if (kind !== "safe" && kind !== "may-land-twice") continue;
    wanted.push(id);
    if (kind === "may-land-twice") inDoubt.add(id);
  }
  return { ids: wanted, leftOut: ids.length - wanted.length, inDoubt };
}

/**
 * Sorts entries by the plan of their verification: only checked at the service, sent again with its
 * check, or left out. Throws a journal error.
 */
export function verifiable(context: WriteContext, ids: readonly number[]) {
  const plans = Map.groupBy(ids, (id) => planOf(context, id));
  const of = (kind: VerifyPlan["kind"]) => plans.get(kind) ?? [];
  return {
    reads: of("look-up"),
    sends: [...of("checked-resend"), ...of("by-item")],
    leftOut: of("impossible").length,
  };
}

function planOf(context: WriteContext, id: number): VerifyPlan["kind"] {
  try {
    return planVerification(context, id).kind;
  } catch (error) {
    // Another process may have found it out in the meantime.
    if (isAppError(error, "write")) return "impossible";
    throw error;
  }
}
