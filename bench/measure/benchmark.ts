import type { Reading } from "./rounds.ts";

/** How large and how often things are measured. */
export interface Size {
  readonly rounds: number;
  readonly accounts: number;
  readonly notes: number;
  /** Statuses that are asked for under a rate limit. */
  readonly statuses: number;
  /** Filter queries typed in one round. */
  readonly queries: number;
  /** Keys pressed in one round. */
  readonly keys: number;
  readonly idleSeconds: number;
  /** Numbers of accounts to compare with each other, rising. */
  readonly scale: readonly number[];
  /** Whether the slow peers, which only inform, run too. */
  readonly slowPeers: boolean;
}

/** What was measured, by what it is called in budgets.ts: ours, and each peer's. */
export type Figures = Readonly<
  Record<string, { readonly ours: Reading; readonly peers?: Readonly<Record<string, Reading>> }>
>;

export type Benchmark = (size: Size, say: (line: string) => void) => Promise<Figures>;
