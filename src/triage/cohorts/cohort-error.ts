/**
 * - `name`: the name cannot be used · `exists`: a cohort has it already · `unknown`: none has it
 * - `supplier`: the cohort belongs to another supplier
 * - `changed`: its list is not the one that was added · `damaged`: its files cannot be read
 * - `too-new`: a later version of the program has written it
 * - `exposed`: others can read its files
 * - `unwritable`: the disk or the folder refuses it
 */
export type CohortErrorKind =
  | "name"
  | "exists"
  | "unknown"
  | "supplier"
  | "changed"
  | "damaged"
  | "too-new"
  | "exposed"
  | "unwritable";

/** Why a cohort cannot be used or stored. Both texts are sentences for people. */
export class CohortError extends Error {
  readonly kind: CohortErrorKind;
  /** What to do next; null where the message says it. */
  readonly next: string | null;

  constructor(kind: CohortErrorKind, message: string, next: string | null = null) {
    super(message);
    this.name = "CohortError";
    this.kind = kind;
    this.next = next;
  }
}
