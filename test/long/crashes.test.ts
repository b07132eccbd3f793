/**
 * Promise: however the program crashes, its output holds no key, no token and no text of a body, the
 * exit code is 1, and the terminal is as it was.
 */

import { programWords } from "../helpers/built-program.ts";
import { openFolders, programEnvironment } from "../helpers/folders.ts";
import { openSandbox } from "../helpers/service.ts";
import { openTerminal } from "../helpers/terminal.ts";

/** Nothing in it looks like a secret. */
const words = "canary-0f3a9b7c of Ada Canary, 12 Harbor Lane\\u001b[31m";

/** The faults that a signal causes in the program. */
const faults = {
  "an exception that no one catches": `setImmediate(() => { throw new TypeError("${words}"); })`,
  "a rejection that no one handles": `Promise.reject(new SyntaxError("${words}"))`,
  "a rejection with a text": `Promise.reject("${words}")`,
  "a rejection with an object": `Promise.reject({ body: "${words}", toString() { return this.body; } })`,
  "an error with a cause and fields": `Promise.reject(Object.assign(new Error("${words}", { cause: new Error("${words}") }), { body: "${words}" }))`,
  "an error whose name and stack are another's": `Promise.reject(Object.assign(new Error("x"), { name: "${words}", code: "${words}", stack: "${words}\\n    at ${words} (x.js:1:1)" }))`,
  "an exception while a screen is drawn": `const { map } = Array.prototype;
    Error.stackTraceLimit = 50;
    Array.prototype.map = function (...given) {
      if (/renderWithHooks/.test(new Error().stack)) throw new RangeError("${words}");
      return map.apply(this, given);
    }`,
};

/** The option of Node that runs a script before the program. */
const preloaded = (script: string) =>
  `--import data:text/javascript;base64,${Buffer.from(script).toString("base64")}`;

/** Bytes that leave the screen, the cursor and the modes of the terminal as they were. */
const restored = ["\u001b[?25h", "\u001b[?2004l"];

test.each(
  Object.entries(faults).flatMap(([what, fault]) => [
    [what, fault, []] as const,
    [`${what}, on a linear screen`, fault, ["--accessible"]] as const,
  ]),
)("%s", async (_what, fault, options) => {
  await using sandbox = await openSandbox();
  await using folders = await openFolders();
  const script = `trap : USR2; "$@"; echo "code=$?"; stty -a; read line; echo "read=$line"`;
  const words = [...programWords(), "open", "ACME", "EXT-0000001", ...options];
  for (const debug of ["", "1"]) {
    await using terminal = await openTerminal("/bin/sh", ["-c", script, "sh", ...words], {
      cwd: folders.home,
      cols: 120,
      env: programEnvironment(folders, {
        ...sandbox.env,
        SUPPLYLINE_DEBUG: debug,
        NODE_OPTIONS: preloaded(`process.on("SIGUSR2", () => { ${fault}; });`),
      }),
    });
    await terminal.waitFor("COMPLETED");
    await terminal.waitFor(/Service account +A-/);
    process.kill(-terminal.pid, "SIGUSR2");
    if (fault.includes("renderWithHooks")) terminal.press("?");
    await terminal.waitFor(/code=\d/);
    expect(terminal.text()).toContain("code=1");
    await terminal.waitFor("icanon");
    const after = terminal.bytes().slice(terminal.bytes().lastIndexOf("code="));
    expect(after).toMatch(/ icanon/);
    expect(after).toMatch(/ echo /);
    for (const sequence of options.length === 0 ? [...restored, "\u001b[?1049l"] : [])
      expect(terminal.bytes()).toContain(sequence);
    await terminal.send("typed\r").until("read=typed");
    const said = terminal.bytes();
    expect(said).toContain("a fault of this program");
    expect(said).not.toMatch(/canary|Harbor|Ada/);
    expect(said).not.toContain(sandbox.apiKey);
  }
});
