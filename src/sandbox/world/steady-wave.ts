/**
 * The large wave of NORTH, which is in progress at any hour: an import about every two minutes, for
 * a day before the sandbox started and for five hours after that.
 */
import { type Clock, elapsedAt, instantAt, toSeconds } from "./clock.ts";
import { fraction } from "./mix.ts";
import type { AccountStatus, AccountWorld } from "./world.ts";

/**
 * Number of accounts in the wave. `importedBefore` is the number of those that are imported when
 * the sandbox starts.
 */
export const steadySize = 1020;
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

/** Creates the part of a world with these accounts. Rows count from 0. */
export function steadyWave(
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
