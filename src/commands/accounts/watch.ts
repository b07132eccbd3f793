/**
 * The command `accounts watch`: follows accounts until they reach a status (INTERFACE 4.8, 4.9).
 */

import { isServiceError } from "../../api/errors.ts";
import type { AccountStatus } from "../../api/service.ts";
import { asCommand } from "../../text/as-command.ts";
import { accountStatuses } from "../../text/describe-status.ts";
import { NumberSet, numberColumn } from "../../triage/account-numbers.ts";
import type { MemberState } from "../../triage/list-watch/list-members.ts";
import { createListPace } from "../../triage/list-watch/list-pace.ts";
import { createListWatch, listReaders, maxByStatus } from "../../triage/list-watch/list-watch.ts";
import { progressText } from "../../triage/state-words.ts";
import { notFound } from "../../watch/timeline.ts";
import { cohortsOf } from "../cohorts/cohort-entry.ts";
import { usageError } from "../command-error.ts";
import { accountsGiven, addAccounts, type FromOption } from "../given-accounts.ts";
import type { Invocation } from "../invocation.ts";
import { observing } from "../observing.ts";
import {
  accountColumn,
  serviceNumberColumn,
  statusColumn,
  supplierColumn,
} from "../rows/columns.ts";
import { type Target, withTarget } from "../target.ts";
import { exits, type Verb } from "../verb.ts";
import { watchByStatus } from "../watch/by-status.ts";
import { changeColumns, changePrinter } from "../watch/change-lines.ts";
import { intervalOption, type WatchOptions, type WatchPlan, watchUntil } from "../watch/watch.ts";

interface WatchedRow {
  readonly import_supplier: string;
  readonly external_account_number: string;
  readonly status: string | null;
  readonly service_account_number: string | null;
}

const columns = changeColumns<WatchedRow>([
  supplierColumn,
  accountColumn,
  statusColumn,
  serviceNumberColumn,
]);

export const verb: Verb = {
  description: "follow accounts until they reach a status: a line for each change",
  declare: (command) =>
    addAccounts(command)
      .option(
        "--until <status>",
        `the status to wait for: ${accountStatuses.join(", ")}, or an undocumented one`,
        "COMPLETED",
      )
      .addOption(
        intervalOption(
          "time between two checks of an account, such as 5s or 1m; limits: 8 checks per second in total, or one list per 5 s for more than 50 accounts",
        ),
      )
      .option(
        "--cohort <cohort>",
        "follow all accounts of a cohort, with lists instead of single statuses",
      )
      .option("--any", "end as soon as one account has the status")
      .option("--fail-fast", "end as soon as one account reaches another final status")
      .option("--wait", "also wait for an account that the service does not have yet"),
  columns,
  /**
   * Follows accounts until each has the requested status or another final status. Requests single
   * statuses for a few accounts (INTERFACE 4.8), and lists for many accounts or a cohort (4.9).
   */
  async run(
    invocation,
    supplier: string,
    named: readonly string[],
    { from, cohort, ...options }: Options,
  ) {
    const numbers =
      cohort === undefined
        ? new NumberSet(
            numberColumn(
              await accountsGiven(invocation, "accounts watch", { named, from, supplier }),
            ),
          )
        : await cohortNumbers(invocation, supplier, cohort, { named, from });
    const ids = [...numbers.numbers().take(maxMeasured)];
    const changed = changePrinter(invocation, {
      ids,
      columns,
      row: (account, value: AccountStatus | null): WatchedRow => ({
        import_supplier: supplier,
        external_account_number: account,
        status: value?.status ?? null,
        service_account_number: value?.service_account_number ?? null,
      }),
      note: ({ service_account_number: number }) => number,
    });
    const { format, columns: chosen } = invocation.globals;
    const countedCohort = format === "table" && chosen === undefined ? cohort : undefined;
    const plan: WatchPlan<AccountStatus> = {
      kind: "account",
      supplier,
      statuses: accountStatuses,
      changed,
      ...options,
    };
    return withTarget(invocation, (target) =>
      cohort === undefined && numbers.size <= maxByStatus
        ? watchByStatus<AccountStatus>(invocation, target, ids, plan)
        : observing(invocation, target, ({ recorder: observations }) =>
            watchByList(invocation, target, numbers, { ...plan, countedCohort, observations }),
          ),
    );
  },
  exits: exits.watch,
  examples: [
    "supplyline accounts watch ACME EXT-0000002",
    "supplyline accounts watch ACME EXT-0000001 EXT-0000002 --timeout 30m --json",
    "supplyline accounts watch ACME --from accounts.csv",
    "supplyline accounts watch ACME --cohort wave-3 --timeout 8h",
    "supplyline accounts watch ACME EXT-0000004 --until IN_PROGRESS --wait",
  ],
};

/**
 * Number of accounts whose numbers determine the width of the column. A longer number of a later
 * account is not aligned.
 */
const maxMeasured = 10_000;

interface Options extends WatchOptions, FromOption {
  readonly cohort?: string;
}

/** Returns the accounts of a cohort. Throws a usage error if the command also names accounts. */
async function cohortNumbers(
  invocation: Invocation,
  supplier: string,
  cohort: string,
  { named, from }: { readonly named: readonly string[]; readonly from: string | undefined },
): Promise<NumberSet> {
  if (named.length > 0 || from !== undefined)
    throw usageError(
      "--cohort names all the accounts to watch",
      "Remove the other accounts and --from, or remove --cohort.",
    );
  return (await cohortsOf(invocation).read(cohort, supplier)).numbers;
}

interface ListPlan extends WatchPlan<AccountStatus> {
  /**
   * The name of the cohort whose counts are printed, or undefined to print no counts. Counts are
   * printed only in the table format.
   */
  readonly countedCohort: string | undefined;
  /** The observations that record complete lists, or null to record nothing. */
  readonly observations: Parameters<typeof listReaders>[1]["observations"];
}

/**
 * Watches many accounts of one supplier. Loads one list per round (INTERFACE 4.9), and requests the
 * status (4.8) of accounts that are not on it.
 */
async function watchByList(
  invocation: Invocation,
  target: Target,
  numbers: NumberSet,
  plan: ListPlan,
): Promise<number> {
  const { clock } = invocation.io;
  const { supplier, until, observations, countedCohort } = plan;
  return watchUntil(invocation, target, plan, async (watch) => {
    const { signal } = watch;
    if (until.toUpperCase() !== "COMPLETED")
      invocation.notice(
        `Lists show pending and imported accounts; ${until} is reported only for an account that is on no list.`,
      );
    const lists = createListWatch({
      ...listReaders(target.service, { supplier, clock, observations }),
      numbers: () => numbers,
      pace: createListPace(clock),
      intervalMs: plan.interval,
      clock,
      signal,
    });
    let hasList = false;
    let isHeldBack = false;
    let [done, failed, printedCounts] = [0, 0, ""];
    for await (const event of lists.events()) {
      switch (event.kind) {
        case "checking":
          break;
        case "round":
          watch.recovered(null);
          if (event.isHeldBack && !isHeldBack) invocation.notice(unconfirmedListNotice());
          isHeldBack = event.isHeldBack;
          for (const member of event.seen) await reportState(member, event.at, hasList);
          hasList = true;
          break;
        case "looked-up":
          watch.recovered(event.seen.number);
          await reportState(event.seen, event.at, false);
          break;
        case "failed": {
          const isMissing = isServiceError(event.error, "not-found");
          watch.failed(null, event.error, isMissing ? plan.wait === true || hasList : undefined);
          break;
        }
        case "look-up-failed":
          watch.failed(event.number, event.error);
      }
      if (countedCohort !== undefined && hasList) await printCounts(countedCohort, event.at);
    }
    return lists.stillOpen();

    /**
     * Reports the state of an account to the watch. `isNew` is true if an account without a previous
     * state is new since the earlier list. Otherwise the state is the initial state.
     */
    async function reportState(member: MemberState, at: number, isNew: boolean) {
      const { number: id, state, previous, serviceNumber, hasFailed } = member;
      const value =
        state === notFound ? null : { status: state, service_account_number: serviceNumber };
      const isInitialState = previous === null && !isNew;
      const end = await watch.report({
        id,
        at,
        state,
        previous,
        value,
        isChange: state !== previous && !(isInitialState && countedCohort !== undefined),
        isFinal: state === "COMPLETED" || hasFailed,
      });
      if (end === null) return;
      lists.close(id);
      if (end === "reached") done += 1;
      else failed += 1;
    }

    async function printCounts(id: string, at: number): Promise<void> {
      const state = progressText({ done, open: numbers.size - done - failed, failed });
      if (state !== printedCounts)
        await plan.changed({ id, at, state, previous: null, value: null });
      printedCounts = state;
    }

    function unconfirmedListNotice(): string {
      const { profile = null } = invocation.globals;
      const confirm = asCommand({ kind: "observations-confirm", supplier }, profile);
      return `The list of ${supplier} lacks many accounts that it had before. The missing accounts keep their state until you confirm the list: ${confirm}`;
    }
  });
}
