/** Derives the creation times of accounts that were imported in the weeks before the start. */
import { sequence } from "./numbers.ts";
import { type Clock, formatDatetime } from "./world.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** Gives each set of times another random sequence. */
const salts = { weeks: 0x715, lastDay: 0x716 } as const;

/** The distribution of past imports over days. The last day ended before the epoch. */
interface Pace {
  readonly days: number;
  /** The share of a day compared with the others, or 0 for a day without imports. */
  readonly weight: (day: number) => number;
}

const rampPace: Pace = {
  days: 56,
  weight: (day) => 0.03 + 1 / (1 + Math.exp((56 * 0.4 - day) / 6)),
};

export const pausedPace: Pace = {
  days: 28,
  weight: (day) => (day >= 11 && day < 16 ? 0 : 1),
};

/**
 * Returns `size` instants before `epoch`, oldest first, as text. Few are at weekends, most are in
 * the daytime, and none are at night.
 */
export function historyTimes(
  epoch: number,
  seed: number,
  size: number,
  { days, weight }: Pace = rampPace,
): readonly string[] {
  const random = sequence(seed, salts.weeks);
  const midnight = Math.floor(epoch / dayMs) * dayMs;
  const starts = Array.from({ length: days }, (_, day) => midnight - (days - day) * dayMs);
  const weights = starts.map((start, day) => {
    const weekday = new Date(start).getUTCDay();
    const dayShare = weekday === 0 || weekday === 6 ? 0.12 : 1;
    return weight(day) * dayShare * (0.7 + 0.6 * random());
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const instants: number[] = [];
  let share = 0;
  for (const [day, weight] of weights.entries()) {
    share += weight / total;
    const sizeAtEndOfDay = day === days - 1 ? size : Math.round(share * size);
    while (instants.length < sizeAtEndOfDay) {
      // The sum of two random numbers is most often near 1, so most hours are around 13:00.
      const hour = 6 + 7 * (random() + random());
      instants.push((starts[day] ?? midnight) + Math.floor(hour * hourMs));
    }
  }
  return instants.sort((a, b) => a - b).map(formatDatetime);
}

/**
 * Returns `size` instants in the 24 hours before `epoch`, most of them in the last hours, oldest
 * first, as text.
 */
export function lastDayTimes(epoch: number, seed: number, size: number): readonly string[] {
  const random = sequence(seed, salts.lastDay);
  return Array.from({ length: size }, () => 1 + Math.floor(dayMs * random() ** 2))
    .sort((a, b) => b - a)
    .map((before) => formatDatetime(epoch - before));
}

export function createdBy(
  { epoch }: Clock,
  at: number,
  created: string | undefined,
): string | undefined {
  const isLater = at < epoch && created !== undefined && created > formatDatetime(at);
  return isLater ? undefined : created;
}
