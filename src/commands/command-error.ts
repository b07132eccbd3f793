import { AppError, type ErrorContext } from "../errors/app-error.ts";
import { codeOf, diskWords } from "../text/disk-words.ts";

/**
 * Returns the error for a command line, or a file that it names, which cannot be used. Nothing was
 * sent.
 */
export function usageError(message: string, remedy: string | null = null): AppError<"command"> {
  return new AppError("command", "usage", message, { remedy });
}

/** The error of a stream that cannot be written, with the entry that was confirmed meanwhile. */
export interface OutputError extends NodeJS.ErrnoException {
  confirmedEntry?: number;
}

/** Returns the error for results that can no longer be written. `error` is that of the stream. */
export function unwritable(error: OutputError): AppError<"command"> {
  const { confirmedEntry } = error;
  const remedy =
    confirmedEntry === undefined
      ? "Some of them are missing."
      : `The entry is confirmed all the same: ${confirmedEntry} in the journal.`;
  const words = `the results cannot be written: ${diskWords(codeOf(error))}`;
  return new AppError("command", "output", words, { remedy });
}

/** Pairs an error with its context, which decides the words for it. */
export function failedCall(error: unknown, context: ErrorContext): AppError<"call"> {
  return new AppError("call", "fault", context.doing, { cause: error, context });
}

/** Runs work and adds the context to its error. */
export async function withErrorContext<T>(
  context: ErrorContext,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw failedCall(error, context);
  }
}
