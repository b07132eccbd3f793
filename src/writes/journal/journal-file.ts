/** The journal's file, apart from its tables: a command that sends nothing needs no more. */
import type { FileKind } from "../../sqlite/file-error.ts";

export const journalFile = "journal.sqlite";

export const journalWords: Omit<FileKind, "steps"> = {
  file: journalFile,
  // "SPLJ".
  applicationId: 0x53504c4a,
  about: "journal",
  noun: "journal",
  holds: "journal entries hold personal data",
  row: "An entry",
  remedy: "Nothing was sent.",
  onDamage: "Store it: it is the record of what was sent.",
};
