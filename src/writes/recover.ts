/** Settles the entries of processes that have ended. Nothing is sent. */
import { AppError } from "../errors/app-error.ts";
import { type Rows, text, whole } from "../sqlite/rows.ts";
import { recoverEntry } from "./journal/changes.ts";
import {
  type Journal,
  type OpenJournalOptions,
  openJournalToRead,
  type ReadableJournal,
} from "./journal/open-journal.ts";
import { ownerFrom, type ProcessLife } from "./owner.ts";
import { isGone } from "./send/account-lock.ts";

export interface Recovered {
  /** Entries that were being sent. Their outcome is unknown. */
  readonly unknown: readonly number[];
  /** Entries that were recorded and never sent. */
  readonly unsent: readonly number[];
}

/**
 * Settles the entries of processes that have ended. An entry that was being sent becomes unknown,
 * an entry that was only recorded becomes unsent. Entries of running processes do not change.
 * Commits nothing if there are none to settle. Rejects with a journal error.
 */
export async function recover(
  journal: Journal,
  process: ProcessLife,
  at: number,
): Promise<Recovered> {
  if (journal.read((rows) => endedOwners(rows, process, at)).length === 0)
    return { unknown: [], unsent: [] };
  return journal.commit((rows) => {
    const unknown: number[] = [];
    const unsent: number[] = [];
    for (const owner of endedOwners(rows, process, at)) {
      for (const entry of rows.all("SELECT id FROM intent WHERE owner = ? ORDER BY id", owner)) {
        const id = whole(entry, "id");
        const state = recoverEntry(rows, id, at);
        if (state === "unknown") unknown.push(id);
        if (state === "unsent") unsent.push(id);
      }
      rows.run("DELETE FROM claim WHERE owner = ?", owner);
    }
    return { unknown, unsent };
  });
}

function endedOwners(rows: Rows, process: ProcessLife, at: number): readonly string[] {
  return rows
    .all(
      `SELECT owner, max(coalesce(
         (SELECT renewed_at FROM claim WHERE claim.intent = intent.id), created_at)) AS renewed_at
       FROM intent WHERE owner IS NOT NULL GROUP BY owner`,
    )
    .filter((row) => {
      const owner = ownerFrom(text(row, "owner"));
      return owner === null || isGone(process, owner, whole(row, "renewed_at"), at);
    })
    .map((row) => text(row, "owner"));
}

/**
 * Opens the journal for every reader: an entry that a process left as being sent is unknown, also
 * if the journal cannot be written. Rejects with a journal error whose message is for readers.
 */
export function openSettledJournal(
  options: OpenJournalOptions,
  process: ProcessLife,
  now: () => number,
): Promise<ReadableJournal> {
  return openJournalToRead(options, (journal) => recover(journal, process, now()));
}

export function unsettledError(path: string): AppError<"journal"> {
  const words = `The journal ${path} cannot be written, and there is no space for a copy: the outcomes of entries whose processes have ended are not known.`;
  return new AppError("journal", "full", words, { path, remedy: "Make space on the disk." });
}
