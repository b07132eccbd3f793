/** Computes the figures of a supplier's imports from its stored lists. */
import { pauseBetweenSlices } from "../../accounts/slices.ts";
import { type ImportFigures, isInLastHour } from "../import-pace.ts";
import { type Accounts, State } from "./accounts.ts";
import { movesIn } from "./packed-changes.ts";
import type { StoredList } from "./store.ts";
import type { StoredMoves } from "./stored-history.ts";

/** Maximum number of durations, latest first: older imports do not describe the pace of today. */
const maxDurations = 500;
/** The number of rows between two looks at the end of the slice. */
const rowsPerCheck = 4_096;
const toImported = State.pending * 8 + State.imported;

/**
 * Returns the figures at the last list. `moves` has the changes of the latest observations, newest
 * first.
 */
export async function importFiguresOf(
  accounts: Accounts,
  { firstAt, lastAt: at }: Pick<StoredList, "firstAt" | "lastAt">,
  moves: readonly StoredMoves[],
): Promise<ImportFigures> {
  let importedLastHour = 0;
  let newest = Number.NEGATIVE_INFINITY;
  const pause = pauseBetweenSlices();
  for (let row = 0; row < accounts.rows; row++) {
    if (row % rowsPerCheck === 0) await pause();
    if (accounts.state(row) !== State.imported) continue;
    const createdAt = accounts.created[row] as number;
    // A creation time after the list is not known.
    if (!(createdAt <= at)) continue;
    if (createdAt > newest) newest = createdAt;
    if (isInLastHour(createdAt, at)) importedLastHour += 1;
  }
  const { pendingSince } = accounts.times;
  return {
    at,
    importedLastHour,
    newestAt: newest === Number.NEGATIVE_INFINITY ? null : newest,
    durations: await durationsIn(accounts, firstAt, moves),
    async pendingBefore(time) {
      const pause = pauseBetweenSlices();
      let count = 0;
      for (let row = 0; row < accounts.rows; row++) {
        if (row % rowsPerCheck === 0) await pause();
        if (pendingSince.at(row) < time && accounts.state(row) === State.pending) count++;
      }
      return count;
    },
  };
}

/**
 * Returns the milliseconds from the first list with an account as pending until its import. An
 * account of the first list is left out, because it might have been pending long before.
 */
async function durationsIn(
  { times, created }: Accounts,
  firstAt: number,
  stored: readonly StoredMoves[],
): Promise<readonly number[]> {
  const durations: number[] = [];
  for (const one of stored) {
    const { rows, moves } = await movesIn(one.moves);
    for (const [index, row] of rows.entries()) {
      if (moves[index] !== toImported) continue;
      const pendingAt = times.firstSeen.at(row);
      if (!(pendingAt > firstAt && pendingAt < one.at)) continue;
      const createdAt = created[row] as number;
      // The list came later than the import, if the service reports when the account was created.
      const importedAt = createdAt >= pendingAt && createdAt <= one.at ? createdAt : one.at;
      durations.push(importedAt - pendingAt);
      if (durations.length === maxDurations) return durations;
    }
  }
  return durations;
}
