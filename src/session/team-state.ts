/** Follows the team's ledger for the header and the board: if it answers, and what colleagues have open. */
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../api/clock.ts";
import { isAppError } from "../errors/app-error.ts";
import type { Profile } from "../settings/schemas.ts";
import type { Writes } from "../writes/open-writes.ts";
import type { OpenOfPerson } from "../writes/team/ledger-views.ts";
import { runUntilCleanup } from "./run-until-cleanup.ts";
import { createStore, type Store } from "./store.ts";

/** The state of the team's ledger, as this console sees it. */
export interface TeamState {
  /** Epoch milliseconds of the first call without an answer since the last answer, or null. */
  readonly awaySince: number | null;
  /** The open entries of colleagues at the last answer. The same array stays while nothing changes. */
  readonly open: readonly OpenOfPerson[];
}

/** The state without a team, and before the first answer. */
export const noTeamState: TeamState = { awaySince: null, open: [] };

/** The time between two questions, in milliseconds. */
const askEveryMs = 5_000;

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
    const open = await team.ledger.openWork();
    const before = store.get().open;
    return { awaySince: null, open: isDeepStrictEqual(open, before) ? before : open };
  };
  const follow = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const before = store.get();
      const next = await ask().catch((error: unknown): TeamState => {
        // A journal that cannot be opened is not a fault of the team, and other parts report it.
        if (!isAppError(error, "team")) return before;
        return { ...before, awaySince: before.awaySince ?? clock.now() };
      });
      const isSame = next.awaySince === before.awaySince && next.open === before.open;
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
