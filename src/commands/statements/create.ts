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
}

/** `statements create`: INTERFACE 4.3. */
export const verb: Verb = {
  description: "add the historical statements of a file to an imported account",
  examples: ["supplyline statements create ACME EXT-0000001 --from statements.json --dry-run"],
  exits: exits.write,
  columns: itemColumns,
  declare: (command) =>
    addAllowMissing(
      addWriteOptions(
        addAccount(command).requiredOption(
          "--from <file>",
          "a JSON array of statements or the whole body, or - for standard input",
        ),
      ),
    ),
  run: async (invocation, supplier: string, account: string, options: Options) => {
    const { from, allowMissing } = options;
    const about = { account: { supplier, account }, allowMissing };
    const payload = await bodyFromFile(invocation, forms.statements, from, about);
    return makeWrite(invocation, {
      request: { operation: "statements create", body: payload.bytes },
      explain: payload.explain,
      options,
    });
  },
};
