import type { ErrorContext } from "../errors/app-error.ts";
import { codeOf, diskWords } from "../text/disk-words.ts";

/**
 * - `usage`: the command line or a file it names cannot be used; nothing was sent
 * - `no-profile`: nothing is set up to work against
 * - `sandbox`: the sandbox cannot be started as asked
 * - `not-found`: what it names is not there
 * - `output`: the results cannot be written, for example to a full disk
 */
export type CommandErrorKind = "usage" | "no-profile" | "sandbox" | "not-found" | "output";

/** What a command refuses by itself. Both texts are sentences for people. */
export class CommandError extends Error {
  readonly kind: CommandErrorKind;
  /** What to do next; null where the message says it. */
  readonly next: string | null;

  constructor(kind: CommandErrorKind, message: string, next: string | null = null) {
    super(message);
    this.name = "CommandError";
    this.kind = kind;
    this.next = next;
  }
}

/** The error for a command line, or a file it names, that cannot be used; nothing was sent. */
export function usageError(message: string, next: string | null = null): CommandError {
  return new CommandError("usage", message, next);
}

/** One thing wrong with what was to be sent, and where it stands. */
export interface InputIssue {
  /** Dot-delimited path to the field, as the service writes it (INTERFACE 7.2); null for the whole. */
  readonly attr: string | null;
  readonly code: string | null;
  readonly detail: string;
  /** As it was named on the command line; empty where it was given as options. */
  readonly file: string;
  /** From 1; null where it has no place. */
  readonly line: number | null;
  readonly column: number | null;
}

/** Input that is not what the interface documents. Every problem is reported, and nothing is sent. */
export class InvalidInput extends CommandError {
  readonly problems: readonly InputIssue[];
  /** How many there are besides those listed. */
  readonly more: number;

  constructor(
    message: string,
    problems: readonly InputIssue[],
    next: string | null = null,
    more = 0,
  ) {
    super("usage", message, next);
    this.name = "InvalidInput";
    this.problems = problems;
    this.more = more;
  }
}

/** The error of a stream that cannot be written, with the entry that was confirmed meanwhile. */
export interface OutputError extends NodeJS.ErrnoException {
  confirmedEntry?: number;
}

/** The error for results that can no longer be written; `error` is the stream's. */
export function unwritable(error: OutputError): CommandError {
  const { confirmedEntry } = error;
  const next =
    confirmedEntry === undefined
      ? "Some of them are missing."
      : `The entry is confirmed all the same: ${confirmedEntry} in the journal.`;
  return new CommandError(
    "output",
    `the results cannot be written: ${diskWords(codeOf(error))}`,
    next,
  );
}

/** An error together with what was being done, which decides the words for it. */
export class FailedCall extends Error {
  readonly error: unknown;
  readonly context: ErrorContext;

  constructor(error: unknown, context: ErrorContext) {
    super(context.doing);
    this.name = "FailedCall";
    this.error = error;
    this.context = context;
  }
}

/** Does something, and says what it was if it fails. */
export async function during<T>(context: ErrorContext, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new FailedCall(error, context);
  }
}
