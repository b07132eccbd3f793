/**
 * Defines the name of the journal's file and the words about it in messages. The tables are in
 * schema.ts, which not every command loads.
 */
import type { FileKind } from "../../sqlite/file-error.ts";

/** The name of the journal's file in the state folder. */
export const journalFile = "journal.sqlite";

/** The journal's file kind without its tables, for messages about the file. */
export const journalWords: Omit<FileKind, "steps"> = {
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
