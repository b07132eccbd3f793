/** Migrations to try forecasts on: accounts created per five minutes, from kinds of rhythm and a seed. */

import { RecentCreations } from "../../src/triage/figures/rates.ts";
import type { CreatedHistory } from "../../src/triage/forecast/rates.ts";

const stepMs = 5 * 60_000;
const perHour = 12;
const perDay = 24 * perHour;

export const rhythms = ["steady", "nights and weekends", "pauses", "bursts", "drift"] as const;
export type Rhythm = (typeof rhythms)[number];

/** A migration from its first account to its last. */
export interface Migration {
  /** Accounts created per five minutes, oldest first. */
  readonly created: readonly number[];
  readonly total: number;
}

/** A migration of a few weeks; the same for the same rhythm and seed. */
export function migrationOf(rhythm: Rhythm, seed: number): Migration {
  const random = randomOf(seed * 7919 + rhythms.indexOf(rhythm) + 1);
  const base = 10 ** between(random, 1.7, 3) / perHour;
  const days = between(random, 10, 45);
  const speed = speedOf(rhythm, random);
  // The total is what the rhythm would bring on average, so that it ends around those days.
  const total = Math.round(base * days * perDay * averageSpeed[rhythm]);
  const created: number[] = [];
  let left = total;
  for (let step = 0; left > 0; step++) {
    const count = Math.min(left, poisson(base * speed(step), random));
    created.push(count);
    left -= count;
  }
  return { created, total };
}

const averageSpeed: Readonly<Record<Rhythm, number>> = {
  steady: 1,
  "nights and weekends": 0.3,
  pauses: 0.7,
  bursts: 0.35,
  drift: 1,
};

/** Speed by step of five minutes, 1 being the base. */
function speedOf(rhythm: Rhythm, random: () => number): (step: number) => number {
  switch (rhythm) {
    case "steady":
      return () => 1;
    case "nights and weekends": {
      const offset = Math.floor(random() * 7 * perDay);
      return (step) => {
        const day = Math.floor(((step + offset) / perDay) % 7);
        const hour = ((step + offset) % perDay) / perHour;
        return day < 5 && hour >= 8 && hour < 18 ? 1 : 0.02;
      };
    }
    case "pauses":
      return spells(random, [
        { speed: 1, hours: [12, 96] },
        { speed: 0, hours: [4, 36] },
      ]);
    case "bursts":
      return spells(random, [
        { speed: 1.5, hours: [0.5, 6] },
        { speed: 0.05, hours: [2, 24] },
      ]);
    case "drift": {
      let level = 0;
      const pull = 0.99 ** (1 / perHour);
      return () => {
        level = level * pull + normal(random) * 0.02;
        return Math.exp(level);
      };
    }
  }
}

/** Spells of one speed after another, each of a random length. */
function spells(
  random: () => number,
  kinds: readonly { readonly speed: number; readonly hours: readonly [number, number] }[],
): (step: number) => number {
  let at = Math.floor(random() * kinds.length);
  let until = 0;
  return (step) => {
    if (step >= until) {
      at = (at + 1) % kinds.length;
      const [low, high] = kinds[at]?.hours ?? [1, 1];
      until = step + Math.round(between(random, low, high) * perHour);
    }
    return kinds[at]?.speed ?? 0;
  };
}

/** A moment in a migration: what a list would show then, and when it was really finished. */
export interface Moment {
  readonly history: CreatedHistory;
  readonly pending: number;
  /** Milliseconds until the last of the pending accounts was created. */
  readonly truthMs: number;
}

/** `count` moments of a migration, evenly spread between its first hour and its end. */
export function momentsOf({ created, total }: Migration, count: number): Moment[] {
  const first = created.findIndex((n) => n > 0);
  return Array.from({ length: count }, (_, at) => {
    const end = Math.max(first + perHour, Math.floor((created.length * (at + 1)) / (count + 1)));
    const recent = new RecentCreations(end * stepMs);
    let done = 0;
    for (let step = first; step < end; step++) {
      const here = created[step] ?? 0;
      if (here === 0) continue;
      done += here;
      recent.add((step + 0.5) * stepMs, here);
    }
    return {
      history: recent.history((first + 0.5) * stepMs),
      pending: total - done,
      truthMs: (created.length - end) * stepMs,
    };
  });
}

function between(random: () => number, low: number, high: number): number {
  return low + random() * (high - low);
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A count with this mean; above thirty from the normal distribution. */
function poisson(mean: number, random: () => number): number {
  if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count += 1;
  return count;
}
