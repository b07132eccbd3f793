/** Reads the cohorts that are watched by lists, and tracks the state of each. */
import { cohortState } from "../../watch/transitions.ts";
import type { Watched } from "../../watch/watched.ts";
import type { Cohorts } from "../cohorts/cohorts.ts";
import { ListMembers, type Seen } from "./list-members.ts";

/** A watched cohort, with the states of its accounts from lists and lookups. */
export interface CohortMembers {
  /** The name of the cohort. */
  readonly number: string;
  readonly members: ListMembers;
  /** Returns the current state of the cohort. */
  state(): string;
  /** Returns the account number if a lookup has newly found that the account failed, else null. */
  failedNow(seen: Seen): string | null;
}

/**
 * Returns a function that reads the watched cohorts of a supplier, each once in a session. The
 * states of their accounts are preserved while watching is paused.
 */
export function createCohortReader(cohorts: Pick<Cohorts, "read">) {
  const known = new Map<string, CohortMembers>();
  return async (supplier: string, wanted: readonly Watched[]) => {
    const readable: CohortMembers[] = [];
    const failed: { readonly number: string; readonly error: unknown }[] = [];
    for (const { number, progress } of wanted) {
      const key = JSON.stringify([supplier, number]);
      try {
        const one =
          known.get(key) ??
          cohortMembers(
            number,
            new ListMembers((await cohorts.read(number, supplier)).numbers, null, null),
            progress?.failed ?? null,
          );
        known.set(key, one);
        readable.push(one);
      } catch (error) {
        failed.push({ number, error });
      }
    }
    return { readable, failed };
  };
}

/**
 * Returns the members of a watched cohort. `failedBefore` is the number of failed accounts that an
 * earlier session found, or null for a new watch.
 */
function cohortMembers(
  number: string,
  members: ListMembers,
  failedBefore: number | null,
): CohortMembers {
  /**
   * Returns the number of failed accounts. Until each account on no list is decided, undecided
   * accounts count as failed, up to the number of the earlier session.
   */
  const failed = () =>
    Math.max(members.failed, Math.min(failedBefore ?? 0, members.failed + members.undecided));
  return {
    number,
    members,
    state() {
      const done = members.index.size - members.open - members.failed;
      return cohortState({ done, failed: failed(), open: members.index.size - done - failed() });
    },
    failedNow: ({ number: account, hasFailed, previous }) =>
      hasFailed && (previous !== null || (failedBefore !== null && members.failed > failedBefore))
        ? account
        : null,
  };
}
