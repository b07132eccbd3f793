/**
 * A supplier with a history: two earlier waves that were imported in the past weeks, today's wave,
 * and a large wave in progress at any hour. The day of today's wave begins with the first list of the supplier,
 * so that nothing is missed.
 */

import { createdBy, historyTimes, pausedPace } from "./history.ts";
import { externalNumber, fraction, numberOf, serviceNumber } from "./numbers.ts";
import {
  afternoon,
  rowsShown,
  secondsPerSecond,
  type WaveStep,
  waveSize,
  waveSteps,
} from "./wave.ts";
import type { AccountStatus, AccountWorld, WorldSettings } from "./world.ts";
import {
  type Clock,
  elapsedAt,
  instantAfter,
  instantAt,
  secondsBetween,
  toSeconds,
} from "./world.ts";

/**
 * Number of accounts of the earlier waves. `leftOver` has the rows of those that are still staged.
 */
const earlier = 1200;
const leftOver: ReadonlySet<number> = new Set([299, 601, 940, 1190]);
/** Distance of an account's second service number from its first. */
const renumberedBy = 0x10_0000;

interface WaveWorldSettings extends WorldSettings {
  /** Beginning of every external account number. */
  readonly prefix: string;
  /**
   * True to play the day from its morning. Otherwise it is afternoon at the start, and the large
   * wave is in progress.
   */
  readonly isWholeDay: boolean;
  /** Instant of the first list, epoch ms. */
  readonly firstList: () => number | undefined;
}

export function waveWorld(settings: WaveWorldSettings): AccountWorld {
  const { seed, clock, firstNumber, prefix, isWholeDay, firstList } = settings;
  const steadyFrom = earlier + waveSize;
  const size = steadyFrom + (isWholeDay ? 0 : steadySize);
  const steady = steadyWave(seed, clock);
  const start = isWholeDay ? 0 : afternoon;
  let pastTable: readonly string[] | undefined;
  const pastText = (row: number, at: number): string | undefined => {
    pastTable ??= historyTimes(clock.epoch, seed ^ firstNumber, earlier, pausedPace);
    return createdBy(clock, at, leftOver.has(row) ? undefined : pastTable[row]);
  };

  // Stored, because it never changes and every row needs it.
  let known: number | undefined;
  const beginning = (): number | undefined => {
    known ??= firstList();
    return known;
  };

  const secondsOfDay = (at: number): number => {
    if (at < clock.epoch) return start + elapsedAt(clock, at) / secondsPerSecond;
    const began = beginning();
    return start + (began === undefined ? 0 : Math.max(0, secondsBetween(clock, began, at)));
  };
  /** Returns the instant of a time of the day. Before the start, time passed at natural pace. */
  const instantOf = (seconds: number): number =>
    seconds <= start
      ? instantAt(clock, (seconds - start) * secondsPerSecond)
      : instantAfter(clock, beginning() ?? clock.epoch, seconds - start);
  const stepOf = (row: number, at: number): WaveStep | undefined => {
    const seconds = secondsOfDay(at);
    return waveSteps[row - earlier]?.findLast((step) => step.at <= seconds);
  };

  const isOfToday = (row: number): boolean => row >= earlier && row < steadyFrom;

  return {
    size,
    externalNumber: (row) => externalNumber(prefix, row + 1),
    rowOf: (text) => {
      const number = numberOf(prefix, text);
      return number !== undefined && number >= 1 && number <= size ? number - 1 : undefined;
    },
    status: (row, at) => {
      if (row < earlier) return pastText(row, at) === undefined ? "UNKNOWN" : "COMPLETED";
      if (row >= steadyFrom) return steady.status(row - steadyFrom, at);
      return stepOf(row, at)?.status;
    },
    createdAt: (row, at) => {
      if (row < earlier) return pastText(row, at);
      if (row >= steadyFrom) return steady.createdAt(row - steadyFrom, at);
      const step = stepOf(row, at);
      return step?.status === "COMPLETED" ? toSeconds(instantOf(step.at)) : undefined;
    },
    serviceNumber: (row, at) => {
      const isRenumbered = isOfToday(row) && stepOf(row, at)?.isRenumbered === true;
      return serviceNumber(seed, firstNumber + row + (isRenumbered ? renumberedBy : 0));
    },
    isListed: (row, at) => {
      if (row >= rowsShown(secondsOfDay(at))) return false;
      if (row >= steadyFrom) return steady.isListed(row - steadyFrom, at);
      return row < earlier || stepOf(row, at)?.isListed === true;
    },
  };
}

/**
 * Number of accounts in the large wave. `importedBefore` is the number of those that are imported when
 * the sandbox starts.
 */
const steadySize = 1020;
const importedBefore = 870;

const hour = 3600;
const secondsApart = 120;
/** The import times vary by this number of seconds, with a period of about a hundred accounts. */
const swing = { seconds: 600, accounts: 17 } as const;
const creatingSeconds = 40;
const salt = 0x57ea;

/**
 * Seconds before the start at which the accounts are staged, in two lots. The second lot begins at
 * row `secondFrom`.
 */
const lots = { first: 31 * hour, second: 10 * hour, secondFrom: 700 } as const;
/**
 * Accounts of the first lot that stay staged. `failed` is an account that fails and leaves the
 * list.
 */
const stuck: ReadonlySet<number> = new Set([211, 478]);
const failed = { position: 96, secondsBefore: 20 * hour } as const;

/**
 * Creates the large wave of NORTH: an import about every two minutes, for a day before the sandbox
 * started and for five hours after that. Rows count from 0.
 */
function steadyWave(
  seed: number,
  clock: Clock,
): Required<Pick<AccountWorld, "status" | "createdAt" | "isListed">> {
  /** Seconds after the start at which an account is imported. */
  const importAt = (row: number): number => {
    const nth = row - importedBefore;
    const jitter = 60 * fraction(seed, salt, row);
    return nth * secondsApart - swing.seconds * Math.sin(nth / swing.accounts) + jitter;
  };
  const isStaged = (row: number, seconds: number): boolean =>
    seconds >= -(row < lots.secondFrom ? lots.first : lots.second);
  const hasFailed = (row: number, seconds: number): boolean =>
    row === failed.position && seconds >= -failed.secondsBefore;

  const status = (row: number, at: number): AccountStatus | undefined => {
    const seconds = elapsedAt(clock, at);
    if (!isStaged(row, seconds)) return undefined;
    if (stuck.has(row) || row === failed.position) return "UNKNOWN";
    const done = importAt(row);
    if (seconds >= done) return "COMPLETED";
    return seconds >= done - creatingSeconds ? "IN_PROGRESS" : "UNKNOWN";
  };
  return {
    status,
    createdAt: (row, at) =>
      status(row, at) === "COMPLETED" ? toSeconds(instantAt(clock, importAt(row))) : undefined,
    isListed: (row, at) => {
      const seconds = elapsedAt(clock, at);
      return isStaged(row, seconds) && !hasFailed(row, seconds);
    },
  };
}
