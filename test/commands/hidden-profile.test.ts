import { chmodSync } from "node:fs";
import { runCommand } from "../helpers/command.ts";
import { openConsole } from "../helpers/console.ts";
import { openFolders } from "../helpers/folders.ts";
import { openSandbox } from "../helpers/service.ts";

/** A service of the environment, and the stored profile `mine` of another one. */
async function desk() {
  const sandbox = await openSandbox();
  const folders = await openFolders();
  const run = (line: string, env: Record<string, string> = sandbox.env) =>
    runCommand(line.split(" "), { folders, env });
  await run("profiles add mine --base-url http://127.0.0.1:9", {});
  return { sandbox, folders, run };
}

const status = "accounts status ACME EXT-0000001";
const note = "notes create ACME EXT-0000001 --body hello";
const named = "SUPPLYLINE_BASE_URL is set and has precedence";
const remedy = "To use mine: unset SUPPLYLINE_BASE_URL SUPPLYLINE_API_KEY, or add --profile mine.";

test("choosing a profile that the environment overrides warns, with the way to unset it", async () => {
  const { sandbox, run } = await desk();
  const { code, stderr } = await run("profiles use mine");
  expect(code).toBe(0);
  expect(stderr).toContain(sandbox.baseUrl);
  expect(stderr).toContain(remedy);
  expect(stderr).not.toContain("in use from now on");
  await run("profiles add other --base-url http://127.0.0.1:8", {});
  const byName = await run("profiles use mine", { SUPPLYLINE_PROFILE: "other" });
  expect(byName).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("To use mine: unset SUPPLYLINE_PROFILE, or add"),
  });
  for (const env of [{}, { SUPPLYLINE_PROFILE: "mine" }, { SUPPLYLINE_BASE_URL: "" }])
    expect((await run("profiles use mine", env)).stderr).toContain("in use from now on");
});

test.each([
  ["in use", {}, "profiles use mine"],
  ["the only one", {}, null],
  ["named by SUPPLYLINE_PROFILE", { SUPPLYLINE_PROFILE: "mine" }, null],
])("a command whose profile is hidden and is %s says so once", async (_how, more, before) => {
  const { sandbox, run } = await desk();
  if (before !== null) await run(before, {});
  for (const line of [status, "doctor", "whoami", note]) {
    const { code, stderr } = await run(line, { ...sandbox.env, ...more });
    expect(code).toBe(0);
    expect(stderr.split(named)).toHaveLength(2);
    expect(stderr).toContain(remedy);
  }
});

test("--quiet hides it from a reading command, and not from a write", async () => {
  const { run } = await desk();
  expect((await run(`${status} --quiet`)).stderr).toBe("");
  expect((await run(`${note} --quiet`)).stderr).toContain(remedy);
});

test("with --json it is an object of its own", async () => {
  const { run } = await desk();
  const { code, stderr } = await run(`${note} --json`);
  expect(code).toBe(0);
  expect(JSON.parse(stderr)).toEqual({ warning: { message: expect.stringContaining(remedy) } });
});

test("nothing is said where no profile is hidden, or none can be read", async () => {
  const { sandbox, folders, run } = await desk();
  expect((await run(`${status} --profile mine --timeout 1s`)).stderr).not.toContain(named);
  expect((await run("profiles list")).stderr).toBe("");
  chmodSync(folders.config, 0o755);
  const unread = await run(status);
  expect(unread.code).toBe(0);
  expect(unread.stderr).not.toContain(named);
  expect(await runCommand(status.split(" "), { env: sandbox.env })).toMatchObject({ stderr: "" });
});

test("a console on the environment's service names the profile that is hidden", async () => {
  const { sandbox, folders } = await desk();
  const terminal = await openConsole([], { env: sandbox.env, folders });
  await terminal.waitFor("The profile mine is not used: SUPPLYLINE_BASE_URL is set.");
});
