/** The time of the sandbox, which can run faster than real time, and the accounts of a supplier. */

export interface Clock {
  /** Instant of the sandbox's (or its data folder's) first start, epoch ms. */
  readonly epoch: number;
  readonly now: () => number;
  /** Seconds of the sandbox per real second. 0 stops all changes. */
  readonly speed: number;
}

export function secondsBetween(clock: Clock, from: number, to: number): number {
  return ((to - from) / 1000) * clock.speed;
}

export function instantAfter(clock: Clock, from: number, seconds: number): number {
  return clock.speed === 0 ? Number.POSITIVE_INFINITY : from + (seconds * 1000) / clock.speed;
}

/** Returns the seconds from the start to an instant. An earlier instant has negative seconds. */
export function elapsedAt(clock: Clock, at: number): number {
  const { epoch } = clock;
  return at < epoch ? (at - epoch) / 1000 : secondsBetween(clock, epoch, at);
}

export function instantAt(clock: Clock, seconds: number): number {
  const { epoch } = clock;
  return seconds <= 0 ? epoch + seconds * 1000 : instantAfter(clock, epoch, seconds);
}

export function formatDatetime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/**
 * Formats an instant with a UTC offset, as in supply point import processes:
 * `2025-01-31T09:30:00.125+00:00`.
 */
export function formatDatetimeWithOffset(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 23)}+00:00`;
}

/** The status of an account import process (INTERFACE 4.8). */
export type AccountStatus = "UNKNOWN" | "IN_PROGRESS" | "COMPLETED";

/**
 * The accounts of a supplier by row. Rows count from 0, and their state is computed from the seed.
 * `at` is an instant in epoch ms, also one before the start of the sandbox.
 */
export interface AccountWorld {
  readonly size: number;
  externalNumber(row: number): string;
  /** Returns the row of a staged or imported account, or undefined for an account never staged. */
  rowOf(externalNumber: string): number | undefined;
  /** Returns the status, or undefined if no import process exists: 4.8 answers 404. */
  status(row: number, at: number): AccountStatus | undefined;
  /** Returns the raw creation time of the account, or undefined if it is pending. */
  createdAt(row: number, at: number): string | undefined;
  /** Returns the service number of an account, even before the account exists. */
  serviceNumber(row: number, at: number): string;
  /** Returns true if the lists have the row. Without this function, they have all rows. */
  readonly isListed?: (row: number, at: number) => boolean;
}

export interface WorldSettings {
  readonly seed: number;
  readonly clock: Clock;
  /** The first service account number of this supplier. Suppliers never share a number. */
  readonly firstNumber: number;
}
