import { forms } from "../../forms/forms.ts";
import type { Invocation } from "../invocation.ts";
import { bodyFromFile } from "../writes/body-from-file.ts";
import type { Account } from "../writes/body-from-options.ts";
import { makeWrite } from "../writes/make-write.ts";
import { type AllowMissingOption, againOf, type WriteOptions } from "../writes/write-options.ts";

export interface TransactionOptions extends WriteOptions, AllowMissingOption {
  /** A file, or `-` for standard input. */
  readonly from: string;
  readonly checkPreviouslyAdded: boolean;
  readonly forceAddToCurrentStatement: boolean;
}

/** Adds the transactions of a file (INTERFACE 4.2); query parameters go only where asked for. */
export async function createTransactions(
  invocation: Invocation,
  account: Account,
  options: TransactionOptions,
): Promise<number> {
  const { from, checkPreviouslyAdded, forceAddToCurrentStatement, settle, dryRun } = options;
  const query = {
    ...(checkPreviouslyAdded ? {} : { check_previously_added: "false" }),
    ...(forceAddToCurrentStatement ? {} : { force_add_to_current_statement: "false" }),
  };
  const payload = await bodyFromFile(invocation, forms.transactions, from, {
    account,
    query,
    allowMissing: options.allowMissing,
  });
  return makeWrite(invocation, {
    request: { operation: "transactions create", query, body: payload.bytes },
    again: againOf(options),
    explain: payload.explain,
    settle,
    dryRun,
  });
}
