import type { AccountStatus } from "../../api/service.ts";
import { accountStatuses, accountStatusWords, notFoundWords } from "../../text/describe-status.ts";
import { accountFinality, notFound } from "../../watch/transitions.ts";
import { CommandError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { withTarget } from "../target.ts";
import { changePrinter } from "../watch/change-lines.ts";
import { followAll } from "../watch/follow-all.ts";
import { readAccountNumbers } from "./numbers-file.ts";

export interface WatchAccountsOptions {
  readonly supplier: string;
  readonly named: readonly string[];
  /** A file with more of them, or `-` for standard input. */
  readonly from?: string | undefined;
  readonly until: string;
  /** Milliseconds. */
  readonly interval: number;
  readonly wait?: boolean;
}

/** Follows accounts (INTERFACE 4.8) until each has the status asked for or another final one. */
export async function watchAccounts(
  invocation: Invocation,
  { supplier, named, from, until, interval, wait = false }: WatchAccountsOptions,
): Promise<number> {
  const read = from === undefined ? [] : await readAccountNumbers(invocation, from);
  const ids = [...new Set([...named, ...read])];
  if (ids.length === 0)
    throw new CommandError(
      "usage",
      "accounts watch needs at least one external account number",
      "Name them after the supplier, or give a file with --from FILE (or - for standard input).",
    );
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
