import { forms } from "../../forms/forms.ts";
import { exits, type Verb } from "../verb.ts";
import { bodyFromOptions } from "../writes/body-from-options.ts";
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
  readonly vendor?: string;
  readonly reference?: string;
  readonly type?: string;
}

/** `payment-instructions create`: INTERFACE 4.4. */
export const verb: Verb = {
  description: "add a payment instruction that the vendor knows",
  examples: [
    "supplyline payment-instructions create ACME EXT-0000001 \\",
    "  --vendor GOODPAY --reference R-1 --type CARD --dry-run",
    "supplyline payment-instructions create ACME EXT-0000001 \\",
    "  --vendor GOODPAY --reference R-1 --type CARD \\",
    "  --again --reason 'the outage is over'",
  ],
  exits: exits.write,
  columns: itemColumns,
  declare: (command) =>
    addAllowMissing(
      addWriteOptions(
        addAccount(command)
          .option("--vendor <code>", "name code of the payment vendor")
          .option("--reference <reference>", "the instruction's reference at the vendor")
          .option("--type <type>", "its type, such as CARD"),
      ),
    ),
  run: async (invocation, supplier: string, account: string, options: Options) => {
    const { vendor, reference, type } = options;
    const payload = bodyFromOptions(
      invocation,
      forms["payment-instructions"],
      { supplier, account },
      {
        ...(vendor === undefined ? {} : { vendor }),
        ...(reference === undefined ? {} : { reference }),
        ...(type === undefined ? {} : { type }),
      },
      ([field]) => (field === undefined ? null : `--${field}`),
      options.allowMissing,
    );
    return makeWrite(invocation, {
      request: { operation: "payment-instructions create", body: payload.bytes },
      explain: payload.explain,
      options,
    });
  },
};
