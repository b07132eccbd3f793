import type { Command } from "commander";
import { CommandError } from "./command-error.ts";
import { examples, type Noun } from "./frame.ts";
import type { Invocation } from "./invocation.ts";
import type { Opening } from "./io.ts";
import { identifierArgument } from "./option-values.ts";
import { findTarget } from "./target.ts";
import { showsColour, speaksUnicode } from "./terminal-abilities.ts";

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
        "supplyline open ACME --supply-point SP-1",
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
        frame.run(command, (invocation) =>
          openConsoleAt(invocation, openingOf(supplier, account, options.supplyPoint)),
        ),
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

/** Opens the console at a place. Throws `usage` where there is no terminal to draw on. */
export async function openConsoleAt(invocation: Invocation, opening: Opening): Promise<number> {
  const { io, globals, secrets } = invocation;
  if (!io.stdin.isTTY || !io.stdout.isTTY)
    throw new CommandError(
      "usage",
      `the console needs a terminal, and ${io.stdin.isTTY ? "output" : "input"} here is none`,
      "In scripts use accounts list, accounts status, accounts watch, supply-points status or supply-points watch; `supplyline --help` lists all commands.",
    );
  const profile = await findTarget(invocation);
  return io.openConsole({
    opening,
    settings: await invocation.settings(),
    profile,
    secrets,
    readOnly: globals.readOnly,
    ascii: globals.ascii || !speaksUnicode(io.env),
    color: globals.color && showsColour(io.env),
    accessible: globals.accessible || io.env.INK_SCREEN_READER === "true",
  });
}
