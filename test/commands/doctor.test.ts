import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hurriedClock } from "../helpers/clock.ts";
import { type CommandOptions, runCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";
import { isTokenCall, openSandbox, openService, reply, tokenAnswer } from "../helpers/service.ts";

/** Below the time limit of a request of doctor: on a busy machine, an answer takes longer than a hundredth of it. */
const longestPauseMs = 5_000;

async function doctor(options: CommandOptions) {
  const { code, stdout } = await runCommand(["doctor", "--json"], {
    clock: hurriedClock(longestPauseMs),
    ...options,
  });
  const checks: { check: string; result: string; detail: string }[] = JSON.parse(stdout);
  const results = Object.fromEntries(checks.map(({ check, result }) => [check, result]));
  const detail = (name: string) => checks.find(({ check }) => check === name)?.detail ?? "";
  return { code, stdout, results, detail };
}

test("all is well with the sandbox, and no secret is printed", async () => {
  const sandbox = await openSandbox();
  const { code, stdout, results } = await doctor({ env: sandbox.env });
  expect(code).toBe(0);
  expect(results).toEqual({
    program: "ok",
    terminal: "ok",
    "config folder": "ok",
    "state folder": "ok",
    journal: "ok",
    "state file": "ok",
    observations: "ok",
    "cache folder": "ok",
    profile: "ok",
    credentials: "ok",
    reachability: "ok",
    TLS: "ok",
    token: "ok",
    authorization: "ok",
    clock: "ok",
  });
  expect(stdout).not.toContain(sandbox.apiKey);
});

test("for people it is a line each", async () => {
  const sandbox = await openSandbox();
  const { stdout } = await runCommand(["doctor"], { env: sandbox.env });
  // Wrapped to the width of the terminal.
  expect(stdout.replace(/\s+/g, " ")).toContain("lists and statuses with gzip (compression auto)");
  expect(stdout).toMatch(/^ok +reachability +http:\/\/127\.0\.0\.1:\d+ responds$/m);
});

test("doctor ends with 3 without a profile", async () => {
  const { code, results, detail } = await doctor({});
  expect(code).toBe(3);
  expect(results).toMatchObject({ profile: "fail", reachability: "skipped", token: "skipped" });
  expect(detail("profile")).toContain("profiles add NAME");
});

test("doctor ends with 3 and a remedy without an API key", async () => {
  const { code, results, detail } = await doctor({
    env: { SUPPLYLINE_BASE_URL: "http://127.0.0.1:9" },
  });
  expect(code).toBe(3);
  expect(results).toMatchObject({ credentials: "fail", reachability: "fail", token: "skipped" });
  expect(detail("credentials")).toContain("login --api-key-stdin");
});

test("a token that login kept, without its key, is tried as it is", async () => {
  const sandbox = await openSandbox();
  const folders = await openFolders();
  await runCommand(["profiles", "add", "here", "--base-url", sandbox.baseUrl], { folders });
  await runCommand(["login", "--api-key-stdin"], { folders, input: sandbox.apiKey });
  const { code, results, detail } = await doctor({ folders });
  expect({ code, token: results.token, authorization: results.authorization }).toEqual({
    code: 0,
    token: "ok",
    authorization: "ok",
  });
  expect(detail("token")).toMatch(/^cached, valid for another/);
});

test("doctor skips later checks and ends with 6 if the service does not respond", async () => {
  const { code, results } = await doctor({
    env: { SUPPLYLINE_BASE_URL: "http://127.0.0.1:9", SUPPLYLINE_API_KEY: "k-1" },
  });
  expect(code).toBe(6);
  expect(results).toMatchObject({
    credentials: "ok",
    reachability: "fail",
    TLS: "skipped",
    token: "skipped",
    authorization: "skipped",
  });
});

test("a refused key: 3, with reachability proven", async () => {
  const sandbox = await openSandbox();
  const { code, results } = await doctor({
    env: { ...sandbox.env, SUPPLYLINE_API_KEY: "not-the-key" },
  });
  expect(code).toBe(3);
  expect(results).toMatchObject({ reachability: "ok", token: "fail", authorization: "skipped" });
});

test("a given token that is refused: 3 at the authorization", async () => {
  const service = await openService((_request, response) => reply(response, 401, {}));
  const { code, results } = await doctor({
    env: { SUPPLYLINE_BASE_URL: service.baseUrl, SUPPLYLINE_TOKEN: "t-1" },
  });
  expect(code).toBe(3);
  expect(results).toMatchObject({ reachability: "ok", token: "ok", authorization: "fail" });
});

test("a config folder that others can enter: 2, with the command that fixes it", async () => {
  const folders = await openFolders();
  await mkdir(folders.config);
  await chmod(folders.config, 0o755);
  const { code, results, detail } = await doctor({ folders });
  expect(code).toBe(2);
  expect(results["config folder"]).toBe("fail");
  expect(detail("config folder")).toContain("chmod 700");
});

/** A service whose clock is another; its tokens say when they were issued only where asked to. */
async function serviceAt(aheadMs: number, says: "date" | "token") {
  const now = () => Date.now() + aheadMs;
  const claims = { iat: Math.floor(now() / 1000), exp: Math.floor(now() / 1000) + 3_600 };
  const [header = "", payload = ""] = [{ alg: "none" }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  const token = says === "token" ? `${header}.${payload}.c2ln` : "opaque-token";
  const service = await openService(
    (request, response) => {
      if (says === "date") response.setHeader("date", new Date(now()).toUTCString());
      if (isTokenCall(request)) reply(response, 200, tokenAnswer(token));
      else reply(response, 404, {});
    },
    { ownTokens: true },
  );
  return { env: service.env, token };
}

const dayMs = 86_400_000;

test.each([
  [
    "a day behind, by the Date header",
    dayMs,
    "date",
    /is (1 d|23 h \d+ min) behind the service's, by the Date header/,
  ],
  [
    "ten minutes ahead, by the Date header",
    -600_000,
    "date",
    /is (10|9) min.* ahead of the service's, by the Date header/,
  ],
  [
    "three years behind, by the token",
    3 * 365 * dayMs,
    "token",
    /is 109\d d.* behind the service's, by the token/,
  ],
  ["a day ahead, by the token", -dayMs, "token", /is 1 d.* ahead of the service's, by the token/],
] as const)("a clock that is %s is found with its difference", async (_, ahead, says, words) => {
  const service = await serviceAt(ahead, says);
  const { code, stdout, results, detail } = await doctor({ env: service.env });
  expect({ code, clock: results.clock }).toEqual({ code: 0, clock: "warn" });
  expect(detail("clock")).toMatch(words);
  expect(stdout).not.toContain(service.token);
});

test("without a key the way to the service and its clock are checked all the same", async () => {
  const service = await serviceAt(dayMs, "date");
  const { code, results } = await doctor({
    env: { SUPPLYLINE_BASE_URL: service.env.SUPPLYLINE_BASE_URL },
  });
  expect(code).toBe(3);
  expect(results).toMatchObject({
    credentials: "fail",
    reachability: "ok",
    TLS: "ok",
    token: "skipped",
    authorization: "skipped",
    clock: "warn",
  });
});

test.each([
  ["journal", "journal.sqlite"],
  ["state file", "state.sqlite"],
])("a %s that cannot be used fails its own check", async (check, file) => {
  const sandbox = await openSandbox();
  const folders = await openFolders();
  await mkdir(folders.state, { mode: 0o700 });
  await writeFile(join(folders.state, file), "no database at all, by far", { mode: 0o600 });
  const { code, results, detail } = await doctor({ folders, env: sandbox.env });
  expect({ code, result: results[check] }).toEqual({ code: 2, result: "fail" });
  expect(detail(check)).toContain(`the file is no ${check}`);
});
