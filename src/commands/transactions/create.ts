import { forms } from "../../forms/forms.ts";
import { exits, type Verb } from "../verb.ts";
import { bodyFromFile } from "../writes/body-from-file.ts";
import { itemColumns } from "../writes/item-rows.ts";
import { makeWrite } from "../writes/make-write.ts";
import {
  type AllowMissingOption,
  addAccount,
  addAllowMissing,
  addWriteOptions,
  type WriteOptions,
} from "../writes/write-options.ts";

interface Options extends WriteOptions, AllowMissingOption {
  /** A file, or `-` for standard input. */
  readonly from: string;
  readonly checkPreviouslyAdded: boolean;
  readonly forceAddToCurrentStatement: boolean;
}

/** `transactions create`: INTERFACE 4.2; query parameters go only where asked for. */
export const verb: Verb = {
  description: "add the transactions of a file to an imported account",
  examples: [
    "supplyline transactions create ACME EXT-0000001 --from bills.json --dry-run",
    "supplyline transactions create ACME EXT-0000001 --from - \\",
    "  --no-force-add-to-current-statement < one.json",
  ],
  exits: exits.write,
  columns: itemColumns,
  declare: (command) =>
    addAllowMissing(
      addWriteOptions(
        addAccount(command)
          .requiredOption(
            "--from <file>",
            "a JSON array of transactions or the whole body, or - for standard input",
          )
          .option(
            "--no-check-previously-added",
            "add them without a check whether they were added already; never sent again by itself then",
          )
          .option(
            "--no-force-add-to-current-statement",
            "refuse what lies outside the open statement period instead of changing its date",
          ),
      ),
    ),
  run: async (invocation, supplier: string, account: string, options: Options) => {
    const { from, allowMissing, checkPreviouslyAdded, forceAddToCurrentStatement } = options;
    const query = {
      ...(checkPreviouslyAdded ? {} : { check_previously_added: "false" }),
      ...(forceAddToCurrentStatement ? {} : { force_add_to_current_statement: "false" }),
    };
    const about = { account: { supplier, account }, query, allowMissing };
    const payload = await bodyFromFile(invocation, forms.transactions, from, about);
    return makeWrite(invocation, {
      request: { operation: "transactions create", query, body: payload.bytes },
      explain: payload.explain,
      options,
    });
  },
};
