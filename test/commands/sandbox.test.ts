import { stat } from "node:fs/promises";
import { join } from "node:path";
import { runCommand, startCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";
import { startCli } from "../helpers/process.ts";

test.each(["SIGINT", "SIGTERM"] as const)(
  "sandbox --json prints one line, serves, and ends with 0 on %s",
  async (signal) => {
    const sandbox = await startCli(["sandbox", "--json", "--accounts", "7"]);
    const line = JSON.parse(await sandbox.stdout.waitForLine("base_url"));
    expect(Object.keys(line)).toEqual(["base_url", "api_key"]);
    const { stdout } = await runCommand(["accounts", "list", "ACME", "--json"], {
      env: { SUPPLYLINE_BASE_URL: line.base_url, SUPPLYLINE_API_KEY: line.api_key },
    });
    expect(JSON.parse(stdout)).toHaveLength(7);
    sandbox.kill(signal);
    const { code, stdout: all } = await sandbox.result;
    expect(code).toBe(0);
    expect(all.trimEnd().split("\n")).toHaveLength(1);
  },
);

test("for people it prints URL and key, and on stderr how to use them", async () => {
  const sandbox = await startCommand(["sandbox"]);
  await sandbox.stdout.waitForLine(/^API key +sandbox-/);
  await sandbox.stderr.waitForLine(/export SUPPLYLINE_API_KEY=sandbox-/);
  sandbox.kill("SIGINT");
  const { code, stdout } = await sandbox.result;
  expect(code).toBe(0);
  expect(stdout).toMatch(/^URL +http:\/\/127\.0\.0\.1:\d+\n/);
});

test("it shows the faults that were asked for", async () => {
  const folders = await openFolders();
  const words = ["sandbox", "--json", "--fault", "403@account-status"];
  const sandbox = await startCommand(words, { folders });
  const line = JSON.parse(await sandbox.stdout.waitForLine("base_url"));
  const env = { SUPPLYLINE_BASE_URL: line.base_url, SUPPLYLINE_API_KEY: line.api_key };
  expect(
    (await runCommand(["accounts", "status", "ACME", "EXT-0000001"], { env, folders })).code,
  ).toBe(3);
});

test("a port that is taken: 2, in plain words", async () => {
  const folders = await openFolders();
  const first = await startCommand(["sandbox", "--json"], { folders });
  const { port } = new URL(JSON.parse(await first.stdout.waitForLine("base_url")).base_url);
  const { code, stderr } = await runCommand(["sandbox", "--port", port], { folders });
  expect(code).toBe(2);
  expect(stderr).toContain(port);
});

test("--sandbox gives a command a service of its own and writes nothing to disk", async () => {
  const folders = await openFolders();
  const { code, stdout } = await runCommand(
    ["--sandbox", "accounts", "status", "ACME", "EXT-0000001", "--json"],
    { folders },
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout).status).toBe("COMPLETED");
  await expect(stat(join(folders.config))).rejects.toThrow("ENOENT");
});

test("the sandbox is a profile, too", async () => {
  const { code, stdout } = await runCommand(["accounts", "list", "PAUSED", "--profile", "sandbox"]);
  expect(code).toBe(0);
  expect(stdout).toContain("PAUSED-0000001");
});

test("a scenario is played by a sandbox that prints nothing else", async () => {
  const folders = await openFolders();
  const words = ["sandbox", "--json", "--scenario", "migration-day", "--speed", "1000"];
  const sandbox = await startCommand(words, { folders });
  const line = JSON.parse(await sandbox.stdout.waitForLine("base_url"));
  const env = { SUPPLYLINE_BASE_URL: line.base_url, SUPPLYLINE_API_KEY: line.api_key };
  const { stdout } = await runCommand(["accounts", "list", "NORTH", "--json"], { env, folders });
  expect(JSON.parse(stdout)).toHaveLength(1200);
  sandbox.kill("SIGINT");
  expect((await sandbox.result).stdout.trimEnd().split("\n")).toHaveLength(1);
});

test("a scenario that does not exist: 2, with those that do", async () => {
  const { code, stderr } = await runCommand(["sandbox", "--scenario", "tuesday"]);
  expect(code).toBe(2);
  expect(stderr).toContain("Allowed: migration-day.");
});
