/**
 * The supplier NORTH with its four waves: two earlier waves that were imported in the past weeks,
 * today's wave (wave.ts), and a large wave that is in progress when the sandbox starts. The day of
 * today's wave begins with the first list of the supplier, so that a client can see every change.
 */
import { createdBy, historyTimes, pausedPace } from "./history.ts";
import { externalNumber, fraction, rowNumbered, serviceNumber } from "./numbers.ts";
import {
  afternoon,
  daySecondsFactor,
  rowsListed,
  type WaveStep,
  waveSize,
  waveSteps,
} from "./wave.ts";
import type { AccountStatus, AccountWorld, WorldSettings } from "./world.ts";
import {
  type Clock,
  elapsedAt,
  formatDatetime,
  instantAfter,
  instantAt,
  secondsBetween,
} from "./world.ts";

const earlierSize = 1200;
const stillStaged: ReadonlySet<number> = new Set([299, 601, 940, 1190]);
const renumberedBy = 0x10_0000;

interface WaveWorldSettings extends WorldSettings {
  readonly prefix: string;
  /** True if the day begins in the morning, without the large wave. False: in the afternoon. */
  readonly isWholeDay: boolean;
  readonly firstList: () => number | undefined;
}

export function waveWorld(settings: WaveWorldSettings): AccountWorld {
  const { seed, clock, firstNumber, prefix, isWholeDay, firstList } = settings;
  const largeFrom = earlierSize + waveSize;
  const size = largeFrom + (isWholeDay ? 0 : largeSize);
  const large = largeWave(seed, clock);
  const start = isWholeDay ? 0 : afternoon;
  let pastTimes: readonly string[] | undefined;
  const pastTime = (row: number, at: number): string | undefined => {
    pastTimes ??= historyTimes(clock.epoch, seed ^ firstNumber, earlierSize, pausedPace);
    return createdBy(clock, at, stillStaged.has(row) ? undefined : pastTimes[row]);
  };

  // The instant is cached, because every row needs it and it never changes.
  let cachedDayStart: number | undefined;
  const dayStart = (): number | undefined => {
    cachedDayStart ??= firstList();
    return cachedDayStart;
  };

  /** Returns the time of the day at an instant, in seconds. */
  const secondsOfDay = (at: number): number => {
    if (at < clock.epoch) return start + elapsedAt(clock, at) / daySecondsFactor;
    const from = dayStart();
    return start + (from === undefined ? 0 : Math.max(0, secondsBetween(clock, from, at)));
  };
  const instantOf = (seconds: number): number =>
    seconds <= start
      ? instantAt(clock, (seconds - start) * daySecondsFactor)
      : instantAfter(clock, dayStart() ?? clock.epoch, seconds - start);
  const stepOf = (row: number, at: number): WaveStep | undefined => {
    const seconds = secondsOfDay(at);
    return waveSteps[row - earlierSize]?.findLast((step) => step.at <= seconds);
  };

  const isOfToday = (row: number): boolean => row >= earlierSize && row < largeFrom;

  return {
    size,
    externalNumber: (row) => externalNumber(prefix, row + 1),
    rowOf: (text) => rowNumbered(prefix, text, size),
    status: (row, at) => {
      if (row < earlierSize) return pastTime(row, at) === undefined ? "UNKNOWN" : "COMPLETED";
      if (row >= largeFrom) return large.status(row - largeFrom, at);
      return stepOf(row, at)?.status;
    },
    createdAt: (row, at) => {
      if (row < earlierSize) return pastTime(row, at);
      if (row >= largeFrom) return large.createdAt(row - largeFrom, at);
      const step = stepOf(row, at);
      return step?.status === "COMPLETED" ? formatDatetime(instantOf(step.at)) : undefined;
    },
    serviceNumber: (row, at) => {
      const isRenumbered = isOfToday(row) && stepOf(row, at)?.isRenumbered === true;
      return serviceNumber(seed, firstNumber + row + (isRenumbered ? renumberedBy : 0));
    },
    isListed: (row, at) => {
      if (row >= rowsListed(secondsOfDay(at))) return false;
      if (row >= largeFrom) return large.isListed(row - largeFrom, at);
      return row < earlierSize || stepOf(row, at)?.isListed === true;
    },
  };
}

const largeSize = 1020;
const importedBefore = 870;

const hourSeconds = 3600;
const secondsApart = 120;
/**
 * Imports are up to `seconds` early or late, as in a sine wave with a period of 2π × `accounts`,
 * which is about a hundred accounts.
 */
const swing = { seconds: 600, accounts: 17 } as const;
const creatingSeconds = 40;
const salt = 0x57ea;

/** Seconds before the start at which the two lots are staged, and the first row of the second. */
const lots = { first: 31 * hourSeconds, second: 10 * hourSeconds, secondFrom: 700 } as const;
const stuckRows: ReadonlySet<number> = new Set([211, 478]);
/** A row of the first lot that fails and leaves the list, and the time of that before the start. */
const failed = { row: 96, secondsBefore: 20 * hourSeconds } as const;

/**
 * Creates the large wave of NORTH: an import about every two minutes, for a day before the sandbox
 * started and for five hours after that. Rows count from 0.
 */
function largeWave(
  seed: number,
  clock: Clock,
): Required<Pick<AccountWorld, "status" | "createdAt" | "isListed">> {
  /** Seconds after the start at which an account is imported. */
  const importAt = (row: number): number => {
    const position = row - importedBefore;
    const jitter = 60 * fraction(seed, salt, row);
    const sway = swing.seconds * Math.sin(position / swing.accounts);
    return position * secondsApart - sway + jitter;
  };
  const isStaged = (row: number, seconds: number): boolean =>
    seconds >= -(row < lots.secondFrom ? lots.first : lots.second);
  const hasFailed = (row: number, seconds: number): boolean =>
    row === failed.row && seconds >= -failed.secondsBefore;

  const status = (row: number, at: number): AccountStatus | undefined => {
    const seconds = elapsedAt(clock, at);
    if (!isStaged(row, seconds)) return undefined;
    if (stuckRows.has(row) || row === failed.row) return "UNKNOWN";
    const completedAt = importAt(row);
    if (seconds >= completedAt) return "COMPLETED";
    return seconds >= completedAt - creatingSeconds ? "IN_PROGRESS" : "UNKNOWN";
  };
  return {
    status,
    createdAt: (row, at) =>
      status(row, at) === "COMPLETED" ? formatDatetime(instantAt(clock, importAt(row))) : undefined,
    isListed: (row, at) => {
      const seconds = elapsedAt(clock, at);
      return isStaged(row, seconds) && !hasFailed(row, seconds);
    },
  };
}
