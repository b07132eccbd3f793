import { forms } from "../../forms/forms.ts";
import type { Invocation } from "../invocation.ts";
import { bodyFromFile } from "../writes/body-from-file.ts";
import type { Account } from "../writes/body-from-options.ts";
import { makeWrite } from "../writes/make-write.ts";
import { type AllowMissingOption, againOf, type WriteOptions } from "../writes/write-options.ts";

export interface StatementOptions extends WriteOptions, AllowMissingOption {
  /** A file, or `-` for standard input. */
  readonly from: string;
}

/** Adds the historical statements of a file (INTERFACE 4.3). */
export async function createStatements(
  invocation: Invocation,
  account: Account,
  options: StatementOptions,
): Promise<number> {
  const { from, settle, dryRun, allowMissing } = options;
  const payload = await bodyFromFile(invocation, forms.statements, from, { account, allowMissing });
  return makeWrite(invocation, {
    request: { operation: "statements create", body: payload.bytes },
    again: againOf(options),
    explain: payload.explain,
    settle,
    dryRun,
  });
}
