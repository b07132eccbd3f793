/** Promise: a key or token of the environment reaches the service it was given for, and no other. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../helpers/command.ts";
import { openConsole } from "../helpers/console.ts";
import { openFolders } from "../helpers/folders.ts";
import { completed, openService, openTap, reply } from "../helpers/service.ts";

const key = "canary-key-0f3a9b7c";
const token = "canary-token-51d2e8aa";
const secrets = { SUPPLYLINE_API_KEY: key, SUPPLYLINE_TOKEN: token };

/** A service that has every account, with all bytes that were sent to it. */
async function openRecorded() {
  const service = await openService((_, response) => reply(response, 200, completed));
  return { ...(await openTap(service)), received: service.received };
}

/** Two services, A of the environment and B of the stored profile `mine`. */
async function desk(...addOptions: string[]) {
  const [a, b] = [await openRecorded(), await openRecorded()];
  const folders = await openFolders();
  const run = (words: readonly string[], env: Record<string, string> = {}, input = "") =>
    runCommand(words, { folders, env, input });
  const added = await run([
    "profiles",
    "add",
    "mine",
    "--base-url",
    b.baseUrl,
    "--supplier",
    "ACME",
    ...addOptions,
  ]);
  expect(added.code).toBe(0);
  return { a, b, folders, run, env: { SUPPLYLINE_BASE_URL: a.baseUrl, ...secrets } };
}

function helperIn({ home }: { readonly home: string }, answer: object): string {
  mkdirSync(home, { recursive: true });
  const path = join(home, "helper.sh");
  writeFileSync(path, `#!/bin/sh\necho '${JSON.stringify(answer)}'\n`, { mode: 0o700 });
  return path;
}

const status = ["accounts", "status", "ACME", "EXT-1"];
const asMine = [...status, "--profile", "mine"];

test("a command with --profile sends nothing of the environment's service", async () => {
  const { a, b, run, env } = await desk();
  const bare = await run(asMine, env);
  expect(bare).toMatchObject({ code: 3, stderr: expect.stringContaining(a.baseUrl) });
  await run(["login", "--profile", "mine", "--api-key-stdin"], env, "own-key");
  expect(await run(asMine, env)).toMatchObject({ code: 0 });
  expect(b.sent()).toContain("own-key");
  expect(b.sent()).not.toContain("canary");
  expect(a.sent()).toBe("");
  expect(await run(status, env)).toMatchObject({ code: 0 });
  expect(a.sent()).toContain(token);
});

test.each([
  ["a key", { SUPPLYLINE_API_KEY: key }],
  ["a token", { SUPPLYLINE_TOKEN: token }],
])("with a credential helper, %s of the environment is not used", async (_what, given) => {
  const { b, folders, run } = await desk();
  const helper = helperIn(folders, { ApiKey: "helper-key" });
  await run(["profiles", "edit", "mine", "--credential-helper", helper]);
  expect(await run(status, given)).toMatchObject({ code: 0 });
  expect(b.sent()).toContain("helper-key");
  expect(b.sent()).not.toContain("canary");
});

test.each([
  ["the key", ["--save-key"]],
  ["a token alone", []],
])("with %s saved, secrets of the environment are not used", async (_what, options) => {
  const { b, run } = await desk();
  await run(["login", "--api-key-stdin", ...options], {}, "own-key");
  for (const chosen of [{}, { SUPPLYLINE_PROFILE: "mine" }])
    expect(await run(status, { ...secrets, ...chosen })).toMatchObject({ code: 0 });
  expect(b.sent()).not.toContain("canary");
  await run(["logout"], secrets);
  expect(await run(status, secrets)).toMatchObject({ code: 0 });
  expect(b.sent()).toContain(token);
});

test("without an address beside them, they are for a selected profile that has no others", async () => {
  const { b, run } = await desk();
  for (const [words, env] of [
    [asMine, {}],
    [status, { SUPPLYLINE_PROFILE: "mine" }],
    [status, {}],
  ] as const) {
    const before = b.sent().length;
    expect(await run(words, { ...env, SUPPLYLINE_API_KEY: key })).toMatchObject({ code: 0 });
    expect(b.sent().slice(before)).toContain(key);
  }
});

test("another spelling of the same origin is the same service", async () => {
  const { b, run } = await desk();
  const spelled = b.baseUrl.replace("http://127.0.0.1", "HTTP://127.1");
  const env = { SUPPLYLINE_BASE_URL: `${spelled}/`, SUPPLYLINE_TOKEN: token };
  expect(await run(asMine, env)).toMatchObject({ code: 0 });
  expect(b.sent()).toContain(token);
});

test("an address that cannot be read is that of no profile", async () => {
  const { b, run } = await desk();
  for (const baseUrl of ["nonsense", "http:// /", "http://["])
    expect(await run(asMine, { SUPPLYLINE_BASE_URL: baseUrl, ...secrets })).toMatchObject({
      code: 3,
    });
  expect(b.sent()).not.toContain("canary");
});

test("a profile's GraphQL URL elsewhere gets the key of that profile, and the base URL its token", async () => {
  const graphql = await openRecorded();
  const { a, b, run, env } = await desk("--graphql-url", `${graphql.baseUrl}/v1/graphql/`);
  await run(["login", "--profile", "mine", "--api-key-stdin", "--save-key"], env, "own-key");
  expect(await run(asMine, env)).toMatchObject({ code: 0 });
  expect(graphql.sent()).toContain("own-key");
  expect(graphql.sent()).not.toContain("given-out");
  expect(b.sent()).toContain("given-out");
  expect(b.sent()).not.toContain("own-key");
  expect(graphql.sent() + b.sent() + a.sent()).not.toContain("canary");
});

test("a key for one address is not sent to the GraphQL URL of a profile at that address", async () => {
  const graphql = await openRecorded();
  const { b, run } = await desk("--graphql-url", `${graphql.baseUrl}/v1/graphql/`);
  const env = { SUPPLYLINE_BASE_URL: b.baseUrl, SUPPLYLINE_API_KEY: key };
  expect(await run(asMine, env)).toMatchObject({ code: 3 });
  expect(graphql.sent() + b.sent()).not.toContain("canary");
  const both = { ...env, SUPPLYLINE_GRAPHQL_URL: `${graphql.baseUrl}/v1/graphql/` };
  expect(await run(asMine, both)).toMatchObject({ code: 0 });
  expect(graphql.sent()).toContain(key);
  expect(b.sent()).not.toContain(key);
});

test("whoami and doctor name the secret, its address, and why it is not used", async () => {
  const { a, b, run, env } = await desk();
  for (const command of ["whoami", "doctor"]) {
    const other = await run([command, "--profile", "mine"], env);
    const said = (other.stdout + other.stderr).replace(/\s+/g, " ");
    expect(said).toContain(b.baseUrl);
    expect(said).toContain(
      `SUPPLYLINE_API_KEY and SUPPLYLINE_TOKEN are not used for mine: SUPPLYLINE_BASE_URL gives them to ${a.baseUrl} alone.`,
    );
    const own = await run([command], env);
    expect(own.stdout).toContain("SUPPLYLINE_TOKEN");
    expect(own.stdout).toContain(a.baseUrl);
    expect(own.stdout + own.stderr).not.toContain("not used for");
  }
  await run(["login", "--profile", "mine", "--api-key-stdin", "--save-key"], env, "own-key");
  for (const command of ["whoami", "doctor"]) {
    const { stdout, stderr } = await run([command], { SUPPLYLINE_API_KEY: key });
    expect((stdout + stderr).replace(/\s+/g, " ")).toContain(
      "SUPPLYLINE_API_KEY is not used for mine, which has saved credentials.",
    );
  }
  expect(b.sent()).not.toContain("canary");
});

describe("in the console", () => {
  test.each([
    ["of the environment with a key", { SUPPLYLINE_API_KEY: key }, true],
    ["of the environment with a token", secrets, true],
    ["that is stored without credentials", secrets, false],
  ])("switching from a profile %s takes no secret of its along", async (_what, given, isAdHoc) => {
    const { a, b, folders, run } = await desk();
    await run(["profiles", "add", "first", "--base-url", a.baseUrl]);
    const env = {
      ...given,
      ...(isAdHoc ? { SUPPLYLINE_BASE_URL: a.baseUrl } : { SUPPLYLINE_PROFILE: "first" }),
    };
    const terminal = await openConsole(["open", "ACME", "EXT-1"], { env, folders });
    await terminal.waitFor("COMPLETED");
    await terminal.press("P").until(b.baseUrl);
    expect(terminal.text()).toMatch(/mine .*none/);
    await terminal.press("home", "enter").untilGone(b.baseUrl);
    await terminal.waitFor("supplyline login");
    expect(a.sent()).toContain("canary");
    expect(b.sent()).not.toContain("canary");
  });
});
