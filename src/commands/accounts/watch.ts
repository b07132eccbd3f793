/**
 * The command `accounts watch`: follows accounts until they reach a status (INTERFACE 4.8, 4.9).
 */

import type { AccountStatus } from "../../api/service.ts";
import { accountStatuses } from "../../text/describe-status.ts";
import { NumberSet, numberColumn } from "../../triage/account-numbers.ts";
import { maxByStatus } from "../../triage/list-watch/list-watch.ts";
import { cohortsOf } from "../cohorts/cohort-entry.ts";
import { usageError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { observing } from "../observing.ts";
import {
  accountColumn,
  serviceNumberColumn,
  statusColumn,
  supplierColumn,
} from "../rows/shared-columns.ts";
import { withTarget } from "../target.ts";
import { exits, type Verb } from "../verb.ts";
import { watchByList } from "../watch/by-list.ts";
import { watchByStatus } from "../watch/by-status.ts";
import { changeColumns, changePrinter } from "../watch/change-lines.ts";
import { intervalOption, type WatchOptions, type WatchPlan } from "../watch/watch.ts";
import { accountsGiven, addAccounts, type FromOption } from "./numbers-file.ts";

interface Seen {
  readonly import_supplier: string;
  readonly external_account_number: string;
  readonly status: string | null;
  readonly service_account_number: string | null;
}

const columns = changeColumns<Seen>([
  supplierColumn,
  accountColumn,
  statusColumn,
  serviceNumberColumn,
]);

export const verb: Verb = {
  description: "follow accounts until they reach a status: a line for each change",
  examples: [
    "supplyline accounts watch ACME EXT-0000002",
    "supplyline accounts watch ACME EXT-0000001 EXT-0000002 --timeout 30m --json",
    "supplyline accounts watch ACME --from accounts.csv",
    "supplyline accounts watch ACME --cohort wave-3 --timeout 8h",
    "supplyline accounts watch ACME EXT-0000004 --until IN_PROGRESS --wait",
  ],
  exits: exits.watch,
  columns,
  declare: (command) =>
    addAccounts(command)
      .option(
        "--until <status>",
        `the status to wait for: ${accountStatuses.join(", ")}, or an undocumented one`,
        "COMPLETED",
      )
      .addOption(
        intervalOption(
          "time between two checks of an account, such as 5s or 1m; all together at most 8 checks per second, and at most one list per 5 s where more than 50 accounts are followed by lists",
        ),
      )
      .option("--cohort <cohort>", "follow the accounts of a cohort, by lists")
      .option("--any", "end as soon as one account has the status")
      .option("--fail-fast", "end as soon as one account reaches another final status")
      .option("--wait", "also wait for an account that the service does not have yet"),
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
            numberColumn(await accountsGiven(invocation, "accounts watch", named, from)),
          )
        : await cohortAlone(invocation, supplier, cohort, { named, from });
    const ids = [...numbers.numbers().take(maxMeasured)];
    const changed = changePrinter(invocation, {
      ids,
      columns,
      row: (account, value: AccountStatus | null): Seen => ({
        import_supplier: supplier,
        external_account_number: account,
        status: value?.status ?? null,
        service_account_number: value?.service_account_number ?? null,
      }),
      note: ({ service_account_number: number }) => number,
    });
    const { format, columns: chosen } = invocation.globals;
    const counted = format === "table" && chosen === undefined ? cohort : undefined;
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
            watchByList(invocation, target, numbers, { ...plan, counted, observations }),
          ),
    );
  },
};

/**
 * Maximum number of account numbers that set the width of the column. A longer number after them is
 * not aligned.
 */
const maxMeasured = 10_000;

interface Options extends WatchOptions, FromOption {
  readonly cohort?: string;
}

/** Returns the accounts of a cohort. Throws `usage` if other accounts are named, too. */
async function cohortAlone(
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
