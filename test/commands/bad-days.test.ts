import type { ServerResponse } from "node:http";
import { hurriedClock } from "../helpers/clock.ts";
import { runCommand, startCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";
import {
  closedPort,
  openSandbox,
  openService,
  openSocketService,
  reply,
} from "../helpers/service.ts";

interface BadDay {
  readonly name: string;
  readonly answer: (response: ServerResponse) => void;
  readonly code: number;
  readonly kind: string;
  readonly words: RegExp;
}

const html = "<html><body><h1>It works!</h1></body></html>";

const badDays: readonly BadDay[] = [
  {
    name: "an HTML page",
    answer: (response) => response.writeHead(200, { "content-type": "text/html" }).end(html),
    code: 6,
    kind: "unreadable",
    words: /unreadable/,
  },
  {
    name: "an answer cut short",
    answer: (response) => {
      response.writeHead(200, { "content-length": "500" });
      response.write('{"status":"COMPL');
      setImmediate(() => response.destroy());
    },
    code: 6,
    kind: "unreadable",
    words: /unreadable/,
  },
  {
    name: "another shape",
    answer: (response) => reply(response, 200, 7),
    code: 6,
    kind: "unreadable",
    words: /unreadable/,
  },
  {
    name: "401",
    answer: (response) => reply(response, 401, { detail: "Who are you?" }),
    code: 3,
    kind: "unauthorized",
    words: /did not accept the token.*Who are you\?.*SUPPLYLINE_API_KEY/,
  },
  {
    name: "403",
    answer: (response) => reply(response, 403, { detail: "Not yours." }),
    code: 3,
    kind: "forbidden",
    words: /not allowed.*Not yours\./,
  },
  {
    name: "400",
    answer: (response) =>
      reply(response, 400, {
        detail: "Bad.",
        code: "account_failed_validation",
        errors: [{ attr: "a.0.b", code: "odd", detail: "Odd." }],
      }),
    code: 4,
    kind: "rejected",
    words: /rejected.*account_failed_validation.*Odd\./,
  },
  {
    name: "500 every time",
    answer: (response) => reply(response, 500, {}),
    code: 6,
    kind: "unavailable",
    words: /could not answer/,
  },
  {
    name: "a redirect",
    answer: (response) => response.writeHead(302, { location: "http://127.0.0.1:9/x" }).end(),
    code: 6,
    kind: "redirect",
    words: /redirect.*never followed/,
  },
];

describe.each(badDays)("$name", ({ answer, code, kind, words }) => {
  test.each([
    ["accounts status", ["accounts", "status", "ACME", "EXT-1"]],
    ["accounts list", ["accounts", "list", "ACME"]],
    ["supply-points status", ["supply-points", "status", "ACME", "SP-1"]],
  ])("for %s ends with a sentence and the right code", async (_name, command) => {
    const service = await openService((_request, response) => answer(response));
    const clock = hurriedClock();
    const ended = await runCommand([...command, "--json"], { env: service.env, clock });
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: "" });
    const { error } = JSON.parse(ended.stderr);
    expect(error.kind).toBe(kind);
    expect(error.message).toMatch(words);
  });
});

test("without --json it is one line for people", async () => {
  const service = await openService((_request, response) =>
    reply(response, 403, { detail: "Not\n\u001b[31myours." }),
  );
  const { stderr } = await runCommand(["accounts", "list", "ACME"], { env: service.env });
  expect(stderr).toMatch(
    /^supplyline: Listing the accounts of ACME: [^\n]+Not ␛\[31myours\.[^\n]+\n$/,
  );
});

test("a refused connection ends with 6 and names the address", async () => {
  const closed = await closedPort();
  const env = { SUPPLYLINE_BASE_URL: `http://127.0.0.1:${closed}`, SUPPLYLINE_TOKEN: "t-1" };
  const clock = hurriedClock();
  const { code, stderr } = await runCommand(["accounts", "status", "ACME", "E"], { env, clock });
  expect(code).toBe(6);
  expect(stderr).toMatch(new RegExp(`127\\.0\\.0\\.1:${closed} could not be reached.*doctor`));
});

test("a server that does not speak HTTP ends with 6 and is named", async () => {
  const mail = await openSocketService((socket) => socket.end("220 mail ready\r\n"), {
    speaksFirst: true,
  });
  const { code, stderr } = await runCommand(["accounts", "status", "ACME", "EXT-1"], {
    env: { SUPPLYLINE_BASE_URL: mail.baseUrl, SUPPLYLINE_TOKEN: "t-1" },
    clock: hurriedClock(),
  });
  expect({ code, stderr }).toEqual({
    code: 6,
    stderr: expect.stringContaining("The server there does not speak HTTP"),
  });
});

test("a wrong key ends with 3 and is not shown", async () => {
  const sandbox = await openSandbox();
  const env = { ...sandbox.env, SUPPLYLINE_API_KEY: "wrong-key-4711" };
  const { code, stderr } = await runCommand(["accounts", "status", "ACME", "E", "--json"], { env });
  expect(code).toBe(3);
  expect(JSON.parse(stderr).error.kind).toBe("credentials");
  expect(stderr).not.toContain("4711");
});

test("no key at all ends with 3 and says how to give one", async () => {
  const env = { SUPPLYLINE_BASE_URL: "http://127.0.0.1:9" };
  const { code, stderr } = await runCommand(["accounts", "status", "ACME", "E"], { env });
  expect(code).toBe(3);
  expect(stderr).toMatch(/SUPPLYLINE_API_KEY.*SUPPLYLINE_TOKEN/);
});

test("a service that never answers is given up after --timeout", async () => {
  const silent = await openService(() => {});
  const { code, stderr } = await runCommand(
    ["accounts", "status", "ACME", "E", "--timeout", "300ms", "--json"],
    { env: silent.env },
  );
  expect(code).toBe(6);
  expect(JSON.parse(stderr).error.kind).toBe("timeout");
});

test("Ctrl-C while waiting for an answer ends with 130", async () => {
  const asked = Promise.withResolvers<void>();
  const silent = await openService(() => asked.resolve());
  const cli = await startCommand(["accounts", "status", "ACME", "E"], { env: silent.env });
  await asked.promise;
  cli.kill("SIGINT");
  expect(await cli.result).toMatchObject({ code: 130, stdout: "", stderr: "" });
});

test("a credential helper that hangs is named, and the service is not blamed", async () => {
  const folders = await openFolders();
  const add = `profiles add here --base-url http://127.0.0.1:9 --credential-helper`.split(" ");
  await runCommand([...add, "/bin/sleep 60"], { folders });
  const { code, stderr } = await runCommand(
    ["accounts", "status", "ACME", "EXT-1", "--timeout", "300ms"],
    { folders },
  );
  expect(code).toBe(6);
  expect(stderr).toContain("The credential helper /bin/sleep did not respond in time");
  expect(stderr).not.toMatch(/did not answer in time|--timeout/);
});
