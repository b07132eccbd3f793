/** Opens the stage of a cell of the matrix, and defines its result. */
import type { Sandbox } from "../../src/sandbox/index.ts";
import type { Violation } from "../invariants/invariant.ts";
import type { CampaignClock } from "./campaign-clock.ts";
import type { Cell } from "./plan.ts";
import type { Witness } from "./witness.ts";

export interface CellResult {
  readonly cell: Cell;
  readonly writes: number;
  /** Requests and connections that were injected. */
  readonly injected: number;
  /** The number of writes by outcome, before any verification. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly violations: readonly Violation[];
  /** Milliseconds that opening the journal again took, recovery included. */
  readonly recoveryMs: number;
}

/** Everything a cell's writes are made with. */
export interface Stage {
  readonly cell: Cell;
  readonly clock: CampaignClock;
  readonly sandbox: Sandbox;
  readonly watch: Witness;
  readonly folder: string;
}

/** Shorter than the client waits for a token, so that a token that never comes is met as well. */
export const timeoutMs = 20_000;

/** The same thing found before and after recovery is one thing. */
export function distinct(violations: readonly Violation[]): readonly Violation[] {
  const seen = new Set<string>();
  return violations.filter(({ invariant, what }) => {
    const key = `${invariant} ${what}`;
    return !seen.has(key) && seen.add(key);
  });
}
