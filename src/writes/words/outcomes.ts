/** Describes the outcomes of entries and the reasons for them, for the console and the commands. */

import type { ErrorContext } from "../../errors/app-error.ts";
import { errorWords, oneLine } from "../../errors/error-words.ts";
import { marked, type StatusWords } from "../../text/describe-status.ts";
import { safe } from "../../text/sanitize.ts";
import type { ActivityOutcome, ActivityRow } from "../activity.ts";
import type { ActivityDetail } from "../activity-detail.ts";
import type { EffectDoubt, Reason, TookEffect } from "../journal/entry.ts";
import type { ItemOutcome } from "../kinds/kind.ts";
import { isOperation, kindOf } from "../kinds/kinds.ts";
import { type OpenEntry, type OpenOutcome, openOutcomes } from "../open-entries.ts";
import type { PreparedWrite } from "../prepare.ts";
import type { WriteResult } from "../send/events.ts";
import { detailOf } from "./detail.ts";

export const outcomeWords: Readonly<Record<ActivityOutcome, StatusWords>> = {
  unsent: { ...marked("muted", "unsent"), meaning: "It was not sent." },
  sending: {
    ...marked("busy", "sending"),
    meaning: "It is being sent, here or by another process of this machine.",
  },
  confirmed: { ...marked("ok", "confirmed"), meaning: "The service confirmed it." },
  rejected: { ...marked("bad", "rejected"), meaning: "The service rejected it." },
  retryable: {
    ...marked("waiting", "retryable"),
    meaning: "It failed and can be sent again unchanged.",
  },
  unknown: {
    ...marked("unknown", "unknown"),
    meaning: "It is unknown whether it took effect.",
  },
  closed: {
    ...marked("muted", "closed"),
    meaning: "Closed by an operator; the service never confirmed it.",
  },
};

export const closedWords: Readonly<
  Record<TookEffect, { readonly short: string; readonly sentence: string }>
> = {
  yes: { short: "took effect", sentence: "Closed by an operator: it took effect." },
  no: { short: "no effect", sentence: "Closed by an operator: it had no effect." },
  unknown: {
    short: "effect not known",
    sentence: "Closed by an operator; the service never confirmed it.",
  },
};

export function outcomeLabel({
  outcome,
  took_effect: tookEffect,
}: Pick<ActivityRow, "outcome" | "took_effect">): string {
  const { label } = outcomeWords[outcome];
  return tookEffect === undefined ? label : `${label}, ${closedWords[tookEffect].short}`;
}

/**
 * Returns the tone of a notice about an outcome. An outcome without a strong tone gets `waiting`,
 * so that the notice stays on the screen.
 */
export function noticeTone(outcome: ActivityOutcome): StatusWords["tone"] {
  const { tone } = outcomeWords[outcome];
  return tone === "muted" || tone === "busy" ? "waiting" : tone;
}

export const reasonWords: Readonly<Record<Reason, string>> = {
  answered: "The service answered.",
  "never-sent": "There was no connection to the service.",
  cancelled: "It was canceled.",
  "run-paused":
    "Its run paused because the service was unavailable. The run sends it when the service is back, or when you resume the run.",
  "run-stopped": "Its run stopped first. The run sends it when you resume the run.",
  "no-answer": "No usable response arrived.",
  deadline: "The time limit for all attempts was reached.",
  "rate-limited": "The service's rate limit (429) lasted more than 10 minutes.",
  "account-busy": "Another entry for the same account did not end in time.",
  "process-ended": "The program ended while the request was being sent.",
  credentials: "The service accepted no token.",
  "not-recorded": "A response arrived, but could not be saved to the journal.",
  "looked-up": "It was found at the service.",
  "settled-by-items": "The service reported each item separately.",
  "closed-by-operator": "An operator closed it.",
  "refused-before": "The service rejected this same form before.",
  "sent-before": "The same item was sent before and might have taken effect.",
  "team-away": "The team's database did not answer.",
  "team-refused": "The team's ledger refused it.",
  "not-approved": "A second person has not approved it.",
};

const doubtWords: Readonly<Record<EffectDoubt, string | null>> = {
  none: null,
  vendor: "It might have taken effect; the vendor error does not say.",
  unknown: "One of its attempts might have taken effect.",
};

/**
 * Explains the outcomes of open entries in sentences, for the outcomes that they have. Claims no
 * effect only if it is known of every entry.
 */
export function openOutcomesWords(
  entries: readonly Pick<OpenEntry, "outcome" | "might_have_taken_effect">[],
): string {
  return openOutcomes
    .flatMap((outcome) => {
      const same = entries.filter((entry) => entry.outcome === outcome);
      if (same.length === 0) return [];
      const inDoubt = same.filter((entry) => entry.might_have_taken_effect).length;
      const part = inDoubt === 0 ? "none" : inDoubt === same.length ? "all" : "some";
      return [openMeanings[outcome][part]];
    })
    .join(" ");
}

const openMeanings: Readonly<
  Record<OpenOutcome, Readonly<Record<"none" | "some" | "all", string>>>
> = {
  unknown: always("Unknown: it might have taken effect, and verify finds out."),
  rejected: {
    none: "Rejected: no later entry confirmed it.",
    some: "Rejected: no later entry confirmed it; those in conflict with another request might have taken effect.",
    all: "Rejected: it conflicted with another request, and might have taken effect.",
  },
  retryable: {
    none: "Retryable: it had no effect as far as is known.",
    some: "Retryable: it can be sent again; some might have taken effect.",
    all: "Retryable: it can be sent again, but it might have taken effect.",
  },
  unsent: always("Unsent: it was never sent."),
};

function always(words: string) {
  return { none: words, some: words, all: words };
}

const conflictWords =
  "It conflicted with another request, which might have been the same one: it might have taken effect.";

function outcomeMeaning(detail: MeaningFacts): string {
  if (detail.took_effect !== undefined) return closedWords[detail.took_effect].sentence;
  if (detail.outcome === "closed" && detail.reason === "settled-by-items") return "It is settled.";
  const { meaning } = outcomeWords[detail.outcome];
  if (detail.outcome !== "rejected") return meaning;
  const { attempts, operation, reason, doubt, http_status: httpStatus } = detail;
  const response = attempts.findLast((attempt) => attempt.response !== null)?.response ?? null;
  if (response === null) return meaning;
  const facts = { outcome: detail.outcome, operation, reason, doubt, httpStatus, response };
  const { words } = detailOf({
    ...facts,
    position: null,
    itemOutcome: null,
    note: null,
  });
  if (words === null) return meaning;
  return `The service rejected it: ${safe(words).replace(/[.\s]+$/, "")}.`;
}

type MeaningFacts = Pick<
  ActivityDetail,
  | "outcome"
  | "reason"
  | "doubt"
  | "remarks"
  | "attempts"
  | "operation"
  | "http_status"
  | "took_effect"
>;

export function meaningWords(detail: MeaningFacts): string {
  const { outcome, reason, doubt, took_effect: tookEffect } = detail;
  const operator = closingReason(detail);
  const isDecided = tookEffect === "yes" || tookEffect === "no";
  const inDoubt =
    outcome === "rejected" && doubt !== "none"
      ? conflictWords
      : outcome !== "confirmed" && outcome !== "unknown" && !isDecided
        ? doubtWords[doubt]
        : null;
  return [
    operator === null ? null : /[.!?…]$/.test(operator) ? operator : `${operator}.`,
    outcomeMeaning(detail),
    operator === null ? reasonOf(reason) : null,
    inDoubt,
  ]
    .filter((part) => part !== null && part !== "")
    .join(" ");
}

export function closingReason({
  outcome,
  remarks,
}: Pick<ActivityDetail, "outcome" | "remarks">): string | null {
  if (outcome !== "closed") return null;
  return remarks.findLast(({ kind }) => kind === "closed")?.text ?? null;
}

function reasonOf(reason: Reason | null): string | null {
  return reason === null || reason === "answered" ? null : (reasonWords[reason] ?? safe(reason));
}

export const itemWords: Readonly<Record<ItemOutcome, ReturnType<typeof marked>>> = {
  created: marked("ok", "created"),
  exists: marked("ok", "already exists"),
  rejected: marked("bad", "rejected"),
  "not-reached": marked("muted", "not reached"),
  unknown: marked("unknown", "unknown"),
};

export function operationNoun(operation: string): string {
  return isOperation(operation) ? kindOf(operation).noun : safe(operation);
}

export function targetNumber(
  row: Pick<ActivityRow, "external_account_number" | "external_identifier">,
): string {
  return row.external_account_number ?? row.external_identifier ?? "";
}

export function causeWords({ error }: WriteResult, context: ErrorContext): string {
  if (error === null) return "";
  return oneLine({ ...errorWords(error, context), remedy: null });
}

/** Describes the possible effect of an unconfirmed write, and names its unknown items. */
export function effectWords({
  outcome,
  items,
  operation,
  mayHaveTakenEffect,
}: Pick<WriteResult, "items" | "mayHaveTakenEffect"> &
  Pick<ActivityRow, "outcome" | "operation">): string {
  if (!mayHaveTakenEffect) {
    return outcome === "rejected" ? "Nothing of it took effect." : "It had no effect.";
  }
  const unknown = items.filter((item) => item.outcome === "unknown");
  if (items.length <= 1 || unknown.length === 0 || unknown.length === items.length) {
    return "It might have taken effect.";
  }
  const numbers = unknown.map((item) => item.position + 1).join(", ");
  const item = isOperation(operation) ? kindOf(operation).item : "item";
  return `These might have taken effect: ${item} ${numbers}.`;
}

type Sent = Pick<PreparedWrite, "operation"> & { readonly items: readonly unknown[] };

/**
 * Describes the transactions whose date the service changed (INTERFACE 4.2), in request order, with
 * null for the other transactions.
 */
export function movedWords(
  sent: Sent,
  query: PreparedWrite["query"],
  response: string | null,
): readonly (string | null)[] {
  const { movedDates } = kindOf(sent.operation);
  if (movedDates === undefined || response === null) return [];
  return movedDates(sent.items, query, response).map((date) =>
    date === null
      ? null
      : `Added with the date ${safe(date)}, which is in the open statement period. The service pins a note to the account that explains it.`,
  );
}

/**
 * Describes an item that already existed. After several attempts, an earlier attempt might have
 * created it. `how` names the option to set, in the command or the console.
 */
export function existsWords(
  { operation, items }: Sent,
  position: number,
  { attempts, how = "" }: { readonly attempts: number; readonly how?: string },
): string {
  const earlier = attempts > 1 ? ", perhaps from an earlier attempt of this entry" : "";
  const { existing = () => "; the service skipped it." } = kindOf(operation);
  return `Already exists${earlier}${existing(items[position], attempts, how)}`;
}
