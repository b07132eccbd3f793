import type { AccountStatus } from "../../api/service.ts";
import { accountStatuses } from "../../text/describe-status.ts";
import { accountFinality } from "../../watch/final.ts";
import type { Invocation } from "../invocation.ts";
import { withTarget } from "../target.ts";
import { changePrinter } from "../watch/change-lines.ts";
import { followAll } from "../watch/follow-all.ts";

export interface WatchAccountsOptions {
  readonly supplier: string;
  readonly accounts: readonly string[];
  readonly until: string;
  /** Milliseconds. */
  readonly interval: number;
  readonly wait?: boolean;
}

/** Follows accounts (INTERFACE 4.8) until each has the status asked for or another final one. */
export async function watchAccounts(
  invocation: Invocation,
  { supplier, accounts, until, interval, wait = false }: WatchAccountsOptions,
): Promise<number> {
  const ids = [...new Set(accounts)];
  return withTarget(invocation, (target) =>
    followAll<AccountStatus>(invocation, target, {
      ids,
      until,
      intervalMs: interval,
      wait,
      statuses: accountStatuses,
      look: async (account, signal) => {
        // The poll itself comes back after a failure; a look need not insist.
        const options = { signal, retries: 0 };
        return (await target.service.accounts.status(supplier, account, options)).value;
      },
      stateOf: ({ status }) => status,
      detailOf: ({ service_account_number: number }) => number,
      finality: accountFinality,
      subject: (id) => ({ kind: "account", supplier, id }),
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
