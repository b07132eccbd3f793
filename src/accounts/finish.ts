/** How long the pending accounts may take, from the rates at which accounts were created lately. */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const monthMs = (365.25 / 12) * dayMs;
const yearMs = 365.25 * dayMs;

/** From this number of creations on, a rate is worth an estimate. */
const estimateFrom = 20;
const farthestMs = 10 * yearMs;
/** Where the latest finish is this many times as far as the soonest, a range says nothing. */
const widest = 30;

/** How fast accounts have been created in one span of time before now. */
export interface CreationRate {
  readonly perHour: number;
  /** Accounts counted, and the milliseconds before now in which they were created. */
  readonly count: number;
  readonly windowMs: number;
}

/**
 * Why there is no estimate:
 * - `nothing-pending`: every account listed is imported
 * - `no-creation-times`: no account carries a readable creation time
 * - `standstill`: none was created in the longest span
 * - `too-few`: fewer than twenty were
 * - `too-far`: at the present rates more than ten years
 * - `too-uneven`: the rates differ too much for a range that says anything
 * - `not-all-kept`: more accounts came than memory allows, so that no rate is known
 */
export type NoEstimate =
  | "nothing-pending"
  | "no-creation-times"
  | "standstill"
  | "too-few"
  | "too-far"
  | "too-uneven"
  | "not-all-kept";

/** When the pending accounts would be imported if the rates held; milliseconds from now. */
export type FinishEstimate =
  | { readonly kind: "range"; readonly soonestMs: number; readonly latestMs: number }
  | { readonly kind: "none"; readonly reason: NoEstimate };

/** The range of finishes at these rates, those of too few accounts left out. */
export function finishOf(pending: number, rates: readonly CreationRate[]): FinishEstimate {
  const none = (reason: NoEstimate): FinishEstimate => ({ kind: "none", reason });
  if (pending === 0) return none("nothing-pending");
  if (rates.length === 0) return none("no-creation-times");
  if (rates.every(({ count }) => count === 0)) return none("standstill");
  const left = rates
    .filter(({ count }) => count >= estimateFrom)
    .map(({ perHour }) => (pending / perHour) * hourMs);
  if (left.length === 0) return none("too-few");
  const [soonestMs, latestMs] = [Math.min(...left), Math.max(...left)];
  if (soonestMs > farthestMs) return none("too-far");
  if (latestMs > soonestMs * widest) return none("too-uneven");
  return { kind: "range", soonestMs, latestMs };
}

const units: readonly (readonly [unitMs: number, below: number, one: string, many: string])[] = [
  [minuteMs, 90 * minuteMs, "min", "min"],
  [hourMs, 48 * hourMs, "h", "h"],
  [dayMs, 60 * dayMs, "day", "days"],
  [monthMs, 24 * monthMs, "month", "months"],
  [yearMs, Number.POSITIVE_INFINITY, "year", "years"],
];

/** A range in words, in one unit and no finer than it is known: `2 to 10 days`, `about 3 h`. */
export function rangeWords(range: Extract<FinishEstimate, { kind: "range" }>): string {
  const { soonestMs, latestMs } = range;
  const [unitMs, , one, many] = units.find(([, below]) => latestMs < below) ?? [
    yearMs,
    0,
    "year",
    "years",
  ];
  const name = (n: number) => (n === 1 ? one : many);
  if (soonestMs === latestMs) {
    const n = Math.max(1, Math.round(latestMs / unitMs));
    return `about ${n} ${name(n)}`;
  }
  const from = Math.max(1, Math.floor(soonestMs / unitMs));
  const to = Math.max(1, Math.ceil(latestMs / unitMs));
  return from === to ? `about ${to} ${name(to)}` : `${from} to ${to} ${many}`;
}
