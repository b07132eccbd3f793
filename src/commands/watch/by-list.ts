/** Watches many accounts by loading lists, for `accounts watch`. */

import { isServiceError } from "../../api/errors.ts";
import type { AccountStatus } from "../../api/service.ts";
import { asCommand } from "../../text/as-command.ts";
import type { NumberSet } from "../../triage/account-numbers.ts";
import type { Seen } from "../../triage/list-watch/list-members.ts";
import { createListPace } from "../../triage/list-watch/list-pace.ts";
import { createListWatch, listsOf } from "../../triage/list-watch/list-watch.ts";
import { cohortState, notFound } from "../../watch/transitions.ts";
import type { Invocation } from "../invocation.ts";
import type { Target } from "../target.ts";
import { type WatchPlan, watchUntil } from "./watch.ts";

interface ListPlan extends WatchPlan<AccountStatus> {
  /**
   * The name of the cohort whose counts are printed for people, or undefined to print no counts.
   */
  readonly counted: string | undefined;
  /** The observations that record complete lists, or null to record nothing. */
  readonly observations: Parameters<typeof listsOf>[1]["observations"];
}

/**
 * Watches many accounts of one supplier. Loads one list per round (INTERFACE 4.9), and looks up the
 * accounts that left it (4.8).
 */
export async function watchByList(
  invocation: Invocation,
  target: Target,
  numbers: NumberSet,
  plan: ListPlan,
): Promise<number> {
  const { clock } = invocation.io;
  const { supplier, until, observations, counted } = plan;
  return watchUntil(invocation, target, plan, async (watch) => {
    const { signal } = watch;
    if (until.toUpperCase() !== "COMPLETED")
      invocation.notice(
        `Lists show pending and imported accounts; ${until} is seen only of an account that is on no list.`,
      );
    const lists = createListWatch({
      ...listsOf(target.service, { supplier, clock, observations }),
      numbers: () => numbers,
      pace: createListPace(clock),
      intervalMs: plan.interval,
      clock,
      signal,
    });
    let hasList = false;
    let isHeldBack = false;
    let [done, failed, counts] = [0, 0, ""];
    for await (const event of lists.events()) {
      switch (event.kind) {
        case "checking":
          break;
        case "round":
          watch.answered(null);
          if (event.heldBack !== null && !isHeldBack) invocation.notice(heldBackWords());
          isHeldBack = event.heldBack !== null;
          for (const seen of event.seen) await saw(seen, event.at, hasList);
          hasList = true;
          break;
        case "looked-up":
          watch.answered(event.seen.number);
          await saw(event.seen, event.at, false);
          break;
        case "failed": {
          const isMissing = isServiceError(event.error, "not-found");
          watch.failed(null, event.error, isMissing ? plan.wait === true || hasList : undefined);
          break;
        }
        case "look-up-failed":
          watch.failed(event.number, event.error);
      }
      if (counted !== undefined && hasList) await count(counted, event.at);
    }
    return lists.stillOpen();

    /**
     * Reports the state of an account. `isNew` is true if there was an earlier list, so an account
     * without a previous state is new.
     */
    async function saw(seen: Seen, at: number, isNew: boolean) {
      const { number: id, state, previous, serviceNumber, hasFailed } = seen;
      const value =
        state === notFound ? null : { status: state, service_account_number: serviceNumber };
      const isFirst = previous === null && !isNew;
      const end = await watch.saw({
        id,
        at,
        state,
        previous,
        value,
        isChange: state !== previous && !(isFirst && counted !== undefined),
        isFinal: state === "COMPLETED" || hasFailed,
      });
      if (end === null) return;
      lists.close(id);
      if (end === "reached") done += 1;
      else failed += 1;
    }

    /** Prints the counts of a cohort if they have changed. */
    async function count(id: string, at: number): Promise<void> {
      const state = cohortState({ done, open: numbers.size - done - failed, failed });
      if (state !== counts) await plan.changed({ id, at, state, previous: null, value: null });
      counts = state;
    }

    function heldBackWords(): string {
      const { profile = null } = invocation.globals;
      const confirm = asCommand({ kind: "observations-confirm", supplier }, profile);
      return `The list of ${supplier} lacks many accounts that it had before, so none counts as having left it. If that is right: ${confirm}`;
    }
  });
}
