/**
 * Describes a journal that was restored from a backup or copied, and refuses what cannot be judged
 * with it: writes that were sent later look unsent in it, and the duplicate guard does not know them.
 */
import { AppError } from "../errors/app-error.ts";
import { plural } from "../text/numbers.ts";
import type { Journal } from "./journal/open-journal.ts";
import type { Doubtful } from "./journal/standing.ts";
import { isRecognized } from "./kinds/kinds.ts";
import type { PreparedWrite } from "./prepare.ts";

export function olderJournalWords(path: string, found: Doubtful): string {
  return found.kind === "older"
    ? `The journal ${path} is older than this machine remembers: it lacks ${plural(found.attempts, "attempt")} begun later.`
    : `The journal ${path} is a copy, or it was restored or moved: entries that were sent since are not in it.`;
}

/**
 * Returns the error for entries and runs of a journal that was restored or copied, or null for any
 * other journal. No reason passes it. `activity repair` accepts the journal for all of them.
 */
export function olderJournalError({ path, standing }: Journal): AppError<"write"> | null {
  if (standing.kind === "current") return null;
  const why =
    standing.kind === "older"
      ? `it lacks ${plural(standing.attempts, "attempt")} that this machine remembers`
      : "it is a copy, or it was restored or moved";
  // The console has room for one line, so the remedy comes first.
  const words = `Repair the journal first: supplyline activity repair --reason TEXT. Until then nothing is sent: ${why}, so what looks unsent might have been sent.`;
  const remedy =
    "Before the repair, compare each open entry with the service or with the machine that has the newer journal, and close those that took effect: supplyline activity close ID --took-effect yes --reason TEXT";
  return new AppError("write", "older-journal", words, { path, remedy });
}

/** Throws the error of a journal that was restored or copied, before anything of it is sent. */
export function refuseOlderJournal(journal: Journal): void {
  const error = olderJournalError(journal);
  if (error !== null) throw error;
}

/**
 * Returns the error for a write that the duplicate guard cannot judge with this journal, or null if
 * it can, or if the service recognizes the items.
 */
export function newWriteDoubt(
  journal: Journal,
  { operation, query, facts }: Pick<PreparedWrite, "operation" | "query" | "facts">,
): AppError<"write"> | null {
  const error = olderJournalError(journal);
  return error !== null && isRecognized(operation, query, facts.items) ? null : error;
}
