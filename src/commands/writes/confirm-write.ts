/** Confirms a write of a command with its flags or with the user's answers at the terminal. */

import type { AppError } from "../../errors/app-error.ts";
import { changeWords, isStored, profileChange } from "../../settings/profile-change.ts";
import { profileWords } from "../../settings/sandbox-profile.ts";
import type { Profile } from "../../settings/schemas.ts";
import { safe } from "../../text/sanitize.ts";
import {
  passGate as passQuestions,
  type Question,
  questionsOf,
  type ToSend,
} from "../../writes/gate.ts";
import type { Finding, Override } from "../../writes/journal/override.ts";
import { kindOf } from "../../writes/kinds/kinds.ts";
import { usageError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { canAsk, createPrompter, notConfirmed } from "./ask.ts";

/** The rows that the user expects, so that no other input is sent by mistake. */
export interface Expected {
  readonly expectRows?: number;
  readonly expectSum?: string;
}

interface CommandSend extends Omit<ToSend, "inDoubt" | "reason" | "rows" | "sum"> {
  /** The number of rows and the sum of their amounts. Default: a single write. */
  readonly rows?: number;
  readonly sum?: ToSend["sum"];
  /** The work that a read-only profile forbids, such as `adding 2 notes to EXT-1`. */
  readonly doing: string;
  /** A description of the items, such as `1 CHARGE of 99.50 to ACME/EXT-1, 2026-11-10`. */
  readonly subject: string;
  /** The verb for the error message. Default: `sending`. */
  readonly verb?: string;
  /** The error of a write that needs a reason and has none, or null if it needs none. */
  readonly doubt?: AppError | null;
  readonly again: string | null;
  /** The findings of the check, which the reason passes. Default: none. */
  readonly passes?: readonly Finding[];
  /** True if the rows of a resumed run have a stored override. Default: false. */
  readonly isOverridden?: boolean;
  readonly expected?: Expected;
}

export const nothingSent = "Nothing was sent.";

/** Throws `usage` if the profile or the command line is read-only. */
export function refuseReadOnly({ globals }: Invocation, profile: Profile, doing: string): void {
  if (globals.readOnly) throw usageError(`--read-only forbids ${doing}`, nothingSent);
  if (profile.readOnly)
    throw usageError(
      `the profile ${profile.name} is read-only, which forbids ${doing}`,
      `${nothingSent} Choose a profile that may write with --profile NAME.`,
    );
}

/**
 * Confirms a write with its flags, and asks the user at the terminal the other questions. Resolves with
 * the override that `--again` gives, or null. Throws
 * `usage` if the write is not confirmed. Without a terminal, that error names the missing flags.
 * Throws `doubt` if a required reason is missing.
 */
export async function confirmWrite(
  invocation: Invocation,
  profile: Profile,
  send: CommandSend,
): Promise<Override | null> {
  const { io } = invocation;
  const { doing, subject, verb = "sending", doubt = null, again } = send;
  const { passes = [], isOverridden = false } = send;
  refuseReadOnly(invocation, profile, doing);
  if (doubt !== null && again === null) throw doubt;
  const isMany = send.target === null;
  const toSend: ToSend = {
    rows: 1,
    sum: null,
    ...send,
    inDoubt: doubt !== null || isOverridden || (isMany && again !== null),
    reason: doubt === null ? null : { passes, without: null },
  };
  const questions = questionsOf(toSend, profile.environment);
  const flags = flagsGiven(invocation, profile, send);
  const isAsked = questions.some((question) => !flags.answers(question));
  const where = `on ${profileWords(profile)}`;
  const context = doubt === null ? where : `${where}; ${doubt.message.replace(/\.$/, "")}`;
  if (isAsked && !canAsk(io))
    throw usageError(
      `${verb} ${subject} needs to be confirmed: ${context}`,
      `${nothingSent} Give ${questions.flatMap(flags.missing).join(" and ")} to go ahead.`,
    );
  if (isAsked) invocation.problem(safe(`${subject}: ${context}.`));
  await using prompter = isAsked ? createPrompter(io) : null;
  const gate = passQuestions(toSend, profile.environment, refusalOf(invocation, profile));
  let step = gate.next();
  while (!step.done) {
    const question = step.value;
    const { kind, wanted } = question;
    const isGiven = prompter === null || flags.answers(question);
    const typed = isGiven ? flags.text(question) : await prompter.ask(prompts[kind](safe(wanted)));
    step = gate.next(typed);
    if (!step.done && step.value === question) throw notConfirmed(typed, wanted, nothingSent);
  }
  if (step.value.kind === "refused") throw usageError(step.value.why, nothingSent);
  return again === null ? null : { reason: again, passes };
}

const prompts: Readonly<Record<Question["kind"], (wanted: string) => string>> = {
  yes: () => "Send them? [y/N] ",
  target: (wanted) => `To send it, type ${wanted}: `,
  rows: () => "To send them, type the number of rows: ",
  sum: () => "And the sum of their amounts: ",
  reason: () => "Reason: ",
};

/**
 * Returns a function that reads the profile again and returns the reason not to send, or null. The
 * profile can change while a question is open.
 */
function refusalOf(invocation: Invocation, profile: Profile): () => string | null {
  if (!isStored(profile)) return () => null;
  const settings = invocation.settings();
  return () => changeWords(profile, profileChange(profile, settings.find(profile.name)));
}

/**
 * Returns the answers of the command line and the missing flags. On production, a run that
 * moves money needs the `--expect` flags in addition to `--yes`. Elsewhere, the `--expect` flags
 * replace the user's answer at a terminal. Without a terminal, every question needs `--yes`.
 */
function flagsGiven(
  { globals: { yes }, io }: Invocation,
  { environment }: Profile,
  { operation, again, expected }: CommandSend,
) {
  const isProduction = environment === "production";
  const isCounted = isProduction && kindOf(operation).movesMoney && expected !== undefined;
  const isExpected = (kind: Question["kind"]) =>
    (kind === "sum" ? expected?.expectSum : expected?.expectRows) !== undefined;
  return {
    answers({ kind }: Question): boolean {
      if (kind === "reason") return true;
      if (yes) return !isCounted || isExpected(kind);
      return !isProduction && canAsk(io) && isExpected(kind);
    },
    text: ({ kind, wanted }: Question) => (kind === "reason" ? (again ?? "") : wanted),
    missing({ kind }: Question, index: number): readonly string[] {
      const expectFlag = kind === "sum" ? "--expect-sum X" : "--expect-rows N";
      return [
        ...(yes || index > 0 ? [] : ["--yes"]),
        ...(isCounted && !isExpected(kind) ? [expectFlag] : []),
      ];
    },
  };
}
