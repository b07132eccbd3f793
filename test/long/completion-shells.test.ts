/**
 * Promise: whatever stands in a profile's list of suppliers, completing a command line
 * with it in a real shell runs nothing, becomes no other word, and sends the terminal nothing.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { programInShell } from "../helpers/built-program.ts";
import { programEnvironment } from "../helpers/folders.ts";
import { runCli } from "../helpers/process.ts";
import { openTerminal } from "../helpers/terminal.ts";
import { pathAttacks } from "../security/attacks.ts";
import { byHand } from "../security/files-by-hand.ts";
import { expectHarmlessOutput } from "../security/harmless.ts";

/** Codes that a shell would take for more than a word. */
const codes = [
  "$(touch pwned)",
  "`touch pwned`",
  "x;touch pwned",
  "x|touch pwned",
  "x&&touch pwned",
  "<(touch pwned)",
  "(e:touch pwned:)",
  "*(e:'touch pwned':)",
  `\${(e):-\`touch pwned\`}`,
  "a b",
  "*",
  "*file",
  "{a,b}",
  "[a]file",
  "$HOME",
  "=ls",
  "#c",
  "x'y",
  'x"y',
  "x\\y",
  "x:y",
  "x\\:y",
  "%s%n",
  "日本",
];

async function desk(suppliers: readonly string[]) {
  const { folders, config } = await byHand();
  config("profiles.json", {
    profiles: [{ name: "p", baseUrl: "http://127.0.0.1:9", suppliers }],
    current: "p",
  });
  const bin = join(folders.home, "bin");
  const work = join(folders.home, "work");
  for (const folder of [bin, work]) mkdirSync(folder);
  for (const name of ["afile", "bfile"]) writeFileSync(join(work, name), "");
  const argv = join(folders.home, "argv");
  // Completing asks the program; what the completed line would run is only written down.
  const starter = join(bin, "supplyline");
  writeFileSync(
    starter,
    `#!/bin/sh
case $1 in complete|completion) exec ${programInShell()} "$@";; esac
printf '%s\\n' "$@" > '${argv}.next' && mv '${argv}.next' '${argv}' && echo "ran with $#"
`,
  );
  chmodSync(starter, 0o755);
  const env = programEnvironment(folders);
  return { folders, work, argv, env: { ...env, PATH: `${bin}:${env.PATH}` } };
}

const shells: Readonly<Record<string, readonly string[]>> = {
  bash: ["--norc", "--noprofile", "-i"],
  zsh: ["-f", "-i"],
  fish: ["--no-config", "-i"],
};

/** The keys that make a shell complete, and print a word when it is ready. */
const setUp: Readonly<Record<string, string>> = {
  bash: "source <(supplyline completion bash); PS1='rea''dy> '",
  zsh: "autoload -U compinit; compinit -u -D; source <(supplyline completion zsh); PS1='rea''dy> '",
  fish: "supplyline completion fish | source; function fish_prompt; echo -n 'rea''dy> '; end",
};

const has = (shell: string) => spawnSync(shell, ["--version"]).status === 0;

// A shell that is not installed is a visible gap, named in the list of tests.
describe.each(Object.keys(shells))("in %s", (shell) => {
  test.skipIf(!has(shell))(
    "a code is completed as the one word that it is, and nothing of it is run",
    { timeout: 120_000 },
    async () => {
      for (const code of codes) {
        const { work, argv, env } = await desk([code]);
        await using terminal = await openTerminal(shell, shells[shell] ?? [], {
          env,
          cwd: work,
          cols: 120,
        });
        await terminal.send(`${setUp[shell]}\r`).until(/^ready>/m);
        terminal.send("supplyline accounts list \t");
        // Whatever the shell shows of it, the code is in the line once it has its first letters.
        await terminal.waitFor(/list \S/, { describe: `a completion of ${code}` });
        await terminal.send("\r").until("ran with 3", { describe: `three words with ${code}` });
        expect(readFileSync(argv, "utf8")).toBe(`accounts\nlist\n${code}\n`);
        expect(readdirSync(work)).toEqual(["afile", "bfile"]);
        expect(existsSync(join(work, "pwned"))).toBe(false);
      }
    },
  );
});

test("what a shell would draw as it is, or take for a sign of ours, is not offered", async () => {
  const unseen = Object.values(pathAttacks)
    .filter((text) => !/[\p{C}\s]/u.test(text))
    .map((payload) => `x${payload}`);
  const { folders } = await desk([...unseen, ":files", "~", "~root", "ACME"]);
  const ended = await runCli(["complete", "--", "accounts", "list", ""], { folders });
  expectHarmlessOutput(ended);
  const offered = ended.stdout.split("\n");
  expect(offered).toContain("ACME");
  // fish would put the home folder in the place of the tilde.
  for (const code of [":files", "~", "~root"]) expect(offered).not.toContain(code);
});

test("hostile words before the cursor are never executed", async () => {
  const { folders } = await desk(["ACME"]);
  for (const payload of ["\u001b]0;x\u0007", "$(touch pwned)", "--nosuch\u001b[2J", "\u202e"]) {
    for (const words of [
      [payload],
      ["--profile", payload, "accounts", "list", ""],
      ["--", payload],
    ]) {
      const { stdout, stderr, code } = await runCli(["complete", "--", ...words], { folders });
      expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
      expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    }
  }
});
