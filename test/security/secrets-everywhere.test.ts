/**
 * Promise: key and token stand in one file at the most, for their user alone, and nowhere else: not
 * on a command line, in an output, a message, the journal, a draft, a crash, or a child's environment.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programWords } from "../helpers/built-program.ts";
import { fastClock } from "../helpers/clock.ts";
import { runCommand } from "../helpers/command.ts";
import { type Folders, openFolders, programEnvironment } from "../helpers/folders.ts";
import { type CliResult, runCli, runProcess, startCli } from "../helpers/process.ts";
import { type Handler, openService, reply } from "../helpers/service.ts";
import { spawnConsole } from "../helpers/terminal.ts";

const key = "canary-key-0f3a9b7c";
const token = "canary-token-51d2e8aa";

/** A service that repeats everything it was sent, secrets too, in every answer. */
async function echoing(state: { status: number; hang: boolean }) {
  const waiting = Promise.withResolvers<void>();
  const handler: Handler = (request, response) => {
    if (request.path.includes("/graphql/")) {
      const obtainToken = { token, refreshToken: `${token}-refresh`, refreshExpiresIn: 9 };
      return reply(response, 200, { data: { obtainToken }, echo: request });
    }
    if (state.hang) return waiting.resolve();
    const echo = { headers: request.headers, status: "COMPLETED", service_account_number: "A-1" };
    if (state.status !== 200)
      return reply(response, state.status, { ...echo, detail: JSON.stringify(request.headers) });
    if (request.method === "POST")
      return reply(response, 201, [
        { body: "hello", status: "NOTE_CREATION_SUCCESS", ...request.headers },
      ]);
    if (request.path.includes("-import-processes/")) return reply(response, 200, []);
    reply(response, 200, echo);
  };
  return { ...(await openService(handler, { ownTokens: true })), waiting: waiting.promise };
}

async function desk() {
  const state = { status: 200, hang: false };
  const service = await echoing(state);
  const folders = await openFolders({ ownCache: true });
  return { state, service, folders };
}

/** Files below the user's home that hold a secret. */
function filesWithSecrets(folders: Folders): string[] {
  return readdirSync(folders.home, { recursive: true, encoding: "utf8" }).filter((path) => {
    try {
      return readFileSync(join(folders.home, path)).includes("canary");
    } catch {
      return false;
    }
  });
}

function expectSilent({ stdout, stderr }: CliResult): void {
  expect(stdout + stderr).not.toBe("");
  expect(stdout + stderr).not.toMatch(/canary/);
}

const note = ["notes", "create", "ACME", "EXT-1", "--body", "hello", "--settle", "0s"];
const commands = [
  ["whoami"],
  ["doctor"],
  ["accounts", "status", "ACME", "EXT-1"],
  ["accounts", "list", "ACME"],
  ["supply-points", "status", "ACME", "SP-1"],
  note,
  ["activity", "list"],
  ["activity", "show", "1"],
  ["activity", "export"],
];

test.each([200, 400, 403, 404, 500])(
  "a service that repeats them in every %i: outputs, messages and files stay without them",
  async (status) => {
    const { state, service, folders } = await desk();
    state.status = status;
    const env = {
      SUPPLYLINE_BASE_URL: service.baseUrl,
      SUPPLYLINE_API_KEY: key,
      SUPPLYLINE_DEBUG: "1",
    };
    for (const words of commands)
      for (const more of [[], ["--json"]]) {
        const line = [...words, ...more, "--timeout", "20s"];
        expectSilent(await runCommand(line, { env, folders, clock: fastClock() }));
      }
    expect(existsSync(join(folders.state, "journal.sqlite"))).toBe(true);
    expect(filesWithSecrets(folders)).toEqual([]);
  },
);

test("a saved key and its token stand in the credentials alone, and logging out takes the bytes away", async () => {
  const { service, folders } = await desk();
  await runCommand(["profiles", "add", "p", "--base-url", service.baseUrl], { folders });
  expectSilent(
    await runCommand(["login", "--api-key-stdin", "--save-key"], { folders, input: key }),
  );
  expectSilent(await runCommand(note, { folders }));
  expect(filesWithSecrets(folders)).toEqual(["config/credentials.json"]);
  expectSilent(await runCommand(["logout"], { folders }));
  expect(filesWithSecrets(folders)).toEqual([]);
});

test.runIf(existsSync("/proc/self/environ"))(
  "a key from stdin or a helper stands neither on the command line nor in the environment of the process",
  async () => {
    const { state, service, folders } = await desk();
    const helper = join(folders.home, "helper.sh");
    writeFileSync(
      helper,
      `#!/bin/sh\nenv > ${folders.home}/helper-env\necho '{"ApiKey":"${key}"}'\n`,
      { mode: 0o700 },
    );
    const add = [
      "profiles",
      "add",
      "p",
      "--base-url",
      service.baseUrl,
      "--credential-helper",
      helper,
    ];
    await runCommand(add, { folders });
    state.hang = true;
    const cli = await startCli(["accounts", "status", "ACME", "EXT-1"], { folders });
    await service.waiting;
    for (const what of ["cmdline", "environ"])
      expect(readFileSync(`/proc/${cli.pid}/${what}`, "latin1")).not.toContain("canary");
    expect(readFileSync(join(folders.home, "helper-env"), "utf8")).not.toContain("canary");
  },
);

test("what the program starts does not inherit the secrets of its environment", async () => {
  const { service, folders } = await desk();
  const seen = join(folders.home, "editor-env");
  const editor = join(folders.home, "editor.sh");
  writeFileSync(editor, `#!/bin/sh\nenv > ${seen}\nprintf changed > "$1"\n`, { mode: 0o700 });
  const env = { SUPPLYLINE_BASE_URL: service.baseUrl, SUPPLYLINE_API_KEY: key, EDITOR: editor };
  const terminal = await spawnConsole(["open", "ACME", "EXT-1"], { env, folders });
  await terminal.waitFor("COMPLETED");
  await terminal.press("v").until("authorization");
  expect(terminal.text()).toContain("[hidden]");
  await terminal.press("esc").until("Observed");
  await terminal.press("n").until("Notes for");
  await terminal.send("half a note").until("half a note");
  await terminal.press("ctrl-o").until(/Note 1 +changed/);
  await terminal.press("esc").until("COMPLETED");
  terminal.press("q");
  await terminal.exit;
  expect(readFileSync(seen, "utf8")).toContain("EDITOR");
  expect(terminal.bytes()).not.toMatch(/canary/);
  expect(filesWithSecrets(folders)).toEqual([]);
});

test("a crash with its stack shown holds nothing that looks like a secret", async () => {
  const { service, folders } = await desk();
  const env = {
    SUPPLYLINE_BASE_URL: service.baseUrl,
    SUPPLYLINE_API_KEY: key,
    SUPPLYLINE_DEBUG: "1",
  };
  await runCommand(note, { env, folders });
  const fault = `Date.prototype.toISOString = () => { throw new Error("at sk_canary0f3a9b7c"); };`;
  const crashed = await runCli(["activity", "show", "1"], {
    env: { ...env, NODE_OPTIONS: `--import data:text/javascript;base64,${btoa(fault)}` },
    folders,
  });
  expect(crashed.code).toBe(1);
  expect(crashed.stderr).toContain("    at ");
  expectSilent(crashed);
  const { stdout: full } = await runProcess(
    [
      ...["/bin/sh", "-c", '"$@" >/dev/full 2>&1; "$@" 2>&1 >/dev/full || true', "sh"],
      ...[...programWords(), "accounts", "status", "ACME", "EXT-1"],
    ],
    { env: programEnvironment(folders, env) },
  );
  expect(full).toContain("cannot be written");
  expect(full).not.toMatch(/canary/);
});

test.each([
  ["a line break", `${token}\nX-Evil: 1`],
  ["a carriage return", `${token}\rX`],
  ["an escape", `${token}\u001b[31m`],
  ["a blank", `${token} x`],
  ["another alphabet", `${token}é`],
])("a token or key with %s is refused and not quoted", async (_what, bad) => {
  const { service, folders } = await desk();
  const helper = join(folders.home, "helper.sh");
  mkdirSync(folders.home, { recursive: true });
  writeFileSync(join(folders.home, "answer"), JSON.stringify({ Token: bad }));
  writeFileSync(helper, `#!/bin/sh\ncat ${folders.home}/answer\n`, { mode: 0o700 });
  const read = ["accounts", "status", "ACME", "EXT-1"];
  for (const given of [{ SUPPLYLINE_TOKEN: bad }, { SUPPLYLINE_API_KEY: bad }]) {
    const env = { SUPPLYLINE_BASE_URL: service.baseUrl, ...given };
    const ended = await runCommand(read, { env, folders });
    expect(ended.code).not.toBe(0);
    expectSilent(ended);
  }
  await runCommand(
    ["profiles", "add", "p", "--base-url", service.baseUrl, "--credential-helper", helper],
    { folders },
  );
  const helped = await runCommand(read, { folders });
  expect(helped.code).toBe(3);
  expectSilent(helped);
  expect(service.received).toEqual([]);
});
