import { places } from "../../settings/places.ts";
import { CommandError } from "../command-error.ts";
import { findTarget } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";
import type { Opening } from "../io.ts";
import { movesCursor, showsColour, speaksUnicode, wantsLinear } from "../terminal-abilities.ts";
import { readUserKeys } from "./user-keys.ts";

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
  // The console tells it, too; here it is still to be read when the console is left.
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
