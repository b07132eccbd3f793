/**
 * The timeline of each account of a migration wave on its day. One minute represents an hour of the
 * day, which begins at 8:00 and ends after ten minutes. The interface shows no transitions
 * (INTERFACE part 3), so this is one possible combination of lists (4.9 to 4.11) and statuses
 * (4.8).
 */
import type { AccountStatus } from "./world.ts";

/** The service's report on an account. */
interface Report {
  /** The status of 4.8, or undefined for a 404. */
  readonly status: AccountStatus | undefined;
  readonly isListed: boolean;
  /** True if the account was created a second time, under another number. */
  readonly isRenumbered?: true;
}

export interface WaveStep extends Report {
  /** Seconds since the start of the day. */
  readonly at: number;
}

const nothing: Report = { status: undefined, isListed: false };
const staged: Report = { status: "UNKNOWN", isListed: true };
const creating: Report = { status: "IN_PROGRESS", isListed: true };
const creatingUnlisted: Report = { status: "IN_PROGRESS", isListed: false };
const failed: Report = { status: "UNKNOWN", isListed: false };
const imported: Report = { status: "COMPLETED", isListed: true };
const renumbered: Report = { ...imported, isRenumbered: true };

type Course = readonly (readonly [at: number, report: Report])[];

/** Number of accounts in a wave. */
export const waveSize = 80;
const scripted = 60;

/** Seconds at which the accounts are staged, in two lots. One account is staged later. */
const stagedAt = [15, 30] as const;
const burst = (at: number): Course => [
  [at, creating],
  [at + 10, imported],
];

/** The scripts of the accounts after the first sixty, as docs/sandbox.md describes them. */
const scripts: readonly Course[] = [
  // 61: fails before the afternoon.
  [
    [200, creating],
    [220, failed],
  ],
  // 62: leaves the list while it is created, and stays so.
  [
    [200, creating],
    [210, creatingUnlisted],
  ],
  // 63: is withdrawn before the afternoon.
  [[225, nothing]],
  // 64: fails.
  [
    [380, creating],
    [400, failed],
  ],
  // 65: disappears and never returns.
  [[420, nothing]],
  // 66: disappears and returns.
  [
    [420, nothing],
    [510, staged],
  ],
  // 67: disappears and is imported.
  [
    [420, creatingUnlisted],
    [540, imported],
  ],
  // 68: gets another service account number.
  [...burst(215), [450, renumbered]],
  // 69: was imported and is removed.
  [...burst(216), [450, nothing]],
  // 70: was imported and is staged again.
  [...burst(105), [480, staged]],
  // 71: is staged late, and imported at the end.
  [[30, nothing], [390, staged], ...burst(560)],
  // 72 to 75 are a last burst. The others stay staged.
  ...[480, 490, 500, 510].map(burst),
];

/** The steps of each account, oldest first, the first at 0. */
export const waveSteps: readonly (readonly WaveStep[])[] = Array.from(
  { length: waveSize },
  (_, position) => {
    const course: Course = [
      [0, nothing],
      [stagedAt[position < waveSize / 2 ? 0 : 1], staged],
      ...(position < scripted ? burst(burstAt(position)) : (scripts[position - scripted] ?? [])),
    ];
    return course.map(([at, report]) => ({ at, ...report }));
  },
);

/**
 * Returns the start of an account's import: two bursts of thirty accounts, with a pause of a minute
 * between them.
 */
function burstAt(position: number): number {
  return position < scripted / 2 ? 60 + 1.5 * position : 180 + 1.2 * (position - scripted / 2);
}

/**
 * Returns the number of rows of the lists at a time of the day: none for a while, then the first
 * hundred.
 */
export function rowsShown(seconds: number): number {
  if (seconds >= 240 && seconds < 270) return 0;
  return seconds >= 270 && seconds < 300 ? 100 : Number.POSITIVE_INFINITY;
}

/** The time at which the sandbox begins unless the whole day is played: 14:00. */
export const afternoon = 360;
/** Real seconds that a second of the day before the start represents. */
export const secondsPerSecond = 60;
