/** A settings file that was emptied is damaged: it is named, and no change overwrites it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";

/** A change of each file. Null: supplyline only reads the file. */
const changes = {
  profiles: ["profiles", "add", "q", "--base-url", "https://service.example"],
  preferences: ["config", "set", "recordObservations", "false"],
  credentials: ["profiles", "add", "q", "--base-url", "https://service.example"],
  templates: ["templates", "add", "late", "--body", "Late", "--profile", "sandbox"],
  keymap: null,
  commands: null,
} as const;

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});

describe.each(["", " ", "\n\t\n", "\uFEFF"])("a settings file with only %j", (content) => {
  test.each(Object.entries(changes))("%s.json is reported with a remedy", async (name, change) => {
    const folders = await openFolders();
    mkdirSync(folders.config, { recursive: true, mode: 0o700 });
    const path = join(folders.config, `${name}.json`);
    writeFileSync(path, content, { mode: 0o600 });
    const doctor = await runCommand(["doctor", "--json"], { folders, env: sandbox.env });
    const checks = JSON.parse(doctor.stdout) as { check: string; result: string; detail: string }[];
    const check = change === null ? name : "config folder";
    expect(checks.find((row) => row.check === check)).toMatchObject({
      result: change === null ? "warn" : "fail",
      detail: expect.stringContaining(`${name}.json`),
    });
    if (change === null) return;
    const { code, stderr } = await runCommand(change, { folders });
    expect(code).toBe(2);
    expect(stderr).toContain(path);
    expect(stderr).toContain("mv ");
    expect(readFileSync(path, "utf8")).toBe(content);
  });
});
