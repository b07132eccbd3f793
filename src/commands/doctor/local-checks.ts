import { existsSync } from "node:fs";
import { places } from "../../settings/places.ts";
import { checkPrivateFolder } from "../../settings/private-file.ts";
import { plural } from "../../text/numbers.ts";
import type { Invocation } from "../invocation.ts";
import { readUserKeys } from "../open/user-keys.ts";
import { type Check, failed, ok, warn } from "./check.ts";

export function programCheck({ io }: Invocation): Check {
  return ok("program", `supplyline ${io.version} on Node ${io.nodeVersion}`);
}

/** Whether the console has what it needs to draw. */
export function terminalCheck({ io }: Invocation): Check {
  const { stdin, stdout, env } = io;
  if (!stdin.isTTY || !stdout.isTTY)
    return ok("terminal", "input or output is no terminal: commands work, the console needs one");
  const { columns = 80, rows = 24 } = stdout;
  const term = env.TERM ?? "";
  const size = `${columns}×${rows}, TERM=${term === "" ? "(not set)" : term}`;
  if (columns < 60 || rows < 15)
    return warn("terminal", `${size}: the console needs at least 60×15. Make the window larger.`);
  if (term === "" || term === "dumb")
    return warn("terminal", `${size}: the console draws without colours and cursor movement.`);
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "";
  if (!/utf-?8/i.test(locale))
    return warn(
      "terminal",
      `${size}, locale ${locale || "(not set)"}: if boxes look wrong, use a UTF-8 locale or --ascii.`,
    );
  return ok("terminal", `${size}, ${env.NO_COLOR ? "no colours (NO_COLOR)" : "colours"}, UTF-8`);
}

/** The two folders and what stands in them. */
export async function folderChecks(invocation: Invocation): Promise<Check[]> {
  const { configDir, stateDir } = places(invocation.io.env, invocation.io.home);
  return [
    await configCheck(invocation, configDir),
    ...keymapCheck(configDir),
    stateCheck(stateDir),
  ];
}

/** Nothing is said where nobody changed a key. */
function keymapCheck(folder: string): Check[] {
  const { path, faults } = readUserKeys(folder);
  if (faults.length > 0) return [warn("keymap", faults.join(". "))];
  return existsSync(path) ? [ok("keymap", `${path}, every line holds`)] : [];
}

async function configCheck(invocation: Invocation, folder: string): Promise<Check> {
  try {
    const count = (await invocation.settings()).profiles().length;
    if (!existsSync(folder))
      return ok("config folder", `${folder} is not there yet; it is made at the first change`);
    return ok("config folder", `${folder}, private, ${plural(count, "profile")}`);
  } catch (error) {
    return failed("config folder", error);
  }
}

function stateCheck(folder: string): Check {
  try {
    checkPrivateFolder(folder);
    if (!existsSync(folder))
      return ok("state folder", `${folder} is not there yet; it is made at the first write`);
    return ok("state folder", `${folder}, private`);
  } catch (error) {
    return failed("state folder", error);
  }
}
