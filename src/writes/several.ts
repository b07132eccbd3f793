/** Sorts marked journal entries by the action that each allows: a resend or a verification. */
import { isAppError } from "../errors/app-error.ts";
import { planResend } from "./resend.ts";
import { entryOf, type WriteContext } from "./submit.ts";
import { planVerification, type VerifyPlan } from "./verify.ts";

/** Number of entries that are read before other work runs. */
const readTogether = 200;

/**
 * Returns the IDs of retryable entries that the duplicate guard does not bar. `leftOut` is the
 * number of other entries. Rejects with a journal error.
 */
export async function resendable(context: WriteContext, ids: readonly number[]) {
  const wanted: number[] = [];
  /** IDs of entries whose repetition the service would not recognize. */
  const inDoubt = new Set<number>();
  for (const [at, id] of ids.entries()) {
    // Each plan reads the journal synchronously, so keys are handled in between.
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
 * Sorts entries by their verification plan: `reads` are only looked up, `sends` are sent again, and
 * the rest is left out. Throws a journal error.
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
    // Another process might have settled the entry in the meantime.
    if (isAppError(error, "write")) return "impossible";
    throw error;
  }
}
