import type { Command } from "commander";
import { examples, type Noun } from "./frame.ts";
import { identifierArgument } from "./option-values.ts";
import type { InstructionOptions } from "./payment-instructions/create.ts";
import { addAllowMissing, addWriteOptions } from "./writes/write-options.ts";

/** `payment-instructions create`: INTERFACE 4.4. */
export const paymentInstructions: Noun = (program, frame) => {
  const noun = program
    .command("payment-instructions")
    .description("payment instructions of an imported account: create");
  noun.addHelpText(
    "after",
    examples(
      "supplyline payment-instructions create ACME EXT-0000001 \\",
      "  --vendor GOODPAY --reference R-1 --type CARD",
    ),
  );

  addAllowMissing(
    addWriteOptions(
      noun
        .command("create")
        .description("add a payment instruction that the vendor knows")
        .argument("<supplier>", "import supplier code", identifierArgument)
        .argument("<account>", "external account number", identifierArgument)
        .option("--vendor <code>", "name code of the payment vendor")
        .option("--reference <reference>", "the instruction's reference at the vendor")
        .option("--type <type>", "its type, such as CARD"),
    ),
  )
    .addHelpText(
      "after",
      examples(
        "supplyline payment-instructions create ACME EXT-0000001 \\",
        "  --vendor GOODPAY --reference R-1 --type CARD --dry-run",
        "supplyline payment-instructions create ACME EXT-0000001 \\",
        "  --vendor GOODPAY --reference R-1 --type CARD \\",
        "  --again --reason 'the outage is over'",
      ),
    )
    .action((supplier: string, account: string, options: InstructionOptions, command: Command) =>
      frame.run(command, async (invocation) => {
        const { createInstruction } = await import("./payment-instructions/create.ts");
        return createInstruction(invocation, { supplier, account }, options);
      }),
    );
};
