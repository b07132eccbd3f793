import type { Reading } from "./rounds.ts";

/** The size and the number of measurements. */
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
  /** True if the slow peers, which only inform, run too. */
  readonly slowPeers: boolean;
}

/** The measurements by their names in budgets.ts: ours, and each peer's. */
export type Figures = Readonly<
  Record<string, { readonly ours: Reading; readonly peers?: Readonly<Record<string, Reading>> }>
>;

export type Benchmark = (size: Size, say: (line: string) => void) => Promise<Figures>;
