import type { AccountStatus } from "../../api/service.ts";
import { accountStatuses, accountStatusWords, notFoundWords } from "../../text/describe-status.ts";
import { accountFinality, notFound } from "../../watch/transitions.ts";
import type { Invocation } from "../invocation.ts";
import { withTarget } from "../target.ts";
import { exits, type Verb } from "../verb.ts";
import { changePrinter } from "../watch/change-lines.ts";
import { followAll } from "../watch/follow-all.ts";
import { intervalOption, type WatchOptions } from "../watch/options.ts";
import { accountsGiven, addAccounts, type FromOption } from "./numbers-file.ts";

/** `accounts watch`: INTERFACE 4.8, again and again. */
export const verb: Verb = {
  examples: [
    "supplyline accounts watch ACME EXT-0000002",
    "supplyline accounts watch ACME EXT-0000001 EXT-0000002 --timeout 30m --json",
    "supplyline accounts watch ACME --from accounts.csv",
    "supplyline accounts watch ACME EXT-0000004 --until IN_PROGRESS --wait",
  ],
  exits: exits.watch,
  declare: (command) =>
    addAccounts(
      command.description(
        "follow accounts until they reach a status: a line for each change, or a live table of several on a terminal",
      ),
    )
      .option(
        "--until <status>",
        `the status to wait for: ${accountStatuses.join(", ")}, or one that the service adds`,
        "COMPLETED",
      )
      .addOption(
        intervalOption(
          "time between two checks of an account, such as 5s or 1m; all together at most 8 checks per second",
        ),
      )
      .option("--wait", "also wait for an account that the service does not know yet"),
  run: watchAccounts,
};

/** Follows accounts (INTERFACE 4.8) until each has the status asked for or another final one. */
async function watchAccounts(
  invocation: Invocation,
  supplier: string,
  named: readonly string[],
  { from, until, interval, wait = false }: WatchOptions & FromOption,
): Promise<number> {
  const ids = [...new Set(await accountsGiven(invocation, "accounts watch", named, from))];
  return withTarget(invocation, (target) =>
    followAll<AccountStatus>(invocation, target, {
      ids,
      until,
      intervalMs: interval,
      wait,
      statuses: accountStatuses,
      check: async (account, signal) => {
        // The poll itself comes back after a failure; a look need not insist.
        const options = { signal, retries: 0 };
        return (await target.service.accounts.status(supplier, account, options)).value;
      },
      stateOf: ({ status }) => status,
      detailOf: ({ service_account_number: number }) => number,
      finality: accountFinality,
      subject: (id) => ({ kind: "account", supplier, id }),
      live: {
        words: (state) => (state === notFound ? notFoundWords.account : accountStatusWords(state)),
        note: ({ service_account_number: number }) => number,
      },
      changed: changePrinter(invocation, {
        ids,
        json: (account, value) => ({
          import_supplier: supplier,
          external_account_number: account,
          status: value?.status ?? null,
          service_account_number: value?.service_account_number ?? null,
        }),
        note: ({ service_account_number: number }) => number,
      }),
    }),
  );
}
