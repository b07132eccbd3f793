import { type Keymap, type KeyProblem, keyProblem } from "../../keys/keymap.ts";
import type { CustomCommand, CustomCommands } from "../../settings/custom/custom-program.ts";
import { readCustomCommands } from "../../settings/custom/read-commands.ts";
import { safe } from "../../text/sanitise.ts";
import { truncate } from "../../text/width.ts";

/**
 * Reads the user's commands from the settings folder. A command with an unavailable key is in the
 * palette without a key. Never throws.
 */
export function readUserCommands(configDir: string, keymap: Keymap): CustomCommands {
  const file = readCustomCommands(configDir);
  const issues: string[] = [];
  const commands: CustomCommand[] = [];
  for (const command of file.commands) {
    const why = command.key === null ? null : whyNot(command, command.key, commands, keymap);
    commands.push(why === null ? command : { ...command, key: null });
    if (why !== null) issues.push(safe(`commands.json: ${command.entry}.key: ${why}`));
  }
  return { ...file, commands, issues: [...file.issues, ...issues] };
}

/** Returns the reason why a command cannot have its key, or null if it can. */
function whyNot(
  command: CustomCommand,
  key: string,
  before: readonly CustomCommand[],
  keymap: Keymap,
): string | null {
  const shown = truncate(key, 20);
  const problem = keyProblem(key, keymap);
  if (problem !== null) return `${problemWords(shown, problem)}; ${inPalette}`;
  const other = before.find(
    (one) =>
      one.key === key &&
      one.rows === command.rows &&
      one.screens.some((screen) => command.screens.includes(screen)),
  );
  return other === undefined ? null : `${shown} is the key of ${other.entry}; ${inPalette}`;
}

const inPalette = "choose another; until then it is in the palette only";

function problemWords(key: string, problem: KeyProblem): string {
  switch (problem.kind) {
    case "clash":
      return `${key} is the key of ${problem.other}`;
    case "reserved":
      return `${key} is reserved for fields and terminals`;
    case "digit":
      return `${key} is a digit, and digits choose rows`;
    case "no-key":
      return `${key} is not a key: use one character, ctrl-a to ctrl-z or f1 to f12`;
  }
}
