/**
 * The timeline of each account of a migration wave on its day. One minute represents an hour of the
 * day, which begins at 8:00 and ends after ten minutes. The interface documents no transitions
 * (INTERFACE part 3), so the combinations of lists (4.9 to 4.11) and statuses (4.8) are
 * assumptions.
 */
import type { AccountStatus } from "./world.ts";

interface AccountState {
  /** The status of 4.8, or undefined for a 404. */
  readonly status: AccountStatus | undefined;
  readonly isListed: boolean;
  readonly isRenumbered?: true;
}

export interface WaveStep extends AccountState {
  /** Seconds since the start of the day. */
  readonly at: number;
}

const absent: AccountState = { status: undefined, isListed: false };
const staged: AccountState = { status: "UNKNOWN", isListed: true };
const creating: AccountState = { status: "IN_PROGRESS", isListed: true };
const creatingUnlisted: AccountState = { status: "IN_PROGRESS", isListed: false };
const failed: AccountState = { status: "UNKNOWN", isListed: false };
const imported: AccountState = { status: "COMPLETED", isListed: true };
const renumbered: AccountState = { ...imported, isRenumbered: true };

type Timeline = readonly (readonly [at: number, state: AccountState])[];

export const waveSize = 80;
const scriptedFrom = 60;

/** Seconds at which the accounts are staged, in two lots. One account is staged later. */
const stagedAt = [15, 30] as const;
const burst = (at: number): Timeline => [
  [at, creating],
  [at + 10, imported],
];

const scripts: readonly Timeline[] = [
  // 61: fails before the afternoon.
  [
    [200, creating],
    [220, failed],
  ],
  // 62: leaves the list while it is created, and stays IN_PROGRESS.
  [
    [200, creating],
    [210, creatingUnlisted],
  ],
  // 63: is withdrawn before the afternoon.
  [[225, absent]],
  // 64: fails.
  [
    [380, creating],
    [400, failed],
  ],
  // 65: disappears and never returns.
  [[420, absent]],
  // 66: disappears and returns.
  [
    [420, absent],
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
  [...burst(216), [450, absent]],
  // 70: was imported and is staged again.
  [...burst(105), [480, staged]],
  // 71: is staged late, and imported after the last burst.
  [[30, absent], [390, staged], ...burst(560)],
  // 72 to 75 are a last burst. The others stay staged.
  ...[480, 490, 500, 510].map(burst),
];

export const waveSteps: readonly (readonly WaveStep[])[] = Array.from(
  { length: waveSize },
  (_, position) => {
    const timeline: Timeline = [
      [0, absent],
      [stagedAt[position < waveSize / 2 ? 0 : 1], staged],
      ...(position < scriptedFrom
        ? burst(burstAt(position))
        : (scripts[position - scriptedFrom] ?? [])),
    ];
    return timeline.map(([at, state]) => ({ at, ...state }));
  },
);

/**
 * Returns the time of the day at which an account's import begins, in seconds. There are two bursts
 * of thirty accounts, which begin at 60 and at 180.
 */
function burstAt(position: number): number {
  const half = scriptedFrom / 2;
  return position < half ? 60 + 1.5 * position : 180 + 1.2 * (position - half);
}

/** Returns the rows in the lists at a time of the day: 0 for 30 s, 100 for 30 s, then all. */
export function rowsListed(seconds: number): number {
  if (seconds >= 240 && seconds < 270) return 0;
  return seconds >= 270 && seconds < 300 ? 100 : Number.POSITIVE_INFINITY;
}

/** The time of the day at which the sandbox begins by default, in seconds: 14:00. */
export const afternoon = 360;
/** Number of seconds before the start that one second of the day represents. */
export const daySecondsFactor = 60;
