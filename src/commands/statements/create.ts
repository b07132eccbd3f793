/**
 * The command `statements create`: adds historical statements to an imported account (INTERFACE
 * 4.3).
 */

import { forms } from "../../forms/forms.ts";
import { bodyFromFile } from "../writes/body.ts";
import { createVerb } from "../writes/make-write.ts";
import type { AllowMissingOption } from "../writes/write-options.ts";

interface Options extends AllowMissingOption {
  /** A file, or `-` for standard input. */
  readonly from: string;
}

export const verb = createVerb<Options>({
  operation: "statements create",
  description: "add the historical statements of a file to an imported account",
  allowsMissing: true,
  options: (command) =>
    command.requiredOption(
      "--from <file>",
      "a JSON array of statements or the whole body, or - for standard input",
    ),
  body: (invocation, account, { from, allowMissing }) =>
    bodyFromFile(invocation, forms.statements, from, { account, allowMissing }),
  examples: ["supplyline statements create ACME EXT-0000001 --from statements.json --dry-run"],
});
