/** Shows raw texts in the user's pager. */
import type { Actions } from "../keys/scopes.ts";
import { asciiCells } from "../text/ascii-cells.ts";
import { safeLines } from "../text/sanitize.ts";
import { prettyRaw } from "../text/shown-json.ts";
import type { App } from "./app.ts";
import { runProgram, withTerminal } from "./external-program.ts";
import type { RawText } from "./overlays.ts";

/**
 * The programs that print and exit. After them the console waits for Enter, because its next frame
 * would erase their output.
 */
const printers: ReadonlySet<string> = new Set(["cat", "head", "more", "tee"]);

/**
 * Returns the pager's command line: $PAGER, or else less, or null if $PAGER is not set on a terminal
 * that less does not support.
 */
function pagerCommand(env: Readonly<Record<string, string | undefined>>): string | null {
  return env.PAGER?.trim() || (env.TERM === "dumb" || !env.TERM ? null : "less");
}

/**
 * Shows lines in the user's pager, which borrows the terminal. Untrusted text is made safe first.
 * Resolves when the pager exits, or with false (and a notice) if it could not be started.
 */
export async function showInPager(app: App, lines: readonly string[]): Promise<boolean> {
  const { env, end, ascii, notices } = app;
  const command = pagerCommand(env);
  if (command === null) {
    notices.explain("No pager works in this terminal: set PAGER to one that does.");
    return false;
  }
  const text = safeLines(`${lines.join("\n")}\n`);
  const input = ascii ? asciiCells(text) : text;
  const runPager = async () => {
    // With +F less stays open for a text that fits the screen, which the next frame would erase.
    const less = { ...env, LESS: `${env.LESS ?? ""} -+F`.trimStart() };
    const options = { env: less, signal: end, remedy: "set PAGER" };
    const exit = await runProgram(command, [], { ...options, input });
    const [word = ""] = command.split(/\s/);
    if (exit.kind === "exited" && printers.has(word.slice(word.lastIndexOf("/") + 1)))
      await runProgram(waitForEnter, [], options);
    return exit;
  };
  const exit = await withTerminal(app, runPager, "The text could not be opened in a pager");
  return exit.kind !== "failed";
}

export const waitForEnter = "printf 'Enter comes back to supplyline. '; read -r _ || :; :";

/**
 * Returns the keys that show a raw response or body in front of the screen or in $PAGER. If the
 * pager cannot be started, the text is shown in front of the screen. `disabled` is the reason why
 * there is no text, or null.
 */
export function readingKeys(
  app: App,
  text: RawText,
  disabled: string | null = null,
): Pick<Actions, "raw" | "pager"> {
  const show = () => app.overlays.open({ kind: "raw", ...text });
  const page = async () => {
    if (!(await showInPager(app, rawLinesOf(text)))) show();
  };
  return { raw: { run: show, disabled }, pager: { run: () => void page(), disabled } };
}

export function rawLinesOf({ raw, note }: Pick<RawText, "raw" | "note">): readonly string[] {
  const { lines } = prettyRaw(raw);
  return note === undefined ? lines : [note, "", ...lines];
}
