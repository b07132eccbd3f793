import { type FormKind, formKinds } from "../forms/fields.ts";

/** What a bulk run can be made of; `status` only reads (INTERFACE 4.8), the others write. */
export const bulkKinds = [...formKinds, "status"] as const;

export type BulkKind = FormKind | "status";

/** Narrows a word of the command line or of the journal. */
export function isBulkKind(word: string): word is BulkKind {
  return bulkKinds.some((kind) => kind === word);
}
