/** The examples of the documentation, each run with stand-ins for its programs. */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { readUserCommands } from "../../../src/commands/open/user-keys.ts";
import { defaultKeymap } from "../../../src/keys/keymap.ts";
import type { CustomCommand } from "../../../src/settings/custom/custom-command.ts";
import { runBounded } from "../../../src/settings/custom/run-bounded.ts";
import { filledIn } from "../../../src/settings/custom/values.ts";
import { killGroup } from "../../helpers/kill-group.ts";
import { freshFolder } from "../settings-folder.ts";
import { standIn } from "./programs.ts";

const values = {
  profile: "acme",
  import_supplier: "ACME",
  external_account_number: "EXT #1 & 'co'",
  status: "COMPLETED",
};
const input = `${JSON.stringify(values)}\n`;
const never = new AbortController().signal;

function examples() {
  const { config } = freshFolder();
  mkdirSync(config, { mode: 0o700 });
  const path = join(config, "commands.json");
  copyFileSync(new URL("../../../examples/commands.json", import.meta.url), path);
  chmodSync(path, 0o600);
  return readUserCommands(config, defaultKeymap);
}

function commandNamed(name: string): CustomCommand {
  const found = examples().commands.find((one) => one.name === name);
  if (found === undefined) throw new Error(`examples/commands.json has no ${name}`);
  return found;
}

/** Runs an example whose program is found in `path`. */
async function run(example: CustomCommand, path: string) {
  const ready = filledIn(example, values, ["EXT-1", "EXT-2"]);
  if (ready.kind === "refused") throw new Error(ready.words);
  return runBounded(ready.program, ready.args, {
    env: { ...ready.env, PATH: path },
    input,
    signal: never,
    end: never,
    timeoutMs: 60_000,
    maxBytes: 100_000,
    killGroup,
  });
}

const systemPath = process.env.PATH ?? "";

/** Skips a test, saying why, where a program is absent. */
function needs(context: { skip: (note: string) => void }, program: string): void {
  if (spawnSync(program, ["--version"]).error) context.skip(`${program} is not installed here`);
}

describe("the examples", () => {
  test("hold, with keys that are free", () => {
    const { issues, commands } = examples();
    expect(issues).toEqual([]);
    expect(commands.map(({ key }) => key)).not.toContain(null);
    expect(commands).toHaveLength(7);
  });

  test.each([
    ["ticket", "gh", ["--title", values.external_account_number]],
    ["chat", "curl", ["--json", "@-"]],
    ["mail", "mail", ["data@supplier.example"]],
    ["sent", "supplyline", ["--account", values.external_account_number]],
    ["status", "watch", ["--", "ACME", values.external_account_number]],
    ["grafana", "jq", []],
    ["details", "jq", ["."]],
  ])("%s runs %s with whole values, and gives it the row as JSON", async (name, program, last) => {
    const fake = standIn(program);
    const ran = await run(commandNamed(name), `${fake.folder}:${systemPath}`);
    expect(ran).toMatchObject({ kind: "ended", code: 0 });
    const [call] = fake.calls();
    expect(call?.args.slice(call.args.length - last.length)).toEqual(last);
    expect(JSON.parse(call?.stdin ?? "")).toEqual(values);
  });

  test("an example that runs supplyline uses the profile of the console", () => {
    const runs = examples().commands.filter(({ argv }) => argv.includes("supplyline"));
    expect(runs.map(({ name }) => name)).toEqual(["sent", "status"]);
    for (const { argv } of runs) {
      const at = argv.indexOf("supplyline");
      expect(argv.slice(at + 1, at + 3)).toEqual(["--profile", "{profile}"]);
    }
  });

  test("grafana prints a link with the number encoded for a URL", async (context) => {
    needs(context, "jq");
    const ran = await run(commandNamed("grafana"), systemPath);
    const link = ran.kind === "ended" ? ran.stdout.trim() : "";
    expect(link).toMatch(/^https:\/\/grafana\.example\/d\/imports\?var-account=EXT%20%231%20%26/);
    expect(decodeURIComponent(link.split("=")[1] ?? "")).toBe(values.external_account_number);
  });

  test("details prints the row, indented", async (context) => {
    needs(context, "jq");
    const ran = await run(commandNamed("details"), systemPath);
    expect(ran.kind === "ended" && JSON.parse(ran.stdout)).toEqual(values);
  });
});
