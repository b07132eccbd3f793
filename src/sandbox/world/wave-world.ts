/**
 * A supplier with a history: two earlier waves, imported in the past weeks, and the wave of today.
 * Its day begins with the first list of the supplier, so that nothing is missed.
 */
import { instantAfter, secondsBetween, toSeconds } from "./clock.ts";
import { pastInstants, pausedPace } from "./history.ts";
import { externalNumber, numberOf, serviceNumber } from "./numbers.ts";
import {
  afternoon,
  rowsShown,
  secondsPerSecond,
  type WaveStep,
  waveSize,
  waveSteps,
} from "./wave.ts";
import type { AccountWorld, WorldSettings } from "./world.ts";

/** Accounts of the earlier waves, and those of them that are still staged. */
const earlier = 1200;
const leftOver: ReadonlySet<number> = new Set([299, 601, 940, 1190]);
/** A second number is this far from the first. */
const renumberedBy = 0x10_0000;

interface WaveWorldSettings extends WorldSettings {
  /** Beginning of every external account number. */
  readonly prefix: string;
  /** Plays the day from its morning; otherwise it is afternoon when the day begins. */
  readonly isWholeDay: boolean;
  /** Instant of the first list, epoch ms. */
  readonly firstList: () => number | undefined;
}

export function waveWorld(settings: WaveWorldSettings): AccountWorld {
  const { seed, clock, firstNumber, prefix, isWholeDay, firstList } = settings;
  const size = earlier + waveSize;
  const start = isWholeDay ? 0 : afternoon;
  let pastTable: readonly string[] | undefined;
  const pastText = (row: number): string | undefined => {
    pastTable ??= pastInstants(clock.epoch, seed ^ firstNumber, earlier, pausedPace);
    return pastTable[row];
  };

  // It is the same ever after, and every row needs it.
  let known: number | undefined;
  const beginning = (): number | undefined => {
    known ??= firstList();
    return known;
  };

  const secondsOfDay = (at: number): number => {
    const began = beginning();
    return start + (began === undefined ? 0 : Math.max(0, secondsBetween(clock, began, at)));
  };
  /** The instant of a time of the day; what lies before the start was at its natural pace. */
  const instantOf = (seconds: number): number =>
    seconds <= start
      ? clock.epoch - (start - seconds) * secondsPerSecond * 1000
      : instantAfter(clock, beginning() ?? clock.epoch, seconds - start);
  const stepOf = (row: number, at: number): WaveStep | undefined => {
    const seconds = secondsOfDay(at);
    return waveSteps[row - earlier]?.findLast((step) => step.at <= seconds);
  };

  return {
    size,
    externalNumber: (row) => externalNumber(prefix, row + 1),
    rowOf: (text) => {
      const number = numberOf(prefix, text);
      return number !== undefined && number >= 1 && number <= size ? number - 1 : undefined;
    },
    status: (row, at) => {
      if (row < earlier) return leftOver.has(row) ? "UNKNOWN" : "COMPLETED";
      return stepOf(row, at)?.status;
    },
    createdAt: (row, at) => {
      if (row < earlier) return leftOver.has(row) ? undefined : pastText(row);
      const step = stepOf(row, at);
      return step?.status === "COMPLETED" ? toSeconds(instantOf(step.at)) : undefined;
    },
    serviceNumber: (row, at) => {
      const isRenumbered = row >= earlier && stepOf(row, at)?.isRenumbered === true;
      return serviceNumber(seed, firstNumber + row + (isRenumbered ? renumberedBy : 0));
    },
    isListed: (row, at) =>
      row < rowsShown(secondsOfDay(at)) && (row < earlier || stepOf(row, at)?.isListed === true),
  };
}
