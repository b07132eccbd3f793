/**
 * Why nothing is done about a run.
 * - `not-found`: the journal has no such run
 * - `in-use`: a process is at it
 * - `input-changed`: the input is not the one that was checked; nothing was sent
 * - `not-recorded`: its rows are not all written down yet, so nothing may be sent
 * - `recorded`: all its rows are written down, so it is not discarded
 * - `wrong-service`: it is for another base URL
 */
export type RunErrorKind =
  | "not-found"
  | "in-use"
  | "input-changed"
  | "not-recorded"
  | "recorded"
  | "wrong-service";

/** Thrown before anything is sent. `message` is a sentence for people. */
export class RunError extends Error {
  readonly kind: RunErrorKind;

  constructor(kind: RunErrorKind, message: string) {
    super(message);
    this.name = "RunError";
    this.kind = kind;
  }
}
