/** When the accounts of an ongoing migration were imported: eight weeks of batches. */
import { toSeconds } from "./clock.ts";
import { sequence } from "./mix.ts";

const days = 56;
const dayMs = 86_400_000;
const salt = 0x715;

/**
 * `size` instants before `epoch`, oldest first, as text. A migration starts slowly, finds its
 * pace, does little at weekends and most of its work in the day.
 */
export function pastInstants(epoch: number, seed: number, size: number): readonly string[] {
  const random = sequence(seed, salt);
  const midnight = Math.floor(epoch / dayMs) * dayMs;
  const starts = Array.from({ length: days }, (_, day) => midnight - (days - day) * dayMs);
  const weights = starts.map((start, day) => {
    const ramp = 1 / (1 + Math.exp((days * 0.4 - day) / 6));
    const weekday = new Date(start).getUTCDay();
    const quiet = weekday === 0 || weekday === 6 ? 0.12 : 1;
    return (0.03 + ramp) * quiet * (0.7 + 0.6 * random());
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const instants: number[] = [];
  let share = 0;
  for (const [day, weight] of weights.entries()) {
    share += weight / total;
    const until = day === days - 1 ? size : Math.round(share * size);
    while (instants.length < until) {
      // Two draws added: most between nine and six, a few early and late.
      const hour = 6 + 7 * (random() + random());
      instants.push((starts[day] ?? midnight) + Math.floor(hour * 3_600_000));
    }
  }
  return instants.sort((a, b) => a - b).map(toSeconds);
}
