/** Follows the team's ledger for the header and the board: if it answers, and what colleagues have open. */
import type { Clock } from "../api/clock.ts";
import { isAppError } from "../errors/app-error.ts";
import type { Profile } from "../settings/schemas.ts";
import type { Writes } from "../writes/open-writes.ts";
import type { Approval } from "../writes/team/approvals.ts";
import type { OpenOfPerson } from "../writes/team/ledger-views.ts";
import { runUntilCleanup } from "./run-until-cleanup.ts";
import { createStore, type Store } from "./store.ts";

export interface TeamState {
  /** Epoch milliseconds of the first call without an answer since the last answer, or null. */
  readonly awaySince: number | null;
  /** The open entries of colleagues at the last answer. */
  readonly open: readonly OpenOfPerson[];
  /** The requests for an approval at the last answer, the newest first, or null before it. */
  readonly requests: readonly Approval[] | null;
}

/** The followed state, which can be asked for at once. */
export interface FollowedTeam extends Pick<Store<TeamState>, "get" | "subscribe"> {
  /** Asks again now if someone subscribes. */
  refresh(): void;
}

/** The state without a team, and before the first answer. */
export const noTeamState: TeamState = { awaySince: null, open: [], requests: null };

/** Returns the number of requests of others that wait for you. */
export function waitingFor(requests: readonly Approval[]): number {
  return requests.filter(({ standing, isMine }) => standing === "waits" && !isMine).length;
}

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
}): FollowedTeam {
  const store = createStore(noTeamState);
  let wake = () => {};
  const refresh = () => wake();
  if (profile.team === undefined) return { ...store, refresh };
  const ask = async (): Promise<TeamState> => {
    const { team } = (await writes()).context;
    if (team === null) return noTeamState;
    const [open, requests] = await Promise.all([
      team.ledger.openWork(),
      team.ledger.approvals.list(),
    ]);
    return { awaySince: null, open, requests };
  };
  const follow = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const before = store.get();
      const next = await ask().catch((error: unknown): TeamState => {
        // A journal that cannot be opened is not a fault of the team, and other parts report it.
        if (!isAppError(error, "team")) return before;
        return { ...before, awaySince: before.awaySince ?? clock.now() };
      });
      const isSame = JSON.stringify(next) === JSON.stringify(before);
      if (!signal.aborted && !isSame) store.set(next);
      const woken = new AbortController();
      wake = () => woken.abort();
      await clock.sleep(askEveryMs, AbortSignal.any([signal, woken.signal])).catch(() => {});
    }
  };
  let subscribers = 0;
  let stop = () => {};
  return {
    get: store.get,
    refresh,
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
