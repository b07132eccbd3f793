/**
 * Creates the errors of commands: wrong usage, output that cannot be written, and failed calls with
 * their context.
 */

import { AppError, type ErrorContext } from "../errors/app-error.ts";
import { codeOf, diskWords } from "../text/disk-words.ts";

/** Returns the error for wrong usage, which means that nothing was sent. */
export function usageError(message: string, remedy: string | null = null): AppError<"command"> {
  return new AppError("command", "usage", message, { remedy });
}

/** Returns a reason without blanks around it. Throws `usage` if `what` was given an empty one. */
export function givenReason(reason: string, what: string): string {
  const given = reason.trim();
  if (given === "")
    throw usageError(`${what} needs a reason`, "Give the reason with --reason TEXT.");
  return given;
}

export interface OutputError extends NodeJS.ErrnoException {
  /** The journal number of the entry that was confirmed before the error. */
  confirmedEntry?: number;
}

export function unwritable(error: OutputError): AppError<"command"> {
  const { confirmedEntry } = error;
  const remedy =
    confirmedEntry === undefined
      ? "Some of them are missing."
      : `The entry is confirmed all the same: ${confirmedEntry} in the journal.`;
  const words = `the results cannot be written: ${diskWords(codeOf(error))}`;
  return new AppError("command", "output", words, { remedy });
}

export function failedCall(error: unknown, context: ErrorContext): AppError<"call"> {
  return new AppError("call", "fault", context.doing, { cause: error, context });
}

export async function withErrorContext<T>(
  context: ErrorContext,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failedCall(error, context);
  }
}
