/** Follows the team's ledger for the header and the board: if it answers, and what colleagues have open. */
import type { Clock } from "../api/clock.ts";
import { isAppError } from "../errors/app-error.ts";
import type { Profile } from "../settings/schemas.ts";
import type { Writes } from "../writes/open-writes.ts";
import { type Approval, type FourEyes, isOpen, maxRequests } from "../writes/team/approvals.ts";
import type { Ledger } from "../writes/team/ledger.ts";
import type { OpenOfPerson } from "../writes/team/ledger-views.ts";
import { runUntilCleanup } from "./run-until-cleanup.ts";
import { createStore, type Store, whileSubscribed } from "./store.ts";

export interface TeamState {
  /** Epoch milliseconds of the first call without an answer since the last answer, or null. */
  readonly awaySince: number | null;
  /** The open entries of colleagues at the last answer. */
  readonly open: readonly OpenOfPerson[];
  /** The policy of the service at the last answer. */
  readonly fourEyes: FourEyes;
  /** The requests for an approval at the last answer, the newest first, or null before it. */
  readonly requests: readonly Approval[] | null;
}

/** The followed state, which can be asked for at once. */
export interface FollowedTeam extends Pick<Store<TeamState>, "get" | "subscribe"> {
  /** Asks again now if someone subscribes. */
  refresh(): void;
}

/** The state without a team, and before the first answer. */
export const noTeamState: TeamState = {
  ...{ awaySince: null, open: [], fourEyes: "none", requests: null },
};

/** Returns the number of requests of others that wait for you. */
export function waitingFor(requests: readonly Approval[]): number {
  return requests.filter(({ standing, isMine }) => standing === "waits" && !isMine).length;
}

const noRequests: readonly Approval[] = [];

/** Returns the requests with the changed ones in their places, the newest first. */
function merged(known: readonly Approval[], changed: readonly Approval[]): readonly Approval[] {
  const byId = new Map([...known, ...changed].map((one) => [one.id, one]));
  return [...byId.values()].toSorted((one, other) => other.id - one.id).slice(0, maxRequests);
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
  /** The mark of the requests in the store, or null if they are not read. */
  let mark: string | null = null;
  /** Asks for the requests that changed. Without a policy, none can wait, and nothing is asked. */
  const askRequests = async ({ approvals }: Ledger, fourEyes: FourEyes) => {
    const known = store.get().requests ?? noRequests;
    if (fourEyes === "none") {
      mark = null;
      return noRequests;
    }
    const open = known.filter(isOpen).map(({ id, standing, left }) => ({ id, standing, left }));
    const changes = await approvals.changes(mark, open);
    ({ mark } = changes);
    if (changes.isWhole) return changes.requests;
    return changes.requests.length === 0 ? known : merged(known, changes.requests);
  };
  const ask = async (): Promise<TeamState> => {
    const { team } = (await writes()).context;
    if (team === null) return noTeamState;
    const { people, fourEyes } = await team.ledger.openWork();
    const requests = await askRequests(team.ledger, fourEyes);
    return { awaySince: null, open: people, fourEyes, requests };
  };
  const follow = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const before = store.get();
      const next = await ask().catch((error: unknown): TeamState => {
        // A journal that cannot be opened is not a fault of the team, and other parts report it.
        if (!isAppError(error, "team")) return before;
        return { ...before, awaySince: before.awaySince ?? clock.now() };
      });
      const isSame =
        next.awaySince === before.awaySince &&
        next.requests === before.requests &&
        next.fourEyes === before.fourEyes &&
        JSON.stringify(next.open) === JSON.stringify(before.open);
      if (!signal.aborted && !isSame) store.set(next);
      const woken = new AbortController();
      wake = () => woken.abort();
      await clock.sleep(askEveryMs, AbortSignal.any([signal, woken.signal])).catch(() => {});
    }
  };
  return { ...whileSubscribed(store, () => runUntilCleanup(follow)), refresh };
}
