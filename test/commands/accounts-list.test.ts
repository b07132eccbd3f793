import { existsSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { programWords } from "../helpers/built-program.ts";
import { runCommand } from "../helpers/command.ts";
import { cleanEnvironment } from "../helpers/folders.ts";
import { runProcess, startCli } from "../helpers/process.ts";
import { openSandbox, openService, reply, type TestSandbox } from "../helpers/service.ts";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ accounts: 300 });
});

const run = (...words: string[]) =>
  runCommand(["accounts", "list", ...words], { env: sandbox.env });

test("--json prints the array of list items with the wire's names", async () => {
  const { code, stdout, stderr } = await run("ACME", "--json");
  const rows = JSON.parse(stdout);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(rows).toHaveLength(300);
  expect(rows[0]).toEqual({
    external_account_number: "EXT-0000001",
    service_account_number: expect.stringMatching(/^A-/),
    account_created_at: expect.stringMatching(/^\d{4}-/),
  });
  expect(rows[1]).toMatchObject({ service_account_number: null, account_created_at: null });
});

test("the pending and imported lists together are the list of all accounts", async () => {
  const numbers = async (state: string) =>
    JSON.parse((await run("ACME", "--state", state, "--json")).stdout).map(
      (row: { external_account_number: string }) => row.external_account_number,
    );
  const [all, pending, imported] = [
    await numbers("all"),
    await numbers("pending"),
    await numbers("imported"),
  ];
  expect(pending).toContain("EXT-0000004");
  expect(imported).toContain("EXT-0000001");
  expect([...pending, ...imported].toSorted()).toEqual(all.toSorted());
});

test("--format jsonl prints an object a line", async () => {
  const lines = (await run("PAUSED", "--format", "jsonl")).stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(40);
  expect(JSON.parse(lines[0] ?? "").external_account_number).toBe("PAUSED-0000001");
});

test("--format csv prints a header and a row each", async () => {
  const lines = (await run("PAUSED", "--format", "csv", "--state", "pending")).stdout.split("\n");
  expect(lines[0]).toBe("external_account_number,service_account_number,account_created_at");
  expect(lines[1]).toBe("PAUSED-0000025,,");
  expect(lines).toHaveLength(16 + 2);
});

test("the table lines up and shows what is not there as a dash", async () => {
  const lines = (await run("PAUSED", "--limit", "25")).stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(26);
  const column = lines[0]?.indexOf("Service account number") ?? -1;
  expect(lines[1]?.slice(column)).toMatch(/^A-/);
  expect(lines[25]?.slice(column)).toMatch(/^- +-$/);
});

test("--filter speaks the language of the console", async () => {
  const rows = JSON.parse((await run("ACME", "--filter", "ext:ext-000001 !14", "--json")).stdout);
  expect(rows.length).toBeGreaterThan(0);
  for (const { external_account_number: number } of rows) {
    expect(number).toMatch(/EXT-000001/);
    expect(number).not.toContain("14");
  }
});

test("a filter that nothing matches gives an empty array", async () => {
  expect(await run("ACME", "--filter", "nothing-like-it", "--json")).toMatchObject({
    code: 0,
    stdout: "[]\n",
  });
});

test("options can precede the command", async () => {
  const words = ["--json", "accounts", "list", "ACME", "--limit", "2"];
  const { stdout } = await runCommand(words, { env: sandbox.env });
  expect(JSON.parse(stdout)).toHaveLength(2);
});

test("--limit ends an endless transfer", async () => {
  const endless = await openService((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write("[");
    for (let n = 1; n <= 500; n++) {
      response.write(`{"external_account_number":"E-${n}","service_account_number":null},`);
    }
  });
  const { code, stdout } = await runCommand(
    ["accounts", "list", "ACME", "--limit", "3", "--json"],
    {
      env: endless.env,
    },
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toHaveLength(3);
});

test("an empty list differs from an unknown supplier", async () => {
  const none = await openService((_request, response) => reply(response, 200, []));
  expect(await runCommand(["accounts", "list", "ACME"], { env: none.env })).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringContaining("no account"),
  });
  const { code, stdout, stderr } = await run("NOPE", "--json");
  expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
  expect(JSON.parse(stderr)).toMatchObject({ error: { kind: "not-found", http_status: 404 } });
});

test("a list that is cut off leaves the rows that came, and ends with 6", async () => {
  const cut = await openService((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end('[{"external_account_number":"E-1"},{"external_account_number":"E-2"},{"exter');
  });
  const { code, stdout, stderr } = await runCommand(["accounts", "list", "ACME", "--json"], {
    env: cut.env,
  });
  expect(code).toBe(6);
  expect(stdout.match(/"E-\d"/g)).toEqual(['"E-1"', '"E-2"']);
  expect(() => JSON.parse(stdout)).toThrow(SyntaxError);
  expect(JSON.parse(stderr)).toMatchObject({ error: { kind: "unreadable" } });
});

test("skipped elements without an account number are reported", async () => {
  const odd = await openService((_request, response) =>
    reply(response, 200, [{ external_account_number: "E-1" }, { name: "?" }, 7]),
  );
  const { code, stdout, stderr } = await runCommand(["accounts", "list", "ACME"], { env: odd.env });
  expect(code).toBe(6);
  expect(stdout).toContain("E-1");
  expect(stdout).toMatch(/\nincomplete\n$/);
  expect(stderr).toContain("Skipped 2 elements of the list without a readable account number");
  const asJson = await runCommand(["accounts", "list", "ACME", "--json"], { env: odd.env });
  expect(asJson.code).toBe(6);
  expect(() => JSON.parse(asJson.stdout)).toThrow(SyntaxError);
  for (const format of ["csv", "jsonl"]) {
    const { code, stdout } = await runCommand(
      ["accounts", "list", "ACME", "--format", format],
      odd,
    );
    expect({ code, last: stdout.trimEnd().split("\n").at(-1) }).toMatchObject({
      code: 6,
      last: expect.stringContaining("E-1"),
    });
  }
});

test("a list cut at any byte is never a JSON document, and its table says that it is incomplete", async () => {
  const list = JSON.stringify([
    { external_account_number: "E-1", service_account_number: "A-1" },
    { external_account_number: "E-2", service_account_number: null },
  ]);
  let length = 0;
  const service = await openService((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(list.slice(0, length));
  });
  for (length = 1; length < list.length; length += 7) {
    const { code, stdout } = await runCommand(["accounts", "list", "ACME", "--json"], service);
    expect({ length, code }).toEqual({ length, code: 6 });
    expect(() => JSON.parse(stdout)).toThrow(SyntaxError);
  }
  length = list.length - 1;
  const { stdout } = await runCommand(["accounts", "list", "ACME"], service);
  expect(stdout).toMatch(/E-1.*\nE-2.*\nincomplete\n$/s);
});

test("a compressed list cut at any byte is never a JSON document", async () => {
  const list = gzipSync(JSON.stringify([{ external_account_number: "E-1" }]));
  let length = 0;
  const service = await openService((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    response.end(list.subarray(0, length));
  });
  for (; length < list.length; length += 6) {
    const { code, stdout, stderr } = await runCommand(
      ["accounts", "list", "ACME", "--json"],
      service,
    );
    expect({ length, code }).toEqual({ length, code: 6 });
    expect(stderr).toContain("was cut short");
    expect(() => JSON.parse(stdout)).toThrow(SyntaxError);
  }
  length = list.length;
  const { stdout } = await runCommand(["accounts", "list", "ACME", "--json"], service);
  expect(JSON.parse(stdout)).toHaveLength(1);
});

test("a list that is limited on purpose is a JSON document", async () => {
  const { stdout } = await run("ACME", "--limit", "2", "--json");
  expect(JSON.parse(stdout)).toHaveLength(2);
});

test("a format that a command does not print is refused with those that it does: 2", async () => {
  const refused = await runCommand(["schema", "notes", "--format", "csv"]);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("Allowed: table, json, jsonl.");
  expect((await run("ACME", "--format", "xml")).stderr).toContain(
    "Allowed: table, json, jsonl, csv, tsv, md.",
  );
});

describe("of a long list", () => {
  /** As many rows as the reader takes, at the speed it takes them, and how far it got. */
  async function longList(rows: number) {
    const { promise: ended, resolve: end } = Promise.withResolvers<number>();
    const service = await openService((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      let n = 0;
      const more = () => {
        let room = true;
        while (room && n < rows) {
          const row = { external_account_number: `E-${n}`, service_account_number: null };
          room = response.write((n === 0 ? "[" : ",") + JSON.stringify(row));
          n += 1;
        }
        if (n === rows) response.end("]");
      };
      response.on("drain", more);
      response.on("close", () => end(n));
      more();
    });
    return { service, ended };
  }

  test.each(["csv", "jsonl", "json"])("every row is printed as %s", async (format) => {
    const { service } = await longList(20_000);
    await using _ = service;
    const { code, stdout } = await runCommand(["accounts", "list", "ACME", "--format", format], {
      env: service.env,
    });
    expect(code).toBe(0);
    expect(stdout.match(/E-\d+/g)?.length).toBe(20_000);
    if (format === "json") expect(JSON.parse(stdout)).toHaveLength(20_000);
  });

  test.each(["csv", "jsonl", "json", "table"])(
    "closing the output pipe of %s ends the transfer",
    async (format) => {
      const { service, ended } = await longList(Number.POSITIVE_INFINITY);
      await using _ = service;
      const cli = await startCli(["accounts", "list", "ACME", "--format", format], {
        env: service.env,
      });
      await cli.stdout.waitForText("E-0");
      cli.closeReader("stdout");
      expect(await cli.result).toMatchObject({ code: 0, signal: null, stderr: "" });
      expect(await ended).toBeGreaterThan(0);
    },
  );

  test.each(["--limit 10", "--limit 10 --filter 7", "--limit 10 --state pending"])(
    "%s ends the transfer at the requested number of rows",
    async (options) => {
      const words = options.split(" ");
      const { service, ended } = await longList(Number.POSITIVE_INFINITY);
      await using _ = service;
      const { code, stdout } = await runCommand(["accounts", "list", "ACME", "--json", ...words], {
        env: service.env,
      });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toHaveLength(10);
      await ended;
    },
  );

  test("what matches is printed while the rest still comes", async () => {
    const slow = await openService((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const rows = Array.from({ length: 300 }, (_, at) => `{"external_account_number":"E-${at}"},`);
      response.write(`[${rows.join("")}`);
    });
    const cli = await startCli(
      ["accounts", "list", "ACME", "--format", "csv", "--filter", "ext:E-299"],
      { env: slow.env },
    );
    await cli.stdout.waitForText("E-299");
    cli.kill("SIGINT");
    expect((await cli.result).code).toBe(130);
  });
});

test("Ctrl-C ends it with 130, and what was printed cannot pass for the whole list", async () => {
  const slow = await openService((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(`[{"external_account_number":"E-1"},${" ".repeat(70_000)}`);
  });
  const { code, stdout } = await runCommand(["accounts", "list", "ACME", "--json"], {
    env: slow.env,
    signalAfter: { pattern: "E-1" },
  });
  expect(code).toBe(130);
  expect(stdout).toContain("E-1");
  expect(() => JSON.parse(stdout)).toThrow(SyntaxError);
});

test("what the service says cannot steer the terminal", async () => {
  const hostile = await openService((_request, response) =>
    reply(response, 200, [{ external_account_number: "E\u001b]0;x\u0007\u009b31m\u202e" }]),
  );
  for (const format of ["table", "csv", "json", "jsonl"]) {
    const { stdout } = await runCommand(["accounts", "list", "ACME", "--format", format], {
      env: hostile.env,
    });
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    if (format === "json")
      expect(JSON.parse(stdout)[0].external_account_number).toBe(
        "E\u001b]0;x\u0007\u009b31m\u202e",
      );
  }
});

test.runIf(existsSync("/dev/full"))("a full disk is reported in plain words: 1", async () => {
  const { code, stderr } = await runProcess(
    ["/bin/sh", "-c", 'exec "$0" "$@" > /dev/full', ...programWords(), "accounts", "list", "ACME"],
    { env: cleanEnvironment("/nowhere", sandbox.env) },
  );
  expect(code).toBe(1);
  expect(stderr).toMatch(/results cannot be written: .*no space left.*missing/);
});

test.runIf(existsSync("/dev/full"))("a usage error stays one on a full disk: 2", async () => {
  const { code, stderr } = await runProcess(
    ["/bin/sh", "-c", 'exec "$0" "$@" > /dev/full', ...programWords(), "accounts", "list"],
    { env: cleanEnvironment("/nowhere", sandbox.env) },
  );
  expect(code).toBe(2);
  expect(stderr).not.toContain("results cannot be written");
});

test("a list of which no element can be read is not called empty: 6", async () => {
  const service = await openService((_request, response) => reply(response, 200, [1, 2]));
  const { code, stdout, stderr } = await runCommand(
    ["accounts", "list", "ACME", "--json"],
    service,
  );
  expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
  expect(JSON.parse(stderr).error).toMatchObject({ kind: "unreadable" });
});

test.each([
  [
    "its object",
    { next: "http://127.0.0.1/?page=2", results: [{ external_account_number: "EXT-1" }] },
    {},
  ],
  ["its headers", [{ external_account_number: "EXT-1" }], { "x-total-count": "2" }],
])(
  "one page of a list, by %s, leaves its rows and ends as unreadable: 6",
  async (_, body, headers) => {
    const service = await openService((_request, response) => reply(response, 200, body, headers));
    const { code, stdout, stderr } = await runCommand(
      ["accounts", "list", "ACME", "--json"],
      service,
    );
    expect(code).toBe(6);
    expect(stdout).toContain("EXT-1");
    expect(() => JSON.parse(stdout)).toThrow(SyntaxError);
    expect(JSON.parse(stderr).error.message).toContain("only part of the list");
  },
);
