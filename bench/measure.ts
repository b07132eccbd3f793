/** One row of the table of results; times are medians in milliseconds. */
export interface Result {
  readonly name: string;
  readonly ours: number;
  readonly peer: string;
  readonly theirs: number;
  readonly note: string;
}

/**
 * Runs both in turn, ours first, so that a machine that changes its speed changes it for both;
 * the first round of each warms up and is not counted.
 */
export async function alternating(
  rounds: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<{ readonly ours: number; readonly theirs: number }> {
  const a: number[] = [];
  const b: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const mine = await ours();
    const peers = await theirs();
    if (round === 0) continue;
    a.push(mine);
    b.push(peers);
  }
  return { ours: median(a), theirs: median(b) };
}

/** The middle of the values; of an even number the lower middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((x, y) => x - y);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
