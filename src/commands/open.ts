import type { Command } from "commander";
import { CommandError } from "./command-error.ts";
import { examples, type Noun } from "./frame.ts";
import type { Opening } from "./io.ts";
import { identifierArgument } from "./option-values.ts";

/** `open`: the console at a place; it is what happens without a command, too. */
export const open: Noun = (program, frame) => {
  program
    .command("open")
    .description("the console, at a supplier, an account or a supply point")
    .argument("[supplier]", "import supplier code", identifierArgument)
    .argument("[account]", "external account number", identifierArgument)
    .option("--supply-point <id>", "external identifier of a supply point", identifierArgument)
    .addHelpText(
      "after",
      examples(
        "supplyline open ACME",
        "supplyline open ACME EXT-0000001",
        "supplyline open ACME --supply-point SP-PROCESSED",
        "supplyline --sandbox open ACME",
      ),
    )
    .action(
      (
        supplier: string | undefined,
        account: string | undefined,
        options: { supplyPoint?: string },
        command: Command,
      ) =>
        frame.run(command, async (invocation) => {
          const { openConsoleAt } = await import("./open/console-at.ts");
          return openConsoleAt(invocation, openingOf(supplier, account, options.supplyPoint));
        }),
    );
};

function openingOf(
  supplier: string | undefined,
  account: string | undefined,
  supplyPoint: string | undefined,
): Opening {
  if (supplyPoint !== undefined) {
    if (supplier === undefined)
      throw new CommandError("usage", "--supply-point needs the supplier before it");
    if (account !== undefined)
      throw new CommandError("usage", "an account and --supply-point name two places", "Give one.");
    return { kind: "supply-point", supplier, identifier: supplyPoint };
  }
  if (supplier === undefined) return { kind: "home" };
  return account === undefined
    ? { kind: "supplier", supplier }
    : { kind: "account", supplier, account };
}
