import { places } from "../../settings/places.ts";
import { CommandError } from "../command-error.ts";
import { findTarget } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";
import type { Opening } from "../io.ts";
import { identifierArgument } from "../option-values.ts";
import { movesCursor, showsColour, speaksUnicode, wantsLinear } from "../terminal-abilities.ts";
import type { Verb } from "../verb.ts";
import { readUserKeys } from "./user-keys.ts";

/** `open`: the console at a place; without a command it opens at home. */
export const verb: Verb = {
  examples: [
    "supplyline open ACME",
    "supplyline open ACME EXT-0000001",
    "supplyline open ACME --supply-point SP-PROCESSED",
    "supplyline --sandbox open ACME",
  ],
  exits: [0, 2, 3, 129, 130],
  declare: (command) =>
    command
      .argument("[supplier]", "import supplier code", identifierArgument)
      .argument("[account]", "external account number", identifierArgument)
      .option("--supply-point <id>", "external identifier of a supply point", identifierArgument),
  run: (
    invocation,
    supplier: string | undefined,
    account: string | undefined,
    { supplyPoint }: { readonly supplyPoint?: string },
  ) => openConsoleAt(invocation, openingOf(supplier, account, supplyPoint)),
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
  const keys = readUserKeys(places(io.env, io.home).configDir);
  // The console shows it, too; here it can be read after the console has closed.
  for (const issue of keys.issues) io.stderr.write(`supplyline: ${issue}\n`);
  return io.openConsole({
    keys,
    opening,
    settings: await invocation.settings(),
    profile,
    secrets,
    readOnly: globals.readOnly,
    ascii: globals.ascii || !speaksUnicode(io.env),
    color: globals.color && showsColour(io.env),
    linear: wantsLinear(io.env, globals.accessible),
    plain: !movesCursor(io.env),
    zoneNotice: invocation.zoneNotice,
  });
}
