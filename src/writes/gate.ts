/**
 * Asks the questions that must be answered before a write is sent, for the console and the
 * commands.
 */
import { count } from "../text/numbers.ts";
import { confirmationOf, type Sending } from "./confirmation.ts";
import type { GuardOverride } from "./guard.ts";
import { isRowCount, isSum } from "./typed-numbers.ts";

/** The numbers that the user types to confirm many rows. */
export interface Amounts {
  readonly rows: number;
  /** The sum of the amounts as decimal text, or null if there are no amounts. */
  readonly sum: string | null;
}

/** The facts about a write that its questions depend on. */
export interface ToSend extends Amounts, Pick<Sending, "operation" | "inDoubt"> {
  /** The account's number or the supply point's identifier, or null for many rows. */
  readonly target: string | null;
  /**
   * The question for a reason, or null if the duplicate guard bars no item. `without` has the
   * numbers of the rest, which is sent if no reason is entered. `without` is null if a reason is
   * required.
   */
  readonly reason: { readonly without: Amounts | null } | null;
}

/** A question that must be answered before anything is sent. */
export interface Question {
  readonly kind: "yes" | "target" | "rows" | "sum" | "reason";
  /** The accepted answer, as shown to the user. For a required reason, any text is accepted. */
  readonly wanted: string;
  fits(typed: string): boolean;
}

/** The result of the questions. */
export type Passed =
  | { readonly kind: "sends"; readonly again: GuardOverride | null }
  /** Nothing can be sent. `why` is a sentence for the user. */
  | { readonly kind: "refused"; readonly why: string };

/**
 * Asks all required questions. A question is repeated until its answer is accepted. `refusal`
 * returns the reason why nothing can be sent, or null if there is none. It is called before the
 * first question and after the last answer, because a lock or a profile can change in between.
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

/**
 * Returns the questions in order. A reason that changes the number of sent rows is asked for first.
 */
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

/** Returns true if the user must type the sum of the amounts. Computing the sum can take long. */
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
