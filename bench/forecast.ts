import { forecastOf } from "../src/triage/forecast/forecast.ts";
import { type CreatedHistory, ratesOf, summed } from "../src/triage/forecast/rates.ts";
import { isEnough } from "../src/triage/forecast/replay.ts";
import type { Benchmark, Figures } from "./measure/benchmark.ts";
import { migrationOf, momentsOf, type Rhythm, rhythms } from "./measure/histories.ts";
import { median } from "./measure/rounds.ts";

const perRound = 12;
const momentsEach = 19;

interface Range {
  readonly soonestMs: number;
  readonly latestMs: number;
}

/** How the ranges of one rule did. */
export interface Score {
  /** Of the ranges given, those in percent that the real finish was inside of. NaN of none. */
  readonly inside: number;
  /** The latest finish as a multiple of the soonest, median. */
  readonly width: number;
  /** Moments in percent for which no range was given. */
  readonly none: number;
}

/**
 * Generated migrations of each rhythm, replayed: forecasts at moments spread over each of them, beside
 * the range between the slowest and the fastest rate. Only seeds decide, so every run has the same figures.
 */
export const forecast: Benchmark = async ({ rounds }) => {
  const figures: Record<string, Figures[string]> = {};
  for (const rhythm of rhythms) {
    const { tested, untested } = scoresOf(rhythm, { firstSeed: 1, migrations: rounds * perRound });
    const beside = (of: (score: Score) => number) => ({
      ours: of(tested),
      peers: { "the rates alone": of(untested) },
    });
    figures[`inside the range, ${rhythm}`] = beside(({ inside }) => inside);
    figures[`latest beside soonest, ${rhythm}`] = beside(({ width }) => width);
    figures[`no range, ${rhythm}`] = { ours: tested.none };
  }
  return figures;
};

/** Replays forecasts, and the rates alone, over migrations of one rhythm. */
export function scoresOf(
  rhythm: Rhythm,
  sizes: { readonly firstSeed: number; readonly migrations: number },
): { readonly tested: Score; readonly untested: Score } {
  const moments = Array.from({ length: sizes.migrations }, (_, at) =>
    momentsOf(migrationOf(rhythm, sizes.firstSeed + at), momentsEach),
  ).flat();
  const score = (ranges: readonly (Range | null)[]): Score => {
    const given = ranges.flatMap((range, at) => {
      const truthMs = moments[at]?.truthMs ?? Number.NaN;
      return range === null ? [] : [{ ...range, truthMs }];
    });
    const inside = given.filter(
      ({ soonestMs, latestMs, truthMs }) => soonestMs <= truthMs && truthMs <= latestMs,
    );
    return {
      inside: (100 * inside.length) / given.length,
      width: median(given.map(({ soonestMs, latestMs }) => latestMs / soonestMs)),
      none: (100 * (ranges.length - given.length)) / ranges.length,
    };
  };
  return {
    tested: score(
      moments.map(({ pending, history }) => {
        const finish = forecastOf(pending, history);
        return finish.kind === "range" ? finish : null;
      }),
    ),
    untested: score(moments.map(({ pending, history }) => untestedRange(pending, history))),
  };
}

/** The range of the rates alone, as if the past had never been wrong; null where no rate has enough. */
function untestedRange(pending: number, history: CreatedHistory) {
  const left = ratesOf(summed(history))
    .filter(isEnough)
    .map(({ perHour }) => (pending / perHour) * 3_600_000);
  if (left.length === 0) return null;
  return { soonestMs: Math.min(...left), latestMs: Math.max(...left) };
}
