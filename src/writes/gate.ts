/** The one gate of everything that is sent: its questions, and the check before and after them. */
import { count } from "../text/numbers.ts";
import { confirmationOf, type Sending } from "./confirmation.ts";
import type { GuardOverride } from "./guard.ts";
import { isRowCount, isSum } from "./typed-numbers.ts";

/** The amounts that someone types to confirm many rows. */
export interface Amounts {
  readonly rows: number;
  /** Decimal text, or null if there are no amounts. */
  readonly sum: string | null;
}

/** Something to send, as far as its questions depend on it. */
export interface ToSend extends Amounts, Pick<Sending, "operation" | "inDoubt"> {
  /** The account's number or the supply point's identifier, or null for many rows. */
  readonly target: string | null;
  /**
   * The question for a reason, because the duplicate guard bars items, or null if it bars none.
   * `without` has the amounts that are sent without a reason, or is null if a reason is required.
   */
  readonly reason: { readonly without: Amounts | null } | null;
}

/** Something that must be answered before anything is sent. */
export interface Question {
  readonly kind: "yes" | "target" | "rows" | "sum" | "reason";
  /** An answer that fits, as it is shown; any text fits a required reason. */
  readonly wanted: string;
  fits(typed: string): boolean;
}

/** The verdict of the gate. */
export type Passed =
  | { readonly kind: "sends"; readonly again: GuardOverride | null }
  /** Nothing can be sent. `why` is a sentence. */
  | { readonly kind: "refused"; readonly why: string };

/**
 * Asks all required questions. A question is repeated until its answer fits. `refusal` returns the
 * reason why nothing can be sent, or null if there is none. It is called before the first question
 * and after the last answer, because a lock can close and a profile can change in between.
 */
export function* passGate(
  send: ToSend,
  environment: Sending["environment"],
  refusal: () => string | null,
): Generator<Question, Passed, string> {
  const before = refusal();
  if (before !== null) return { kind: "refused", why: before };
  let again: GuardOverride | null = null;
  for (const question of questionsOf(send, environment)) {
    let typed = yield question;
    while (!question.fits(typed)) typed = yield question;
    if (question.kind !== "reason") continue;
    if (typed === "") {
      const rest = { ...send, ...send.reason?.without, reason: null };
      return yield* passGate(rest, environment, refusal);
    }
    again = { reason: typed };
  }
  const after = refusal();
  return after === null ? { kind: "sends", again } : { kind: "refused", why: after };
}

/** Returns the questions in order. A reason that decides how much is sent comes first. */
export function questionsOf(
  send: ToSend,
  environment: Sending["environment"],
): readonly Question[] {
  const { reason } = send;
  const confirmed = confirming(send, environment);
  if (reason === null) return confirmed;
  const isRequired = reason.without === null;
  const why = {
    kind: "reason",
    wanted: "a reason",
    fits: (typed: string) => typed !== "" || !isRequired,
  } as const;
  return isRequired ? [...confirmed, why] : [why, ...confirmed];
}

/** Returns true if the sum of the amounts is asked for: it can take long to add them up. */
export function asksForSum(sending: Sending): boolean {
  const asked = confirmationOf(sending);
  return asked.kind === "typed" && asked.what === "rows-and-sum";
}

function confirming(
  { operation, inDoubt, target, rows, sum }: ToSend,
  environment: Sending["environment"],
): readonly Question[] {
  const asked = confirmationOf({
    environment,
    operation,
    inDoubt,
    rows: target === null ? "many" : "one",
  });
  if (asked.kind === "none") return [];
  if (asked.kind === "yes")
    return [{ kind: "yes", wanted: "yes", fits: (typed) => /^y(?:es)?$/i.test(typed) }];
  if (target !== null)
    return [{ kind: "target", wanted: target, fits: (typed) => typed === target }];
  const ofRows: Question = {
    kind: "rows",
    wanted: count(rows),
    fits: (typed) => isRowCount(typed, rows),
  };
  if (asked.what !== "rows-and-sum") return [ofRows];
  const total = sum ?? "0";
  return [ofRows, { kind: "sum", wanted: total, fits: (typed) => isSum(typed, total) }];
}
