import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fakeClock } from "../helpers/clock.ts";
import { charge, errorOf, instruction, note } from "../helpers/desk.ts";
import { eventually } from "../helpers/eventually.ts";
import { world } from "../helpers/world.ts";

/** No service and no credentials. */
const nowhere = { SUPPLYLINE_BASE_URL: "", SUPPLYLINE_API_KEY: "", SUPPLYLINE_TOKEN: "" };

test("an empty journal lists nothing", async () => {
  const { run } = await world({ service: { writes: [] } });
  const table = await run(["activity", "list"], { env: nowhere });
  expect({ code: table.code, stdout: table.stdout }).toEqual({ code: 0, stdout: "" });
  const json = await run(["activity", "list", "--json"], { env: nowhere });
  expect(json.stdout).toBe("[]\n");
});

test("the list holds every write, newest first, in the shape that scripts rely on", async () => {
  const { run } = await world();
  await run(note("--body", "a"));
  await run(["notes", "create", "ACME", "EXT-0000004", "--body", "b"]);
  const { stdout } = await run(["activity", "list", "--json"], { env: nowhere });
  const plain = {
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    profile: "ad-hoc",
    operation: "notes create",
    import_supplier: "ACME",
    attempts: 1,
    run: null,
  };
  expect(JSON.parse(stdout)).toEqual([
    {
      ...plain,
      journal_id: 2,
      external_account_number: "EXT-0000004",
      outcome: "rejected",
      http_status: 404,
      code: "not_found",
    },
    {
      ...plain,
      journal_id: 1,
      external_account_number: "EXT-0000001",
      outcome: "confirmed",
      http_status: 201,
      code: null,
    },
  ]);
});

test("options narrow the list down", async () => {
  const { run, json } = await world();
  await run(note("--body", "a"));
  await run(["notes", "create", "ACME", "EXT-0000004", "--body", "b"]);
  await run(instruction("DOWNPAY"));
  await run(["notes", "create", "PAUSED", "PAUSED-0000001", "--body", "c"]);
  for (const [words, expected] of [
    ["--outcome confirmed", [4, 1]],
    ["--outcome rejected --outcome confirmed", [4, 2, 1]],
    ["--account EXT-0000004", [2]],
    ["--supplier PAUSED", [4]],
    ["--limit 1", [4]],
    ["--of-profile ad-hoc --limit 2", [4, 3]],
    ["--of-profile other", []],
    ["--run 7", []],
    ["--supply-point SP-1", []],
  ] as const) {
    const listed = await json(`activity list ${words}`, { env: nowhere });
    expect(
      listed.map(({ journal_id }: { journal_id: number }) => journal_id),
      words,
    ).toEqual(expected);
  }
});

test("the list and the export of a span of time", async () => {
  const { run } = await world();
  await run(note("--body", "a"));
  for (const [words, expected] of [
    [["--since", "1h"], 1],
    [["--since", "yesterday", "--until", "tomorrow"], 1],
    [["--until", "1h"], 0],
    [["--until", "yesterday"], 0],
    [["--since", "2999-01-01"], 0],
  ] as const) {
    for (const verb of ["list", "export"]) {
      const { stdout } = await run(["activity", verb, "--json", ...words], { env: nowhere });
      expect(JSON.parse(stdout), `${verb} ${words.join(" ")}`).toHaveLength(expected);
    }
  }
});

test.each<[string[], RegExp]>([
  [["--since", "last week"], /--since "last week" is no time.*yesterday, 2026-11-20/],
  [["--until", "2026-02-30"], /--until "2026-02-30" is no time.*no such day/],
  [["--since", "today", "--until", "yesterday"], /--since "today" is after --until "yesterday"/],
])("an impossible time range ends with 2: %j", async (words, expected) => {
  const { run } = await world({ service: { writes: [] } });
  const { code, stdout, stderr } = await run(["activity", "list", ...words], { env: nowhere });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(expected);
});

test("show adds the body, the attempts and their responses", async () => {
  const { run } = await world();
  await run(instruction("FLAKYPAY"));
  const { code, stdout } = await run(["activity", "show", "1", "--json"], { env: nowhere });
  expect(code).toBe(0);
  const shown = JSON.parse(stdout);
  expect(shown).toMatchObject({
    journal_id: 1,
    operation: "payment-instructions create",
    outcome: "confirmed",
    path: "/v1/data-import/payment-instruction/create/",
    body: { external_account_number: "EXT-0000001", vendor: "FLAKYPAY", type: "CARD" },
  });
  expect(shown.attempts).toHaveLength(3);
  expect(shown.attempts[0]).toEqual({
    n: 1,
    started_at: expect.any(String),
    headers_sent_at: expect.any(String),
    ended_at: expect.any(String),
    outcome: "500",
    http_status: 500,
    code: "error",
    response: expect.stringContaining("vendor"),
    detail: null,
  });
  const people = await run(["activity", "show", "1"], { env: nowhere });
  expect(people.stdout).toMatch(/^Outcome +confirmed$/m);
  expect(people.stdout).toMatch(/^ {4}"vendor": "FLAKYPAY",$/m);
  expect(people.stdout).toContain("Response to attempt 3");
});

test("amounts are shown as they were sent", async () => {
  const { run, file } = await world();
  await file("t.json", JSON.stringify([charge("T-1")]).replace("12.5", "12.50"));
  await run(["transactions", "create", "ACME", "EXT-0000001", "--from", "t.json"]);
  const { stdout } = await run(["activity", "show", "1", "--json"], { env: nowhere });
  expect(stdout).toContain('"amount": 12.50,');
});

test("a missing journal entry ends with 5", async () => {
  const { run } = await world({ service: { writes: [] } });
  for (const words of [
    ["show", "9"],
    ["close", "9", "--reason", "x"],
  ]) {
    const result = await run(["activity", ...words, "--json"], { env: nowhere });
    expect(result.code).toBe(5);
    expect(errorOf(result)).toMatchObject({ kind: "not-found", journal_id: 9 });
  }
});

/** A desk with a note that took effect and whose answer did not come in time. */
async function unansweredDesk() {
  const desk = await world({ service: { faults: ["hang-after@notesx1"] } });
  const clock = fakeClock(Date.now());
  await using command = await desk.start(note("--body", "b", "--settle", "10m"), clock);
  await eventually(() => expect(desk.service.ledger()).toHaveLength(1));
  await clock.advance(30_000);
  return { ...desk, first: await command.result };
}

test("verify resends what the service deduplicates, and reports the outcome", async () => {
  const { run, json, service, first } = await unansweredDesk();
  expect(first.code).toBe(7);
  const { code, stdout, stderr } = await run(["activity", "verify", "1", "--settle", "0s"]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/Sending entry 1 again: the service adds what is missing/);
  expect(stdout).toMatch(/already exists/);
  expect(service.ledger()).toHaveLength(1);
  expect(await json(["activity", "show", "1"])).toMatchObject({
    outcome: "confirmed",
    attempts: [{ n: 1 }, { n: 2 }],
    remarks: [{ kind: "verified", text: "checked-resend" }],
  });
});

test("verify is gated like any write, and goes to the service of its entry alone: 2", async () => {
  const { run, service } = await unansweredDesk();
  expect((await run(["activity", "verify", "1", "--read-only"])).code).toBe(2);
  const production = { SUPPLYLINE_ENVIRONMENT: "production" };
  expect((await run(["activity", "verify", "1"], { env: production })).code).toBe(2);
  const env = { SUPPLYLINE_BASE_URL: "http://127.0.0.1:9" };
  const { code, stderr } = await run(["activity", "verify", "1"], { env });
  expect(code).toBe(2);
  expect(stderr).toMatch(/It was for http:\/\/127\.0\.0\.1:\d+; use the profile of that service/);
  expect(service.ledger()).toHaveLength(1);
});

test("resend needs no confirmation if the entry cannot take effect twice", async () => {
  const { run, service } = await world({ service: { faults: ["403@notesx1"] } });
  expect((await run(note("--body", "b"))).code).toBe(3);
  const { code, stdout, stderr } = await run(["activity", "resend", "1"]);
  expect(code).toBe(0);
  expect(stderr).toContain("it cannot take effect twice");
  expect(stdout).toContain("journal entry 1");
  expect(service.ledger()).toHaveLength(1);
});

test("resend --dry-run prints the very request, sends nothing and records nothing", async () => {
  const { run, json, file, service } = await world({ service: { faults: ["403@transactionsx1"] } });
  const name = await file("t.json", [charge("T-1")]);
  const options = ["--from", name, "--no-check-previously-added"];
  await run(["transactions", "create", "ACME", "EXT-0000001", ...options]);
  const before = await json(["activity", "show", "1"]);
  expect(before).toMatchObject({ outcome: "rejected", attempts: [{ n: 1 }] });
  const { code, stdout, stderr } = await run(["activity", "resend", "1", "--dry-run"]);
  expect(code).toBe(0);
  expect(stdout).toContain(
    `POST ${service.baseUrl}/v1/data-import/transactions/create/?check_previously_added=false\n`,
  );
  expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toEqual(before.body);
  expect(stderr).toContain("nothing was sent and nothing recorded");
  expect(await json(["activity", "show", "1"])).toEqual(before);
  expect(service.ledger()).toEqual([]);
});

test("verify --dry-run prints what would be looked at or sent, and does neither", async () => {
  const { run, json, service } = await world({ service: { faults: ["reset-after@notesx9"] } });
  expect((await run(note("--body", "b", "--settle", "0s"))).code).toBe(7);
  const before = await json(["activity", "show", "1"]);
  const { code, stdout, stderr } = await run(["activity", "verify", "1", "--dry-run"]);
  expect(code).toBe(0);
  expect(stdout).toContain(`POST ${service.baseUrl}/v1/data-import/notes/create/\n`);
  expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toEqual(before.body);
  expect(stderr).toContain("nothing was sent and nothing recorded");
  expect(await json(["activity", "show", "1"])).toEqual(before);
  expect(await json(["activity", "verify", "1", "--dry-run"])).toEqual({
    method: "POST",
    url: `${service.baseUrl}/v1/data-import/notes/create/`,
    body: before.body,
  });
});

test("resend takes a reason if the entry might take effect twice, and stores it", async () => {
  const { run, json, service } = await world();
  await run(instruction("DOWNPAY"));
  const first = await run(["activity", "resend", "1", "--settle", "0s"]);
  expect(first.code).toBe(2);
  expect(first.stderr).toMatch(
    /might have taken effect.*would not recognize a second payment instruction.*--again --reason TEXT/,
  );
  expect(await json(["activity", "list"])).toMatchObject([{ attempts: 3 }]);
  const reason = ["--again", "--reason", "not at the vendor"];
  const second = await run(["activity", "resend", "1", "--settle", "0s", "--yes", ...reason]);
  expect(second.code).toBe(7);
  expect((await json(["activity", "show", "1"])).remarks).toMatchObject([
    { kind: "again", text: "not at the vendor" },
  ]);
  expect(await json(["activity", "list"])).toMatchObject([{ attempts: 6, outcome: "retryable" }]);
  expect(service.ledger()).toEqual([]);
});

test("a confirmed write is neither verified nor sent again: 2", async () => {
  const { run, service } = await world();
  await run(note("--body", "b"));
  const verified = await run(["activity", "verify", "1"]);
  expect(verified.code).toBe(2);
  expect(verified.stderr).toMatch(/Entry 1 is confirmed; only an unknown outcome is verified/);
  const { code, stderr } = await run(["activity", "resend", "1", "--yes"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/Entry 1 is confirmed; it is not sent again/);
  expect(service.ledger()).toHaveLength(1);
});

test("close settles an unknown outcome with a reason that is kept", async () => {
  const { run, json } = await world({ service: { writes: ["reset"] } });
  await run(note("--document", "a.pdf", "--settle", "0s"));
  const without = await run(["activity", "close", "1"]);
  expect(without.code).toBe(2);
  expect((await run(["activity", "close", "1", "--reason", " "])).code).toBe(2);
  const closed = await run(["activity", "close", "1", "--reason", "seen", "--json"], {
    env: nowhere,
  });
  expect(closed).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(closed.stdout)).toEqual({
    journal_id: 1,
    outcome: "closed",
    took_effect: "unknown",
    reason: "seen",
  });
  expect(await json(["activity", "list"])).toMatchObject([
    { outcome: "closed", took_effect: "unknown", closing_reason: "seen" },
  ]);
  expect(await json(["activity", "show", "1"])).toMatchObject({
    outcome: "closed",
    remarks: [{ kind: "closed", text: "seen" }],
  });
  const again = await run(["activity", "close", "1", "--reason", "seen"]);
  expect(again.code).toBe(2);
  expect(again.stderr).toMatch(/only an unknown, rejected, retryable or unsent one is closed/);
});

test("export writes JSON lines, CSV or one array", async () => {
  const { run } = await world();
  await run(note("--body", "a"));
  await run(note("--body", "b"));
  const lines = await run(["activity", "export"], { env: nowhere });
  expect(
    lines.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).journal_id),
  ).toEqual([2, 1]);
  const csv = await run(["activity", "export", "--format", "csv", "--limit", "1"], {
    env: nowhere,
  });
  expect(csv.stdout).toMatch(
    /^journal_id,created_at,profile,operation,import_supplier,external_account_number,external_identifier,outcome,http_status,code,attempts,run,took_effect,closing_reason\n2,[^,]+,ad-hoc,notes create,ACME,EXT-0000001,,confirmed,201,,1,,,\n$/,
  );
  const array = await run(["activity", "export", "--json"], { env: nowhere });
  const list = await run(["activity", "list", "--json"], { env: nowhere });
  expect(JSON.parse(array.stdout)).toEqual(JSON.parse(list.stdout));
});

test("export to a file makes a new one for the user alone", async () => {
  const { run, folders } = await world();
  await run(note("--body", "a"));
  const words = ["activity", "export", "--output", "out.jsonl"];
  const { code, stdout, stderr } = await run(words, { env: nowhere });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toContain("1 entry in out.jsonl");
  const path = join(folders.home, "out.jsonl");
  expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ journal_id: 1 });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const second = await run(words, { env: nowhere });
  expect(second.code).toBe(2);
  expect(second.stderr).toMatch(/already exists, and nothing is overwritten/);
});

test.each<[string[], RegExp]>([
  [["list", "--outcome", "unkown"], /Did you mean unknown\?/],
  [["show", "x"], /'x'.*whole number/],
  [["show", "0"], /'0'.*from 1 up/],
  [["verify"], /Missing required argument 'id'/],
])("activity %j ends with 2", async (words, expected) => {
  const { run } = await world({ service: { writes: [] } });
  const { code, stderr } = await run(["activity", ...words], { env: nowhere });
  expect(stderr).toMatch(expected);
  expect(code).toBe(2);
});

test("a purge takes the bodies of settled writes out of the file, and leaves their outcomes", async () => {
  const { run, json, folders } = await world({
    service: {
      writes: [
        { status: 201, body: [{ body: "Mrs Smith", status: "NOTE_CREATION_SUCCESS" }] },
        "reset",
      ],
    },
  });
  await run(note("--body", "Mrs Smith"));
  await run(instruction("R-1"));
  const held = async () => {
    const files = await Promise.all(
      ["journal.sqlite", "journal.sqlite-wal"].map((name) =>
        readFile(join(folders.state, name), "latin1").catch(() => ""),
      ),
    );
    return files.some((text) => text.includes("Mrs Smith"));
  };
  const purging = ["activity", "purge", "--older-than"];

  expect(await json([...purging, "1d", "--dry-run"])).toMatchObject({ purged: false, writes: 0 });
  const dry = await run([...purging, "0s", "--dry-run"], { env: nowhere });
  expect(dry.stdout).toBe(
    "Would remove the bodies and responses of 1 settled entry.\n1 entry as old keeps its body: the outcome is open, or it can still be sent.\n",
  );
  const unasked = await run([...purging, "0s"], { env: nowhere });
  expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
  expect(await held()).toBe(true);

  const done = await run([...purging, "0s", "--yes", "--json"], { env: nowhere });
  expect(JSON.parse(done.stdout)).toEqual({
    purged: true,
    writes: 1,
    kept: 1,
  });
  expect(await held()).toBe(false);
  expect(await json(["activity", "show", "1"])).toMatchObject({
    outcome: "confirmed",
    external_account_number: "EXT-0000001",
    body: null,
    http_status: 201,
  });
  expect((await json(["activity", "show", "2"])).body).not.toBeNull();
  expect((await run(["activity", "resend", "1", "--yes"])).code).toBe(2);
  const none = await run([...purging, "0s"], { env: nowhere });
  expect(none).toMatchObject({ code: 0, stdout: expect.stringContaining("0 settled entries") });
});

test.each(["", "soon", "-1d"])("a purge of what is older than %j is refused: 2", async (age) => {
  const { run } = await world({ service: { writes: [] } });
  expect((await run(["activity", "purge", `--older-than=${age}`, "--yes"])).code).toBe(2);
});

describe("a row of the journal that is damaged", () => {
  /** A desk with one confirmed note and one unknown payment instruction, the latter damaged by `sql`. */
  async function damagedDesk(sql: string) {
    const created = { status: 201, body: [{ body: "one", status: "NOTE_CREATION_SUCCESS" }] };
    const desk = await world({ service: { writes: [created, "reset"] } });
    await desk.run(note("--body", "one"));
    await desk.run(instruction("R-1"));
    const database = new DatabaseSync(join(desk.folders.state, "journal.sqlite"));
    database.exec(`UPDATE intent SET ${sql} WHERE id = 2`);
    database.close();
    return desk;
  }

  test.each<[what: string, sql: string]>([
    ["query", "query = '{ half'"],
    ["query", "query = '[1]'"],
    ["looked_up", "looked_up = 'x'"],
    ["operation", "operation = 'notes shred'"],
    ["created_at", "created_at = 9000000000000000"],
    ["body", "body = x'00ff'"],
    ["body", "body = CAST('{}' AS BLOB)"],
  ])("is shown with what is damaged (%s: %s), and nothing is done with it", async (what, sql) => {
    const { run, json } = await damagedDesk(sql);
    const shown = await run(["activity", "show", "2"], { env: nowhere });
    expect({ code: shown.code, stderr: shown.stderr }).toEqual({ code: 0, stderr: "" });
    expect(shown.stdout).toMatch(
      new RegExp(`^Damaged +${what}: changed since it was written to the journal$`, "m"),
    );
    expect(shown.stdout).toContain("EXT-0000001");
    expect(await json(["activity", "show", "2"])).toMatchObject({ damaged: [what] });
    expect(await json(["activity", "show", "1"])).not.toHaveProperty("damaged");
    for (const act of ["resend", "verify"]) {
      const refused = await run(["activity", act, "2", "--yes"]);
      if (what === "created_at" && act === "resend") continue;
      expect(refused.code, `${act}: ${refused.stderr}`).not.toBe(1);
      expect(refused.code).not.toBe(0);
    }
    expect(await json(["activity", "list"])).toHaveLength(2);
    expect((await run(["activity", "export"])).code).toBe(0);
  });

  test("can still be closed by an operator who knows the outcome", async () => {
    const { run, json } = await damagedDesk("query = '{ half'");
    expect((await run(["activity", "close", "2", "--reason", "seen at the vendor"])).code).toBe(0);
    expect(await json(["activity", "show", "2"])).toMatchObject({
      outcome: "closed",
      damaged: ["query"],
    });
  });
});
