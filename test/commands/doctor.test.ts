import { chmod, mkdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { openFolders } from "../helpers/folders.ts";
import { type RunOptions, runCli } from "../helpers/process.ts";
import { json, openSandbox, openService } from "./service.ts";

async function doctor(options: RunOptions) {
  const { code, stdout } = await runCli(["doctor", "--json"], options);
  const checks: { check: string; result: string; detail: string }[] = JSON.parse(stdout);
  const results = Object.fromEntries(checks.map(({ check, result }) => [check, result]));
  const detail = (name: string) => checks.find(({ check }) => check === name)?.detail ?? "";
  return { code, stdout, results, detail };
}

test("all is well with the sandbox, and no secret is printed", async () => {
  await using sandbox = await openSandbox();
  const { code, stdout, results } = await doctor({ env: sandbox.env });
  expect(code).toBe(0);
  expect(results).toEqual({
    program: "ok",
    terminal: "ok",
    "config folder": "ok",
    "state folder": "ok",
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
  await using sandbox = await openSandbox();
  const { stdout } = await runCli(["doctor"], { env: sandbox.env });
  expect(stdout).toMatch(/^ok +reachability +http:\/\/127\.0\.0\.1:\d+ answers$/m);
});

test("nothing set up: 3", async () => {
  const { code, results, detail } = await doctor({});
  expect(code).toBe(3);
  expect(results).toMatchObject({ profile: "fail", reachability: "skipped", token: "skipped" });
  expect(detail("profile")).toContain("profiles add NAME");
});

test("no key: 3, and what to do", async () => {
  const { code, results, detail } = await doctor({
    env: { SUPPLYLINE_BASE_URL: "http://127.0.0.1:9" },
  });
  expect(code).toBe(3);
  expect(results).toMatchObject({ credentials: "fail", reachability: "skipped" });
  expect(detail("credentials")).toContain("login --api-key-stdin");
});

test("a token that login kept, without its key, is tried as it is", async () => {
  await using sandbox = await openSandbox();
  await using folders = await openFolders();
  await runCli(["profiles", "add", "here", "--base-url", sandbox.baseUrl], { folders });
  await runCli(["login", "--api-key-stdin"], { folders, input: sandbox.apiKey });
  const { code, results, detail } = await doctor({ folders });
  expect({ code, token: results.token, authorization: results.authorization }).toEqual({
    code: 0,
    token: "ok",
    authorization: "ok",
  });
  expect(detail("token")).toMatch(/^cached, lasts another/);
});

test("nobody answers: 6, and the later checks are not claimed", async () => {
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
  await using sandbox = await openSandbox();
  const { code, results } = await doctor({
    env: { ...sandbox.env, SUPPLYLINE_API_KEY: "not-the-key" },
  });
  expect(code).toBe(3);
  expect(results).toMatchObject({ reachability: "ok", token: "fail", authorization: "skipped" });
});

test("a given token that is refused: 3 at the authorization", async () => {
  await using service = await openService((_request, response) => json(response, 401, {}));
  const { code, results } = await doctor({
    env: { SUPPLYLINE_BASE_URL: service.baseUrl, SUPPLYLINE_TOKEN: "t-1" },
  });
  expect(code).toBe(3);
  expect(results).toMatchObject({ reachability: "ok", token: "ok", authorization: "fail" });
});

test("a config folder that others can enter: 2, with the command that mends it", async () => {
  await using folders = await openFolders();
  await mkdir(folders.config);
  await chmod(folders.config, 0o755);
  const { code, results, detail } = await doctor({ folders });
  expect(code).toBe(2);
  expect(results["config folder"]).toBe("fail");
  expect(detail("config folder")).toContain("chmod 700");
});
