import type { Command } from "commander";
import { examples, type Noun } from "./frame.ts";
import { identifierArgument } from "./option-values.ts";
import type { StatementOptions } from "./statements/create.ts";
import { addAllowMissing, addWriteOptions } from "./writes/write-options.ts";

/** `statements create`: INTERFACE 4.3. */
export const statements: Noun = (program, frame) => {
  const noun = program
    .command("statements")
    .description("historical statements of an imported account: create");
  noun.addHelpText(
    "after",
    examples("supplyline statements create ACME EXT-0000001 --from statements.json"),
  );

  addAllowMissing(
    addWriteOptions(
      noun
        .command("create")
        .description("add the historical statements of a file to an imported account")
        .argument("<supplier>", "import supplier code", identifierArgument)
        .argument("<account>", "external account number", identifierArgument)
        .requiredOption(
          "--from <file>",
          "a JSON array of statements or the whole body, or - for standard input",
        ),
    ),
  )
    .addHelpText(
      "after",
      examples("supplyline statements create ACME EXT-0000001 --from statements.json --dry-run"),
    )
    .action((supplier: string, account: string, options: StatementOptions, command: Command) =>
      frame.run(command, async (invocation) => {
        const { createStatements } = await import("./statements/create.ts");
        return createStatements(invocation, { supplier, account }, options);
      }),
    );
};
