/**
 * Names the journal's file and its words in messages. The tables are in schema.ts, which not every
 * command loads.
 */
import type { FileKind } from "../../sqlite/file-error.ts";

export const journalFile = "journal.sqlite";

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
