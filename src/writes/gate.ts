/**
 * Decides what the user must confirm before a write is sent, and asks for it, for the console and
 * the commands.
 */
import { sumOfDecimals } from "../forms/decimals.ts";
import { count } from "../text/numbers.ts";
import type { Finding, Override } from "./journal/override.ts";
import type { Operation } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";

export interface Sending {
  readonly environment: "sandbox" | "test" | "production";
  readonly operation: Operation;
  /** The number of rows: `many` for a bulk run and for marked accounts, even if it is one row. */
  readonly rows: "one" | "many";
  /** True if the write might take effect a second time, or if the service refused it before. */
  readonly inDoubt: boolean;
}

/**
 * The kinds of confirmation: `yes`, or a text to type. `target`: the account's number or the supply
 * point's identifier. `rows`: the number of rows. `sum`: the sum of their amounts.
 */
type Confirmation = "yes" | "target" | "rows" | "sum";

/**
 * Returns the confirmations that a write needs, in order. The sandbox needs none. A test
 * environment needs a yes for many rows, and a typed confirmation if the write is in doubt.
 * Production always needs a typed confirmation.
 */
export function confirmationsOf(sending: Sending): readonly Confirmation[] {
  const { environment, operation, rows, inDoubt } = sending;
  if (environment === "sandbox") return [];
  if (environment === "test" && !inDoubt) return rows === "many" ? ["yes"] : [];
  if (rows === "one") return ["target"];
  // The user checks the sum of rows with amounts.
  return kindOf(operation).isSummed ? ["rows", "sum"] : ["rows"];
}

export interface Amounts {
  readonly rows: number;
  /** The sum of the amounts as decimal text, or null if there are no amounts. */
  readonly sum: string | null;
}

export interface ToSend extends Amounts, Pick<Sending, "operation" | "inDoubt"> {
  /** The account's number or the supply point's identifier, or null for many rows. */
  readonly target: string | null;
  /**
   * The question for a reason, or null if the duplicate guard bars no item. The reason passes the
   * findings in `passes`. `without` has the numbers of the rest, which is sent if no reason is
   * entered. `without` is null if a reason is required.
   */
  readonly reason: {
    readonly passes: readonly Finding[];
    readonly without: Amounts | null;
  } | null;
}

export interface Question {
  readonly kind: Confirmation | "reason";
  /** The accepted answer, as shown to the user. For a required reason, any text is accepted. */
  readonly wanted: string;
  fits(typed: string): boolean;
}

export type Passed =
  | { readonly kind: "sends"; readonly override: Override | null }
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
  const firstRefusal = refusal();
  if (firstRefusal !== null) return { kind: "refused", why: firstRefusal };
  let override: Override | null = null;
  for (const question of questionsOf(send, environment)) {
    let typed = yield question;
    while (!question.fits(typed)) typed = yield question;
    if (question.kind !== "reason") continue;
    if (typed === "") {
      const rest = { ...send, ...send.reason?.without, reason: null };
      return yield* passGate(rest, environment, refusal);
    }
    override = { reason: typed, passes: send.reason?.passes ?? [] };
  }
  const lastRefusal = refusal();
  return lastRefusal === null ? { kind: "sends", override } : { kind: "refused", why: lastRefusal };
}

/** Returns the questions in order. One that changes the number of rows is first. */
export function questionsOf(
  send: ToSend,
  environment: Sending["environment"],
): readonly Question[] {
  const { operation, inDoubt, target, reason } = send;
  const rows = target === null ? "many" : "one";
  const confirmations = confirmationsOf({ environment, operation, rows, inDoubt }).map((kind) =>
    questionFor(kind, send),
  );
  if (reason === null) return confirmations;
  const isRequired = reason.without === null;
  const reasonQuestion = {
    kind: "reason",
    wanted: "a reason",
    fits: (typed: string) => typed !== "" || !isRequired,
  } as const;
  return isRequired ? [...confirmations, reasonQuestion] : [reasonQuestion, ...confirmations];
}

function questionFor(kind: Confirmation, { target, rows, sum }: ToSend): Question {
  switch (kind) {
    case "yes":
      return { kind, wanted: "yes", fits: (typed) => /^y(?:es)?$/i.test(typed) };
    case "target":
      return { kind, wanted: target ?? "", fits: (typed) => typed === target };
    case "rows":
      return { kind, wanted: count(rows), fits: (typed) => decimalOf(typed) === String(rows) };
    case "sum": {
      const wanted = sum ?? "0";
      return { kind, wanted, fits: (typed) => sameDecimal(decimalOf(typed), wanted) };
    }
  }
}

/** Returns a typed number as decimal text without separators, or null for another text. */
export function decimalOf(text: string): string | null {
  const trimmed = text.trim();
  if (!/^[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/.test(trimmed)) return null;
  return trimmed.replaceAll(",", "").replace(/^\+/, "");
}

/** Returns true if two decimal texts are the same number, as `12.5` and `12.50`. Null is none. */
export function sameDecimal(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false;
  const negative = other.startsWith("-") ? other.slice(1) : `-${other}`;
  return /^0(?:\.0+)?$/.test(sumOfDecimals([one, negative]));
}
