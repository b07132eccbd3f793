import type { Command } from "commander";
import { examples, type Noun } from "./frame.ts";
import { identifierArgument } from "./option-values.ts";
import type { TransactionOptions } from "./transactions/create.ts";
import { addAllowMissing, addWriteOptions } from "./writes/write-options.ts";

/** `transactions create`: INTERFACE 4.2. */
export const transactions: Noun = (program, frame) => {
  const noun = program
    .command("transactions")
    .description("financial transactions of an imported account: create");
  noun.addHelpText(
    "after",
    examples("supplyline transactions create ACME EXT-0000001 --from transactions.json"),
  );

  addAllowMissing(
    addWriteOptions(
      noun
        .command("create")
        .description("add the transactions of a file to an imported account")
        .argument("<supplier>", "import supplier code", identifierArgument)
        .argument("<account>", "external account number", identifierArgument)
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
  )
    .addHelpText(
      "after",
      examples(
        "supplyline transactions create ACME EXT-0000001 --from bills.json --dry-run",
        "supplyline transactions create ACME EXT-0000001 --from - \\",
        "  --no-force-add-to-current-statement < one.json",
      ),
    )
    .action((supplier: string, account: string, options: TransactionOptions, command: Command) =>
      frame.run(command, async (invocation) => {
        const { createTransactions } = await import("./transactions/create.ts");
        return createTransactions(invocation, { supplier, account }, options);
      }),
    );
};
