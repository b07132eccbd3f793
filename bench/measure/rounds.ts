/** Something that cannot be measured here, and why: a peer that is not installed, for example. */
export interface Skipped {
  readonly skipped: string;
}

/** The measurements of one round of one side, by name: one value or many. */
export type Sample = Readonly<Record<string, number | readonly number[]>>;

/** A figure of a benchmark, or why there is none. */
export type Reading = number | Skipped;

export function isSkipped(value: unknown): value is Skipped {
  return typeof value === "object" && value !== null && "skipped" in value;
}

/**
 * Runs all sides in turn, round after round, so that a machine that changes its speed changes it for
 * all of them. Returns a function for a side's median, or another figure, over all its rounds. With
 * more than one round, an additional first round warms up and is not counted.
 */
export async function inTurn<Side extends string>(
  rounds: number,
  sides: Readonly<Record<Side, (() => Promise<Sample>) | Skipped>>,
): Promise<(side: Side, what: string, of?: (values: readonly number[]) => number) => Reading> {
  const samples = new Map<string, Sample[]>();
  for (let round = rounds > 1 ? 0 : 1; round <= rounds; round++) {
    for (const [side, run] of Object.entries<(() => Promise<Sample>) | Skipped>(sides)) {
      if (isSkipped(run)) continue;
      const sample = await run();
      if (round === 0) continue;
      samples.set(side, [...(samples.get(side) ?? []), sample]);
    }
  }
  return (side, what, of = median) => {
    const run = sides[side];
    if (isSkipped(run)) return run;
    const values = (samples.get(side) ?? []).flatMap((sample) => sample[what] ?? []);
    return of(values);
  };
}

/** The middle of the values; of an even number the lower middle. NaN of none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that 95 of 100 do not exceed. */
export function p95(values: readonly number[]): number {
  return quantile(values, 0.95);
}

/** The value that this share of the values does not exceed. NaN of none. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
