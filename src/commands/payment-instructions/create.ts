/**
 * The command `payment-instructions create`: adds a payment instruction to an imported account
 * (INTERFACE 4.4).
 */

import { forms } from "../../forms/forms.ts";
import { bodyFromOptions } from "../writes/body.ts";
import { createVerb } from "../writes/make-write.ts";
import type { AllowMissingOption } from "../writes/write-options.ts";

interface Options extends AllowMissingOption {
  readonly vendor?: string;
  readonly reference?: string;
  readonly type?: string;
}

export const verb = createVerb<Options>({
  operation: "payment-instructions create",
  description: "add a payment instruction that the vendor knows",
  allowsMissing: true,
  options: (command) =>
    command
      .option("--vendor <code>", "name code of the payment vendor")
      .option("--reference <reference>", "the instruction's reference at the vendor")
      .option("--type <type>", "its type, such as CARD"),
  body: (invocation, account, { vendor, reference, type, allowMissing }) =>
    bodyFromOptions(
      invocation,
      forms["payment-instructions"],
      account,
      {
        ...(vendor === undefined ? {} : { vendor }),
        ...(reference === undefined ? {} : { reference }),
        ...(type === undefined ? {} : { type }),
      },
      ([field]) => (field === undefined ? null : `--${field}`),
      allowMissing,
    ),
  examples: [
    "supplyline payment-instructions create ACME EXT-0000001 \\",
    "  --vendor GOODPAY --reference R-1 --type CARD --dry-run",
    "supplyline payment-instructions create ACME EXT-0000001 \\",
    "  --vendor GOODPAY --reference R-1 --type CARD \\",
    "  --again --reason 'the outage is over'",
  ],
});
