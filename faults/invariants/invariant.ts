/** A promise, and how evidence breaks it. */
import type { Evidence } from "../evidence.ts";

export interface Violation {
  readonly invariant: string;
  /** The finding, with its journal entry or its line of the ledger. */
  readonly what: string;
}

export interface Invariant {
  readonly name: string;
  /** In words, for the report. */
  readonly promise: string;
  /** Returns the violations, one sentence each. */
  readonly broken: (evidence: Evidence) => readonly string[];
}

/** Everything that the evidence breaks. */
export function violationsIn(
  evidence: Evidence,
  invariants: readonly Invariant[],
): readonly Violation[] {
  return invariants.flatMap(({ name, broken }) =>
    broken(evidence).map((what) => ({ invariant: name, what })),
  );
}
