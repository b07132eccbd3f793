import type { Command } from "commander";
import { inputColumnsOf } from "../../src/commands/bulk/columns.ts";
import { exitsOf, programFor } from "../../src/commands/command-line.ts";
import { exitCode } from "../../src/commands/exit-codes.ts";
import { formKinds } from "../../src/forms/forms.ts";
import { createdOnFirstStatus, fixedSupplyPoints } from "../../src/sandbox/rules/supply-points.ts";
import { runCommand } from "../helpers/command.ts";
import { notUnderstood } from "../helpers/parsed-command.ts";
import { callsIn } from "../helpers/shell-calls.ts";

const silent = { write: () => true, columns: 80 };
const program = await programFor(
  { version: "0.0.0", stdout: silent, stderr: silent },
  { run: async () => {} },
  "all",
);

function commandsBelow(command: Command, path: readonly string[] = []): [string, Command][] {
  const below = command.createHelp().visibleCommands(command);
  return below
    .filter((one) => one.name() !== "help")
    .flatMap((one) => {
      const words = [...path, one.name()];
      return [[words.join(" "), one] as [string, Command], ...commandsBelow(one, words)];
    });
}

function helpOf(command: Command): string {
  const pieces: string[] = [];
  command.configureOutput({ writeOut: (piece) => void pieces.push(piece) });
  command.outputHelp();
  return pieces.join("");
}

const everyCommand: readonly (readonly [string, Command])[] = [
  ["", program],
  ...commandsBelow(program),
];
const leaves = everyCommand.filter(([, command]) => command.commands.length === 0);

test.each(everyCommand)("the help of %j fits a terminal of 80 columns", (_path, command) => {
  const lines = helpOf(command).split("\n");
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test.each(everyCommand)(
  "each example of %j is a line that can be pasted",
  async (path, command) => {
    const [, shown = ""] = helpOf(command).split("\nExamples:\n");
    const calls = callsIn(shown.split("\n\n")[0] ?? "");
    expect(calls.length).toBeGreaterThan(0);
    for (const words of calls) {
      expect(await notUnderstood(words), words.join(" ")).toBeNull();
      expect(words.join(" ")).toContain(path);
    }
  },
);

test("the help of each command says how it can end", async () => {
  for (const [path, leaf] of leaves) expect(exitsOf(leaf), path).toContain(0);
  const { stdout } = await runCommand(["notes", "create", "--help"]);
  expect(stdout).toMatch(
    /Exit codes:\n {2}0 done; 2 usage, nothing sent; .*; 7 OUTCOME UNKNOWN; 130 interrupted\n$/s,
  );
  expect((await runCommand(["--help"])).stdout).toContain("9 another final state");
});

test.each(formKinds)("the help of bulk run %s lists the columns of its rows", async (kind) => {
  const { code, stdout } = await runCommand(["bulk", "run", kind, "--help"]);
  expect(code).toBe(0);
  const [, listed = ""] = stdout.split(`\nColumns of ${kind}:\n`);
  const columns = inputColumnsOf(kind).map(({ name }) => name);
  const names = [...listed.matchAll(/^ {2}([a-z_]+\S*)( \((?:required|expected)\))?$/gm)];
  expect(names.map(([, name]) => name)).toEqual(columns);
  expect(listed).toContain("import_supplier (required)\n");
  // A name is never broken.
  const words = stdout.split("\n").filter((line) => line.trim().includes(" "));
  expect(words.filter((line) => line.length > 80)).toEqual([]);
});

test("the help of bulk run without a kind names the call that lists columns", async () => {
  const { stdout } = await runCommand(["bulk", "run", "--help"]);
  expect(stdout).toContain("`supplyline bulk run KIND --help` lists the columns of a kind.");
});

test("the list of commands is the same whether or not their verbs are loaded", async () => {
  expect((await runCommand(["--help"])).stdout).toBe(helpOf(program));
  for (const noun of program.commands.filter(({ commands }) => commands.length > 0))
    expect((await runCommand([noun.name(), "--help"])).stdout).toBe(helpOf(noun));
});

test.each<[string[], RegExp]>([
  [["accounts", "stauts", "ACME", "X"], /Did you mean status\?.*`supplyline accounts --help`/],
  [["notes", "add", "ACME", "X"], /'add'.*`supplyline notes --help` lists its commands/],
  [["notes", "create", "A", "X", "--text", "a"], /'--text'.*`supplyline notes create --help`/],
  [
    ["--quiet", "bulk", "run", "note", "--from", "x"],
    /Did you mean notes\?.*`supplyline bulk run --help`/,
  ],
  [["supply-point", "status"], /"supply-point".*Did you mean supply-points\?/],
  [["everything"], /"everything".*`supplyline --help`/],
])("%j is answered with a suggestion or a pointer to the help", async (words, expected) => {
  const { code, stderr } = await runCommand(words);
  expect(code).toBe(2);
  expect(stderr).toMatch(expected);
});

test("a key given as a value of an option is refused without being repeated", async () => {
  const { code, stdout, stderr } = await runCommand(["login", "--api-key", "sk-live-4711"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/--api-key-stdin/);
  expect(stderr).not.toContain("4711");
});

test("examples name accounts and supply points that the sandbox has, and runs by their ids", () => {
  const help = leaves.map(([, command]) => helpOf(command)).join("\n");
  for (const [number] of help.matchAll(/(?<=ACME |--account |EXT-\d{7} )EXT-\w+/g))
    expect(number).toMatch(/^EXT-\d{7}$/);
  const known = [...fixedSupplyPoints.map(({ identifier }) => identifier), ...createdOnFirstStatus];
  for (const [identifier] of help.matchAll(/\bSP-[\w-]+/g)) expect(known).toContain(identifier);
  for (const [, run] of help.matchAll(
    /(?:--run|bulk (?:resume|report|rejected|discard)) (r?\w*\d\w*)/g,
  ))
    expect(run).toMatch(/^r[a-z0-9]{5}$/);
});

test.each([
  ["accounts watch", ["COMPLETED", "IN_PROGRESS", "UNKNOWN", '(default: "COMPLETED")', "5s or 1m"]],
  ["supply-points watch", ["PROCESSED", "DRY_RUN_ERRORED", "CANCELLED"]],
  ["profiles add", ["default: test on loopback", "default: auto", "default: service"]],
  ["accounts list", ["default: 30s, lists 10m", '(default: "all")', "500ms, 30s, 5m or 1h30m"]],
])("the help of %s states defaults, units and allowed values", (path, words) => {
  const command = leaves.find(([name]) => name === path)?.[1];
  const help = command ? helpOf(command).replaceAll(/\s+/g, " ") : "";
  for (const word of words) expect(help).toContain(word);
});

test("the help of the program has every exit code, and where to read more", async () => {
  const { stdout } = await runCommand(["--help"]);
  const [, codes = ""] = stdout.split("Exit codes:");
  for (const code of Object.values(exitCode)) expect(codes).toMatch(new RegExp(`\\b${code} \\D`));
  expect(codes).toContain("supplyline doctor");
});
