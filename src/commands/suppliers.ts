import type { Command } from "commander";
import { examples, type Noun } from "./frame.ts";
import { identifierArguments } from "./option-values.ts";

/** `suppliers add|remove`: the supplier codes that a profile lists. */
export const suppliers: Noun = (program, frame) => {
  const noun = program
    .command("suppliers")
    .description("the supplier codes of a profile: add, remove; the service has no list of them");
  noun.addHelpText("after", examples("supplyline suppliers add ACME"));

  noun
    .command("add")
    .description("add supplier codes to the list of a profile; nothing is sent")
    .argument("<code...>", "import supplier codes", identifierArguments)
    .addHelpText(
      "after",
      examples(
        "supplyline suppliers add ACME",
        "supplyline suppliers add ACME PAUSED --profile live",
      ),
    )
    .action((codes: string[], _options: unknown, command: Command) =>
      frame.run(command, async (invocation) => {
        const { addSuppliers } = await import("./suppliers/change.ts");
        return addSuppliers(invocation, codes);
      }),
    );

  noun
    .command("remove")
    .description("remove supplier codes from the list of a profile; nothing is sent")
    .argument("<supplier...>", "import supplier codes", identifierArguments)
    .addHelpText("after", examples("supplyline suppliers remove ACME --profile live"))
    .action((codes: string[], _options: unknown, command: Command) =>
      frame.run(command, async (invocation) => {
        const { removeSuppliers } = await import("./suppliers/change.ts");
        return removeSuppliers(invocation, codes);
      }),
    );
};
