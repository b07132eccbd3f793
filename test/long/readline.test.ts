import { spawnSync } from "node:child_process";
import { editLine, type LineState, lineOf } from "../../src/forms/line-editor.ts";
import { editingOn } from "../../src/keys/editing.ts";
import { isPrintable } from "../../src/keys/key-name.ts";
import * as fc from "../helpers/fast-check.ts";
import { keyBytes } from "../helpers/key-bytes.ts";
import { openTerminal } from "../helpers/terminal.ts";

const hasBash = spawnSync("bash", ["--version"]).status === 0;
if (!hasBash) console.warn("bash is not installed: the line editor is not compared with it");

/** Keys that readline and this program have in common, in one line of ASCII. */
const keys = [
  ..."abcXYZ019.-_/@ ",
  ...["left", "right", "home", "end", "backspace", "delete", "space"],
  ...["ctrl-a", "ctrl-b", "ctrl-d", "ctrl-e", "ctrl-f", "ctrl-h", "ctrl-k"],
  ...["ctrl-u", "ctrl-w", "ctrl-y", "alt-b", "alt-d", "alt-f"],
  ...["ctrl-left", "ctrl-right", "alt-left", "alt-right", "alt-backspace"],
] as const;

const bytes: Readonly<Record<string, string>> = {
  "ctrl-left": "\x1b[1;5D",
  "ctrl-right": "\x1b[1;5C",
  "alt-left": "\x1b[1;3D",
  "alt-right": "\x1b[1;3C",
  "alt-backspace": "\x1b\x7f",
};

/**
 * Readline takes characters that wait for it in one go, and then forgets that the cut before them has
 * ended. After each one it is given a key that changes nothing, as if it were typed by hand.
 */
const nothing = "\x14";

function bytesOf(key: string): string {
  return isPrintable(key) ? keyBytes(key) + nothing : (bytes[key] ?? keyBytes(key));
}

function pressed(state: LineState, key: string): LineState {
  if (isPrintable(key))
    return editLine(state, { type: "insert", text: key === "space" ? " " : key });
  const id = editingOn(key, false);
  if (id === null || id === "row-up" || id === "row-down") return state;
  return editLine(state, { type: id });
}

/**
 * Reads line after line with readline and prints each in brackets behind the place of the cursor:
 * Ctrl-O ends a line, and bash hands over `READLINE_POINT` there.
 */
const script = `
set -o emacs
bind 'set enable-bracketed-paste off' 'set bell-style none' 'set keyseq-timeout 60000'
bind '"\\C-t": set-mark'
bind '"\\C-o": "\\C-x\\C-p\\C-m"'
PS1= PS2=
shown() { point=$READLINE_POINT; }
bind -x '"\\C-x\\C-p": shown'
printf 'ready\\n'
while IFS= read -r -e line; do printf '<%s|%s>\\n' "$point" "$line"; done
`;

test.skipIf(!hasBash)("random keys do to a line of ASCII what they do in bash", async () => {
  // Ctrl-D in an empty line ends the input there: it is not pressed.
  // What was cut in one line can be inserted in the next.
  let killed = "";
  const sequences = fc
    .sample(fc.array(fc.constantFrom(...keys), { minLength: 1, maxLength: 40 }), 400)
    .map((sequence) => {
      let line: LineState = { ...lineOf(""), killed };
      const used: string[] = [];
      for (const key of sequence) {
        if (key === "ctrl-d" && line.text === "") continue;
        line = pressed(line, key);
        used.push(key);
      }
      killed = line.killed;
      return { used, line };
    });
  const terminal = await openTerminal("bash", ["--noprofile", "--norc", "-c", script], {
    cols: 200,
    rows: 50,
    env: { INPUTRC: "/dev/null", TERM: "xterm", LC_ALL: "C" },
  });
  await terminal.waitFor("ready");
  const answers = () => [...terminal.bytes().matchAll(/<(\d+)\|([^\r\n]*)>\r?\n/g)];
  for (const [at, { used, line }] of sequences.entries()) {
    await terminal
      .send(`${used.map(bytesOf).join("")}\x0f`)
      .until(() => answers().length > at, { describe: `answer ${at} of bash` });
    const [, point, text] = answers()[at] ?? [];
    expect({ text, cursor: Number(point) }, used.join(" ")).toEqual({
      text: line.text,
      cursor: line.cursor,
    });
  }
});
