/**
 * The command `transactions create`: adds financial transactions to an imported account (INTERFACE
 * 4.2).
 */

import { forms } from "../../forms/forms.ts";
import { bodyFromFile } from "../writes/body.ts";
import { createVerb } from "../writes/make-write.ts";
import { type AllowMissingOption, transactionQuery } from "../writes/write-options.ts";

interface Options extends AllowMissingOption {
  /** A file, or `-` for standard input. */
  readonly from: string;
  readonly checkPreviouslyAdded: boolean;
  readonly forceAddToCurrentStatement: boolean;
}

export const verb = createVerb<Options>({
  operation: "transactions create",
  description: "add the transactions of a file to an imported account",
  allowsMissing: true,
  options: (command) =>
    command
      .requiredOption(
        "--from <file>",
        "a JSON array of transactions or the whole body, or - for standard input",
      )
      .option(
        "--no-check-previously-added",
        "add them without the check for duplicates; they are then never resent automatically",
      )
      .option(
        "--no-force-add-to-current-statement",
        "refuse a date outside the open statement period instead of changing it",
      ),
  query: transactionQuery,
  body: (invocation, account, options) => {
    const { from, allowMissing } = options;
    const checks = { account, query: transactionQuery(options), allowMissing };
    return bodyFromFile(invocation, forms.transactions, from, checks);
  },
  examples: [
    "supplyline transactions create ACME EXT-0000001 --from bills.json --dry-run",
    "supplyline transactions create ACME EXT-0000001 --from - \\",
    "  --no-force-add-to-current-statement < one.json",
  ],
});
