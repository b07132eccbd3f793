import { cohortState } from "../../watch/transitions.ts";
import type { Watched } from "../../watch/watched.ts";
import type { Cohorts } from "../cohorts/cohorts.ts";
import { ListMembers, type Seen } from "./list-members.ts";

/** The accounts of a watched cohort, as lists and look-ups show them. */
export interface CohortMembers {
  /** The name of the cohort. */
  readonly number: string;
  readonly members: ListMembers;
  /** Returns the state of the cohort now. */
  state(): string;
  /** Returns the account if a look-up has found that it failed, and that was not known before. */
  failedNow(seen: Seen): string | null;
}

/**
 * Returns a function that reads the watched cohorts of a supplier, each once in a session. The
 * facts about their accounts stay while watching is paused.
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
   * Returns the number of failed accounts. It is at least the earlier number until each account on
   * no list has been looked up.
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
