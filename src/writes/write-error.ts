/**
 * Why a write is not sent, or an act upon the journal not done. Nothing has reached the service.
 * - `invalid`: the body is not what the operation takes
 * - `blocked`: the same form had a 400 before
 * - `duplicate`: an earlier entry has the same item, and took effect or may have
 * - `not-found`: the journal holds no such entry
 * - `not-possible`: the entry is in a state that does not allow it
 * - `in-use`: another process is sending it
 * - `purged`: its body is no longer stored
 * - `damaged`: what the journal holds of it cannot be understood
 */
export type WriteErrorKind =
  | "invalid"
  | "blocked"
  | "duplicate"
  | "not-found"
  | "not-possible"
  | "in-use"
  | "purged"
  | "damaged";

/** Thrown before anything is sent; `message` is a sentence for people. */
export class WriteError extends Error {
  readonly kind: WriteErrorKind;
  /** The journal entry it is about, if any. */
  readonly journalId: number | null;

  constructor(kind: WriteErrorKind, message: string, journalId: number | null = null) {
    super(message);
    this.name = "WriteError";
    this.kind = kind;
    this.journalId = journalId;
  }
}

/** The journal has no entry of that number. */
export function noEntry(id: number): WriteError {
  return new WriteError("not-found", `The journal has no entry ${id}.`, id);
}
