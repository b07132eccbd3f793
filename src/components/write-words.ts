import type { StatusWords } from "../text/describe-status.ts";
import { safe } from "../text/sanitise.ts";
import type { ActivityOutcome, ActivityRow } from "../writes/activity.ts";
import type { Doubt, ItemOutcome, Reason } from "../writes/journal/entry.ts";
import { isOperation, type Operation } from "../writes/operations.ts";

/** The outcome of a write in words, with mark and tone. */
export const outcomeWords: Readonly<Record<ActivityOutcome, StatusWords>> = {
  unsent: {
    label: "not sent",
    meaning: "It never left this machine.",
    tone: "muted",
    mark: "–",
    asciiMark: "-",
  },
  sending: {
    label: "sending",
    meaning: "It is under way, here or in another process of this machine.",
    tone: "busy",
    mark: "●",
    asciiMark: "*",
  },
  confirmed: {
    label: "confirmed",
    meaning: "The service has confirmed it.",
    tone: "ok",
    mark: "✓",
    asciiMark: "+",
  },
  rejected: {
    label: "rejected",
    meaning: "The service has refused it.",
    tone: "bad",
    mark: "✗",
    asciiMark: "x",
  },
  retryable: {
    label: "retryable",
    meaning: "It failed and may be sent again unchanged.",
    tone: "waiting",
    mark: "○",
    asciiMark: "o",
  },
  unknown: {
    label: "unknown",
    meaning: "Nobody knows whether it has landed.",
    tone: "waiting",
    mark: "?",
    asciiMark: "?",
  },
  closed: {
    label: "closed",
    meaning: "It was settled without the service's word.",
    tone: "muted",
    mark: "–",
    asciiMark: "-",
  },
};

/** Why a write is in its state, as a sentence. */
export const reasonWords: Readonly<Record<Reason, string>> = {
  answered: "The service answered.",
  "never-sent": "There was no connection to the service.",
  cancelled: "It was cancelled.",
  "no-answer": "No whole answer came.",
  deadline: "The time for all attempts ran out.",
  "account-busy": "Another write to the same account did not end in time.",
  "process-ended": "The program ended while it was being sent.",
  credentials: "There was no token that the service takes.",
  "not-recorded": "An answer came, but could not be put on record.",
  "looked-up": "It was found at the service.",
  "settled-by-items": "Each item was answered for by itself.",
  "closed-by-operator": "An operator closed it.",
  "refused-before": "The service has refused this very form before.",
  "sent-before": "The same form was sent before, and may have taken effect.",
};

/** What is still to be feared of a write that is not confirmed; null when nothing is. */
export const doubtWords: Readonly<Record<Doubt, string | null>> = {
  none: null,
  vendor: "It may have landed all the same: the vendor's failure does not say.",
  unknown: "An attempt without an answer may have landed all the same.",
};

/** What became of one item. */
export const itemWords: Readonly<
  Record<ItemOutcome, Pick<StatusWords, "label" | "tone" | "mark" | "asciiMark">>
> = {
  created: { label: "created", tone: "ok", mark: "✓", asciiMark: "+" },
  exists: { label: "already exists", tone: "ok", mark: "✓", asciiMark: "+" },
  rejected: { label: "rejected", tone: "bad", mark: "✗", asciiMark: "x" },
  "not-reached": { label: "not reached", tone: "muted", mark: "–", asciiMark: "-" },
  unknown: { label: "unknown", tone: "waiting", mark: "?", asciiMark: "?" },
};

/** What is written, in one or two words. */
const nouns: Readonly<Record<Operation, string>> = {
  "notes create": "notes",
  "transactions create": "transactions",
  "statements create": "statements",
  "payment-instructions create": "payment",
  "supply-points create": "supply point",
};

/** An operation's short name; one this version does not know is shown as the journal has it. */
export function operationNoun(operation: string): string {
  return isOperation(operation) ? nouns[operation] : safe(operation);
}

/** The account number or the supply point's identifier that a write is for. */
export function targetNumber(
  row: Pick<ActivityRow, "external_account_number" | "external_identifier">,
): string {
  return row.external_account_number ?? row.external_identifier ?? "";
}

/** How an attempt ended, in words. */
export function attemptWords(outcome: string): string {
  return situations[outcome] ?? safe(outcome);
}

const situations: Readonly<Record<string, string>> = {
  sending: "under way",
  confirmed: "confirmed",
  "never-sent": "never left this machine",
  "no-answer": "no whole answer",
  "500": "the service failed",
  "5xx": "a gateway gave up",
  "429": "too many requests",
  "400": "refused",
  "404": "not found",
  "401": "token not taken",
  "403": "not permitted",
  "3xx": "redirected",
  "4xx": "refused in another way",
};
