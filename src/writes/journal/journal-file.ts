/**
 * Defines the name of the journal's file and the words about it in messages. The tables are in
 * schema.ts, which not every command loads.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { FileKind } from "../../sqlite/file-error.ts";
import { codeOf } from "../../text/disk-words.ts";

export const journalFile = "journal.sqlite";

/** The journal's file kind without its tables, for messages about the file. */
export const journalWords: Omit<FileKind, "steps" | "firstVersion"> = {
  file: journalFile,
  // The letters "SPLJ" as a number.
  applicationId: 0x53504c4a,
  about: "journal",
  noun: "journal",
  holds: "journal entries hold personal data",
  row: "An entry",
  remedy: "Nothing was sent.",
  onDamage: "Store it: it is the record of what was sent.",
};

/**
 * Returns false if a state folder has no journal. A folder that cannot be read might have one:
 * opening it reports the reason.
 */
export function hasJournal(folder: string): boolean {
  try {
    lstatSync(join(folder, journalFile));
    return true;
  } catch (error) {
    return !["ENOENT", "ENOTDIR"].includes(codeOf(error));
  }
}
