import { AppError, type ErrorContext } from "../errors/app-error.ts";
import { codeOf, diskWords } from "../text/disk-words.ts";

/** The error for a command line, or a file it names, that cannot be used; nothing was sent. */
export function usageError(message: string, remedy: string | null = null): AppError<"command"> {
  return new AppError("command", "usage", message, { remedy });
}

/** The error of a stream that cannot be written, with the entry that was confirmed meanwhile. */
export interface OutputError extends NodeJS.ErrnoException {
  confirmedEntry?: number;
}

/** The error for results that can no longer be written; `error` is the stream's. */
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

/** Does something; its error gets the context. */
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
