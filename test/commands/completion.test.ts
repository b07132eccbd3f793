import { execFileSync } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { programInShell } from "../helpers/built-program.ts";
import { runCommand } from "../helpers/command.ts";
import { type Folders, openFolders, programEnvironment } from "../helpers/folders.ts";
import { toolPath } from "../helpers/tools.ts";

/** Returns the completions, without their descriptions. */
async function offered(words: readonly string[], folders?: Folders): Promise<readonly string[]> {
  const { code, stdout, stderr } = await runCommand(["complete", "--", ...words], {
    ...(folders ? { folders } : {}),
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t", 1)[0] ?? "");
}

async function withProfiles(): Promise<Folders> {
  const folders = await openFolders();
  for (const name of ["acme-test", "live"]) {
    const { code } = await runCommand(
      ["profiles", "add", name, "--base-url", `http://127.0.0.1:9/${name}`],
      {
        folders,
      },
    );
    expect(code).toBe(0);
  }
  return folders;
}

test.each([
  [["acc"], ["accounts"]],
  [
    ["accounts", ""],
    ["list", "status", "watch", "help"],
  ],
  [["accounts", "list", "ACME", "--st"], ["--state"]],
  [
    ["accounts", "list", "ACME", "--state", ""],
    ["all", "pending", "imported"],
  ],
  [["accounts", "list", "ACME", "--state=p"], ["--state=pending"]],
  [["accounts", "list", "ACME", "--state", "=", "p"], ["pending"]],
  [
    ["--format", "j"],
    ["json", "jsonl"],
  ],
  [
    ["schema", "s"],
    ["statements", "supply-points"],
  ],
  [["notes", "create", "ACME", "EXT-1", "--from", ""], [":files"]],
  [["supply-points", "create", ""], [":files"]],
  [
    ["completion", ""],
    ["bash", "zsh", "fish"],
  ],
  [
    ["--sandbox", "accounts", "list", ""],
    ["ACME", "PAUSED", "DONE", "NORTH"],
  ],
  [["notes", "create", "ACME", "EXT-1", "--body", ""], []],
  [["nothing", "like", "it", ""], []],
])("%j is completed with %j", async (words, found) => {
  expect(await offered(words)).toEqual(found);
});

test("profiles and the suppliers of the profile that is meant are offered by name", async () => {
  const folders = await withProfiles();
  expect(await offered(["--profile", ""], folders)).toEqual(["acme-test", "live"]);
  expect(await offered(["profiles", "use", "l"], folders)).toEqual(["live"]);
  expect(await offered(["--profile", "live", "accounts", "list", ""], folders)).toEqual([]);
});

test("an option that was given is not offered again", async () => {
  const first = await offered(["accounts", "list", "ACME", "--"]);
  const then = await offered(["accounts", "list", "ACME", "--json", "--"]);
  expect(first.filter((option) => !then.includes(option))).toEqual(["--json"]);
});

test("settings that cannot be read leave the names out, and say nothing in the middle of a line", async () => {
  const folders = await openFolders();
  await mkdir(folders.config, { mode: 0o700 });
  await writeFile(join(folders.config, "profiles.json"), "{ this is no JSON", { mode: 0o600 });
  expect(await offered(["--profile", ""], folders)).toEqual([]);
});

test("complete is hidden from the help, and an unknown shell lists the known ones", async () => {
  const help = await runCommand(["--help"]);
  expect(help.stdout).toMatch(/^ {2}completion /m);
  expect(help.stdout).not.toMatch(/^ {2}complete /m);
  const { code, stderr } = await runCommand(["completion", "bsh"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/bash, zsh, fish.*Did you mean bash\?/);
});

/** Runs a script in a shell that finds the built program by its name. */
async function inShell(
  folders: Folders,
  command: string,
  args: readonly string[],
): Promise<string> {
  const bin = join(folders.home, "bin");
  await mkdir(bin, { recursive: true });
  const starter = join(bin, "supplyline");
  await writeFile(starter, `#!/bin/sh\nexec ${programInShell()} "$@"\n`);
  await chmod(starter, 0o755);
  const env = programEnvironment(folders);
  return execFileSync(toolPath(command) ?? command, args, {
    encoding: "utf8",
    env: { ...env, PATH: `${bin}:${env.PATH}` },
  });
}

// A shell that is not installed is a visible gap, named in the list of tests.
describe.each(["bash", "zsh", "fish"])("in %s", (shell) => {
  test.runIf(toolPath(shell))(
    "commands, values and a name with a blank are completed",
    async () => {
      const folders = await withProfiles();
      const asked = (line: string) => inShell(folders, ...askingIn(shell, line));
      expect(await asked("supplyline accounts wa")).toMatch(/^watch\b/m);
      expect(await asked("supplyline --format js")).toMatch(/^json\b.*^jsonl\b/ms);
      expect(await asked("supplyline profiles use ")).toMatch(/^acme-test\b.*^live\b/ms);
    },
  );
});

/** A command that prints what the shell would offer at the end of a line. */
function askingIn(shell: string, line: string): [string, string[]] {
  const words = line.split(" ");
  const quoted = words.map((word) => `'${word}'`).join(" ");
  switch (shell) {
    case "bash": {
      const ask = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _supplyline; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return ["bash", ["--norc", "-c", `source <(supplyline completion bash); ${ask}`]];
    }
    case "zsh": {
      // zsh hands what is found to _describe, which draws; here it is printed.
      const ask = `words=(${quoted}); CURRENT=${words.length}; _describe() { print -l -- "\${(@P)2}"; }; _supplyline`;
      return ["zsh", ["-f", "-c", `compdef() { :; }; source <(supplyline completion zsh); ${ask}`]];
    }
    default:
      return [
        "fish",
        ["--no-config", "-c", `supplyline completion fish | source; complete -C '${line}'`],
      ];
  }
}
