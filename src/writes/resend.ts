/** Plans and sends a journal entry again at the operator's request, with the recorded bytes. */
import { setImmediate } from "node:timers/promises";
import { isSameService } from "../api/url.ts";
import type { AppError } from "../errors/app-error.ts";
import type { Rows } from "../sqlite/rows.ts";
import type { FoundItem } from "./guard.ts";
import { addRemark } from "./journal/changes.ts";
import {
  type Entry,
  entryError,
  isUnusableEntry,
  readRemarks,
  type State,
} from "./journal/entry.ts";
import {
  addOverride,
  type Finding,
  notPassed,
  readPasses,
  readTeamBars,
} from "./journal/override.ts";
import { olderJournalError } from "./older-journal.ts";
import { prepareWrite } from "./prepare.ts";
import { askAboutEntry, type EntryBar, entryBarError, entryBarOf } from "./resend-guard.ts";
import {
  type ResendOptions,
  throwIfRefused,
  type WriteContext,
  type WriteResult,
} from "./send/events.ts";
import { sendEntry } from "./send/send-entry.ts";
import { entryOf } from "./submit.ts";
import { isWaiting } from "./team/request-approval.ts";
import { barWords, describeEarlierEntry } from "./words/guard.ts";
import { reasonWords } from "./words/outcomes.ts";
import { teamBarredError } from "./words/team.ts";

/** The states that can be sent again. `intent` is a row of a run that no process is sending. */
const resendable: readonly State[] = ["intent", "unsent", "rejected", "retryable", "unknown"];

export interface TeamBarred {
  readonly kind: "barred-by-team";
  readonly words: string;
  readonly findings: readonly Finding[];
}

export type ResendPlan =
  | {
      readonly kind: "safe";
      /** An earlier entry with the same item, which the service recognizes, if there is one. */
      readonly reported?: FoundItem | undefined;
    }
  /**
   * The service rejected the entry with a 400, the entry might take effect twice, or another entry
   * with one of its items took effect or might have. It is sent only with a reason.
   */
  | EntryBar
  /** The entries of colleagues barred the entry when it was last claimed. */
  | TeamBarred
  /** An override that passes all bars is part of what a second person is asked to approve. */
  | { readonly kind: "overrides"; readonly reported?: FoundItem | undefined }
  | { readonly kind: "impossible"; readonly error: AppError<"write"> };

export function doubtOf(plan: ResendPlan): AppError | null {
  switch (plan.kind) {
    case "safe":
    case "overrides":
    case "impossible":
      return null;
    case "barred-by-team":
      return teamBarredError(plan.words);
    case "might-apply-twice":
    case "refused-before":
    case "sent-before":
      return entryBarError(plan);
  }
}

export function findingsOf(plan: ResendPlan): readonly Finding[] {
  return plan.kind === "barred-by-team" ? plan.findings : (barIn(plan)?.findings ?? []);
}

function barIn(plan: ResendPlan): EntryBar | null {
  switch (plan.kind) {
    case "safe":
    case "overrides":
    case "impossible":
    case "barred-by-team":
      return null;
    case "might-apply-twice":
    case "refused-before":
    case "sent-before":
      return plan;
  }
}

export function resendWords(plan: ResendPlan): string {
  switch (plan.kind) {
    case "safe":
      return [
        "The same bytes are sent again. It cannot take effect twice: either it had no effect, or the service recognizes what already exists.",
        ...(plan.reported === undefined ? [] : [describeEarlierEntry(plan.reported)]),
      ].join(" ");
    case "overrides":
      return "It overrides what was found before, as the request for its approval says: it might take effect twice.";
    case "might-apply-twice":
      return "It might have taken effect, and the service would not recognize it: sent again, it might take effect twice. Check the account first.";
    case "refused-before":
    case "sent-before":
      return barWords(plan);
    case "barred-by-team":
      return plan.words;
    case "impossible":
      return plan.error.message;
  }
}

/** Returns the plan of a resend of an entry. Throws a write error `not-found`. */
export function planResend(context: WriteContext, id: number): ResendPlan {
  try {
    return planFor(context, entryOf(context, id));
  } catch (error) {
    if (isUnusableEntry(error)) return { kind: "impossible", error };
    throw error;
  }
}

function planFor(context: WriteContext, entry: Entry): ResendPlan {
  const error = resendError(context, entry);
  if (error !== null) return { kind: "impossible", error };
  const { operation, query, body } = entry;
  const write = prepareWrite({ operation, query, body: body ?? new Uint8Array() });
  // The override of an entry that waited for an approval is part of what was approved.
  const isApproved = entry.reason === "not-approved";
  const passes = isApproved ? context.journal.read((rows) => readPasses(rows, entry.id)) : [];
  const finding = context.journal.read((rows) => askAboutEntry(rows, entry, write, passes));
  const bar = entryBarOf(finding);
  const theirs = isApproved ? null : context.journal.read((rows) => teamBarOf(rows, entry.id));
  if (bar !== null)
    return theirs === null ? bar : { ...bar, findings: [...bar.findings, ...theirs.findings] };
  if (theirs !== null) return theirs;
  const reported = finding.kind === "reported" ? finding : undefined;
  return { kind: passes.length === 0 ? "safe" : "overrides", reported };
}

export function teamBarOf(rows: Rows, id: number): TeamBarred | null {
  const findings = readTeamBars(rows, id);
  if (findings.length === 0) return null;
  const words = readRemarks(rows, id).findLast(({ kind }) => kind === "guarded")?.text;
  return { kind: "barred-by-team", words: words ?? reasonWords["sent-before"], findings };
}

const pageSize = 200;

/**
 * Returns the IDs of retryable entries that no other entry bars, of entries that the duplicate guard
 * held back or that wait for an approval, and of the rejected ones in `rejected`. `leftOut` is the number
 * of other entries, and `inDoubt` has the IDs of entries that might take effect twice. Rejects with a journal error.
 */
export async function resendableEntries(
  context: WriteContext,
  ids: readonly number[],
  rejected: ReadonlySet<number>,
) {
  const resendableIds: number[] = [];
  const inDoubt = new Set<number>();
  for (const [at, id] of ids.entries()) {
    // Each plan reads the journal synchronously, so keys are handled in between.
    if (at % pageSize === 0) await setImmediate();
    const { state, reason } = entryOf(context, id);
    const isHeldBack = state === "unsent" && reason === "sent-before";
    const isRejected = state === "rejected" && rejected.has(id);
    const isUnapproved = isWaiting({ state, reason });
    if (state !== "retryable" && !isHeldBack && !isRejected && !isUnapproved) continue;
    const plan = planResend(context, id);
    const bar = barIn(plan)?.kind;
    const isBarred = bar === "refused-before" || (bar === "sent-before" && !isHeldBack);
    if (plan.kind === "impossible" || isBarred) continue;
    resendableIds.push(id);
    if (doubtOf(plan) !== null) inDoubt.add(id);
  }
  return { ids: resendableIds, leftOut: ids.length - resendableIds.length, inDoubt };
}

/**
 * Sends an entry's bytes again and resolves with the new outcome. Stores the override with the
 * entry. Rejects with a write error or a journal error if the entry was not sent: it is settled,
 * purged, for another service, or in doubt beyond the findings that the override passes.
 */
export async function resend(
  context: WriteContext,
  id: number,
  { override, ...options }: ResendOptions,
): Promise<WriteResult> {
  throwIfRefused(context, options);
  const plan = planResend(context, id);
  if (plan.kind === "impossible") throw plan.error;
  const isPassed = notPassed(findingsOf(plan), override?.passes ?? []).length === 0;
  const doubt = isPassed ? null : doubtOf(plan);
  if (doubt !== null) throw doubt;
  const at = context.clock.now();
  await context.journal.commit((rows) => {
    if (override === undefined) addRemark(rows, id, { at, kind: "resent", text: "" });
    else if (override.passes.length > 0) addOverride(rows, id, override, at);
    else addRemark(rows, id, { at, kind: "again", text: override.reason });
  });
  return sendEntry(context, id, resendable, options);
}

function resendError(context: WriteContext, entry: Entry): AppError<"write"> | null {
  const { id, state, owner } = entry;
  const isQueued = state === "intent" && owner !== null;
  if (isQueued || !resendable.includes(state)) {
    return entryError(id, "not-possible", `Entry ${id} is ${state}; it is not sent again.`);
  }
  if (isOfUnrecordedRun(context, entry)) {
    const words = `Entry ${id} is a row of run ${entry.run}, which is not fully recorded. Nothing of the run is sent until it is.`;
    return entryError(id, "not-possible", words);
  }
  if (entry.body === null) {
    return entryError(id, "purged", `The body of entry ${id} is no longer stored.`);
  }
  if (!isSameService(entry.baseUrl, context.service.baseUrl)) {
    const words = `Entry ${id} was for ${entry.baseUrl}; use the profile of that service.`;
    return entryError(id, "not-possible", words);
  }
  // Such a journal lacks the very entries that the guard looks for.
  return olderJournalError(context.journal);
}

/**
 * Returns true if the entry's run is not completely recorded. Such a run can be read again or
 * discarded. A row that was sent before would then be sent twice or forgotten.
 */
function isOfUnrecordedRun({ journal }: WriteContext, { run, state }: Entry): boolean {
  if (run === null || state !== "intent") return false;
  const unrecorded = journal.read((rows) =>
    rows.get("SELECT 1 FROM run WHERE id = ? AND state IN ('recording', 'void')", run),
  );
  return unrecorded !== undefined;
}
