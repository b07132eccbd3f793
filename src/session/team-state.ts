/** Follows the team's ledger for the header: if it answers, and the unknown entries of colleagues. */
import type { Clock } from "../api/clock.ts";
import { isAppError } from "../errors/app-error.ts";
import type { Profile } from "../settings/schemas.ts";
import type { Writes } from "../writes/open-writes.ts";
import { runUntilCleanup } from "./run-until-cleanup.ts";
import { createStore, type Store } from "./store.ts";

/** The state of the team's ledger, as this console sees it. */
export interface TeamState {
  /** Epoch milliseconds of the first call without an answer since the last answer, or null. */
  readonly awaySince: number | null;
  /** The number of unknown entries of colleagues at the last answer. */
  readonly unknown: number;
}

/** The state without a team, and before the first answer. */
export const noTeamState: TeamState = { awaySince: null, unknown: 0 };

/** The time between two questions, in milliseconds. */
const askEveryMs = 5_000;

/** Maximum number of unknown entries that are counted. */
const maxUnknown = 1_000;

/**
 * Returns a store with the state of the team, which is asked while the store has a subscriber. Without a
 * team, nothing is asked and no journal is opened.
 */
export function followTeam({
  profile,
  writes,
  clock,
}: {
  readonly profile: Pick<Profile, "team">;
  readonly writes: () => Promise<Writes>;
  readonly clock: Clock;
}): Pick<Store<TeamState>, "get" | "subscribe"> {
  const store = createStore(noTeamState);
  if (profile.team === undefined) return store;
  const ask = async (): Promise<TeamState> => {
    const { team } = (await writes()).context;
    if (team === null) return noTeamState;
    // Imported on first use, so that no frame waits for the import.
    const { listColleagues } = await import("../writes/team/colleagues.ts");
    const filter = { outcomes: ["unknown" as const], limit: maxUnknown };
    const rows = await listColleagues(team.ledger, team.folder, filter);
    return { awaySince: null, unknown: rows.length };
  };
  const follow = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const before = store.get();
      const next = await ask().catch((error: unknown): TeamState => {
        // A journal that cannot be opened is not a fault of the team, and other parts report it.
        if (!isAppError(error, "team")) return before;
        return { ...before, awaySince: before.awaySince ?? clock.now() };
      });
      const isSame = next.awaySince === before.awaySince && next.unknown === before.unknown;
      if (!signal.aborted && !isSame) store.set(next);
      await clock.sleep(askEveryMs, signal).catch(() => {});
    }
  };
  let subscribers = 0;
  let stop = () => {};
  return {
    get: store.get,
    subscribe(listener) {
      const unsubscribe = store.subscribe(listener);
      subscribers += 1;
      if (subscribers === 1) stop = runUntilCleanup(follow);
      return () => {
        unsubscribe();
        subscribers -= 1;
        if (subscribers === 0) stop();
      };
    },
  };
}
