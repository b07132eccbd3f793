import { charge, errorOf, instruction } from "../helpers/desk.ts";
import { world } from "../helpers/world.ts";

const transactions = (...words: string[]) => [
  ...["transactions", "create", "ACME", "EXT-0000001", "--settle", "0s", ...words],
];
const statements = (...words: string[]) => [
  "statements",
  "create",
  "ACME",
  "EXT-0000001",
  ...words,
];

test("transactions of a file are added, each with its own outcome", async () => {
  const { run, file, service } = await world();
  await file("t.json", [charge("T-1"), charge("T-2", { amount: 0.1 })]);
  const first = await run(transactions("--from", "t.json"));
  expect(first.code).toBe(0);
  expect(first.stdout).toMatch(
    /Confirmed: 2 \w+ of [\d.]+ in all for EXT-0000001 of ACME, on ad-hoc \(test, .*\); journal entry 1/,
  );
  expect(first.stdout).toMatch(/1 +created +TRANSACTION_ADDED_TO_ACCOUNT +T-1/);
  const second = await run(transactions("--from", "t.json"));
  expect(second.stdout).toMatch(/2 +already exists +TRANSACTION_ALREADY_EXISTS +T-2/);
  expect(service.ledger().map(({ key }) => key)).toEqual(["T-1", "T-2"]);
});

test.each([
  ["and sent", []],
  ["and printed", ["--dry-run"]],
])(
  "transactions are checked %s with one warning about dates outside the open period",
  async (_how, words) => {
    const { run, file } = await world();
    await file("t.json", [charge("T-1"), charge("T-2")]);
    const moved = /outside the open statement period/g;
    const sent = await run(transactions("--from", "t.json", ...words));
    expect(sent.code).toBe(0);
    expect(sent.stderr.match(moved)).toHaveLength(1);
    const strict = "--no-force-add-to-current-statement";
    expect(sent.stderr).toContain(strict);
    const refusing = await run(transactions("--from", "t.json", strict, ...words));
    expect(refusing.stderr).not.toMatch(moved);
  },
);

test("amounts leave as they were written, digit for digit", async () => {
  const { run, file } = await world({ service: { writes: [] } });
  const long = '[{"transaction_id":"T","transaction_date":"2026-11-20","amount":10000000000000.10,';
  await file("t.json", `${long}"type":"CHARGE","reason":"IMPORTED_CHARGE"}]`);
  const { stdout } = await run(transactions("--from", "t.json", "--dry-run"));
  expect(stdout).toContain('"amount":10000000000000.10,');
  const json = await run(transactions("--from", "t.json", "--dry-run", "--json"));
  expect(json.stdout).toContain('"amount": 10000000000000.10,');
});

test("the query options go on the wire only when they are asked for", async () => {
  const { run, file } = await world({ service: { writes: [] } });
  await file("t.json", [charge("T-1")]);
  const urlOf = async (...words: string[]) =>
    JSON.parse(
      (await run(transactions("--from", "t.json", "--dry-run", "--json", ...words))).stdout,
    ).url;
  expect(await urlOf()).toMatch(/\/create\/$/);
  expect(await urlOf("--no-check-previously-added", "--no-force-add-to-current-statement")).toMatch(
    /\/create\/\?check_previously_added=false&force_add_to_current_statement=false$/,
  );
});

test("outside the open statement period: added with force, refused without", async () => {
  const { run, file, service } = await world();
  await file("old.json", [charge("T-OLD", { transaction_date: "2020-01-05" })]);
  const strict = transactions("--from", "old.json", "--no-force-add-to-current-statement");
  const refused = await run(strict);
  expect(refused.code).toBe(4);
  expect(refused.stderr).toMatch(/TRANSACTION_IMPORT_ERROR.*not within the open statement period/);
  expect(refused.stderr).toMatch(
    /^ {2}old\.json:1:2: transactions\.0: The transaction of 2020-01-05/m,
  );
  expect(service.ledger()).toEqual([]);
  const forced = await run(transactions("--from", "old.json"));
  expect(forced.code).toBe(0);
  // The sandbox answers with the transaction as it was submitted: nothing shows that a date moved.
  expect(forced.stdout).not.toMatch(/moved|pin/);
  expect(service.ledger().map(({ cause }) => cause)).toContain("service");
});

test("a refused transaction leaves those before it unknown, 7, and verify answers for each", async () => {
  const { run, json, file, service } = await world();
  await file("t.json", [
    charge("T-1"),
    charge("T-OLD", { transaction_date: "2020-01-05" }),
    charge("T-3"),
  ]);
  const words = transactions("--from", "t.json", "--no-force-add-to-current-statement");
  const { code, stdout, stderr } = await run(words);
  expect(code).toBe(7);
  expect(stdout).toMatch(
    /1 +unknown.*\n.*2 +rejected +TRANSACTION_IMPORT_ERROR.*\n.*3 +not reached/,
  );
  expect(stderr).toMatch(/One of several items was rejected.*activity verify 1/);
  const verified = await run(["activity", "verify", "1", "--settle", "0s"]);
  expect(verified.code).toBe(4);
  expect(verified.stdout).toMatch(/"T-1" exists/);
  expect(await json(["activity", "show", "1"])).toMatchObject({
    outcome: "closed",
    items: [{ outcome: "exists" }, { outcome: "rejected" }, { outcome: "not-reached" }],
  });
  expect(service.ledger().map(({ key }) => key)).toEqual(["T-1"]);
});

test("every problem of a file is reported at its line and column, and nothing is sent", async () => {
  const { run, file, service } = await world({ service: { writes: [{ status: 201 }] } });
  await file(
    "bad.json",
    `{
  "import_supplier": "OTHER",
  "transactions": [
    {"transaction_id": "T-1", "transaction_dat": "2026-11-20", "amount": "12.50", "type": "CHARGE"}
  ]
}`,
  );
  const { code, stderr } = await run(transactions("--from", "bad.json"));
  expect(code).toBe(2);
  expect(stderr).toMatch(/^supplyline: 4 problems in bad\.json, so nothing was sent\.$/m);
  expect(stderr).toMatch(
    /^ {2}bad\.json:2:22: import_supplier: .*another import supplier than ACME/m,
  );
  expect(stderr).toMatch(
    /^ {2}bad\.json:4:\d+: transactions\.0\.transaction_dat: .*Did you mean transaction_date\?/m,
  );
  expect(stderr).toMatch(/^ {2}bad\.json:4:\d+: transactions\.0\.amount: .*without quotes/m);
  const asJson = errorOf(await run(transactions("--from", "bad.json", "--json")));
  expect(asJson).toMatchObject({ kind: "invalid-input" });
  expect(asJson.errors).toContainEqual({
    attr: "import_supplier",
    code: null,
    detail: expect.stringContaining("ACME"),
    file: "bad.json",
    line: 2,
    column: 22,
  });
  expect(service.received).toEqual([]);
});

test.each<[string, RegExp]>([
  ['[{"transaction_id": "T-1",]', /<stdin>:1:\d+: /],
  ["[]", /At least one transaction is needed/],
  ['"text"', /<stdin>:1:1: /],
  ["", /<stdin>:1:1: /],
])("standard input that holds %j is refused with 2", async (input, expected) => {
  const { run, service } = await world({ service: { writes: [{ status: 201 }] } });
  const { code, stderr } = await run(transactions("--from", "-"), { input });
  expect(code).toBe(2);
  expect(stderr).toMatch(expected);
  expect(service.received).toEqual([]);
});

test.each(["200", "201"])("statements are added, also when the service says %s", async (status) => {
  const { run, file, service } = await world({
    service: { faults: [`statements-status=${status}`] },
  });
  await file("s.json", [
    {
      bill_period_from_date: "2026-01-01",
      bill_period_to_date: "2026-01-31",
      statement_id: "S-1",
      issued_date: "2026-02-03",
      number: "2026-001",
      gross_amount: 45.1,
      statement_path: "2026/001.pdf",
    },
  ]);
  const { code, stdout } = await run(statements("--from", "s.json"));
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /Confirmed: 1 statement of [\d.]+ on \S+, S-1, for EXT-\d+ of ACME, .*\n +1 +created +S-1/,
  );
  expect(service.ledger()).toMatchObject([{ endpoint: "statements", key: "S-1" }]);
});

test("a payment instruction is added, and the service's account number printed", async () => {
  const { run } = await world();
  const { code, stdout } = await run(instruction("GOODPAY"));
  expect(code).toBe(0);
  expect(stdout).toMatch(/Confirmed: 1 payment instruction/);
  expect(stdout).toMatch(/service_account_number +A-/);
});

test("JSON output uses the standard field names, not the deployment's brand", async () => {
  const { run } = await world({
    service: {
      writes: [
        {
          status: 201,
          body: { acme_account_number: "A-1", reference: "R-1" },
        },
      ],
    },
  });
  const { stdout } = await run(instruction("V", "--json"), { env: { SUPPLYLINE_BRAND: "acme" } });
  expect(JSON.parse(stdout).response).toEqual({ service_account_number: "A-1", reference: "R-1" });
});

test("a refused form is blocked until it is sent --again with a reason, which is kept", async () => {
  const { run, json, service } = await world();
  const first = await run(instruction("REFUSEPAY"));
  expect(first.code).toBe(4);
  expect(first.stderr).toMatch(/--again --reason TEXT/);
  expect(first.stderr).toMatch(/^ {2}--vendor: vendor: /m);
  const second = await run(instruction("REFUSEPAY", "--json"));
  expect(second.code).toBe(2);
  expect(errorOf(second)).toMatchObject({ kind: "blocked", journal_id: 1 });
  expect(errorOf(second).message).toMatch(/--again --reason TEXT/);
  expect(await json(["activity", "list"])).toHaveLength(1);
  const third = await run(instruction("REFUSEPAY", "--yes", "--again", "--reason", "outage over"));
  expect(third.code).toBe(4);
  expect((await json(["activity", "show", "2"])).remarks).toMatchObject([
    { kind: "again", text: "outage over" },
  ]);
  const corrected = await run(instruction("GOODPAY"));
  expect(corrected.code).toBe(0);
  expect(service.ledger()).toHaveLength(1);
});

test("three 500s leave it retryable: 7, and it can be sent again unchanged", async () => {
  const { run, json } = await world();
  const { code, stderr } = await run(instruction("DOWNPAY", "--json"));
  expect(code).toBe(7);
  expect(errorOf({ code, stderr, stdout: "", signal: null })).toMatchObject({
    kind: "retryable",
    http_status: 500,
    journal_id: 1,
  });
  expect(await json(["activity", "list"])).toMatchObject([{ outcome: "retryable", attempts: 3 }]);
});

test.each<[string[], RegExp]>([
  [["--again"], /--again needs a reason/],
  [["--reason", "x"], /--reason needs --again/],
  [["--again", "--reason", " "], /--again needs a reason/],
])("an instruction with %j ends with 2", async (words, expected) => {
  const { run, service } = await world({ service: { writes: [{ status: 201 }] } });
  const { code, stderr } = await run(instruction("GOODPAY", ...words));
  expect(stderr).toMatch(expected);
  expect(code).toBe(2);
  expect(service.received).toEqual([]);
});

test("verify is not suggested if a resend cannot show the outcome", async () => {
  const { run, file } = await world({
    service: { writes: ["reset", "reset", { status: 500 }, { status: 400 }] },
  });
  await file("t.json", [charge("T-1")]);
  const unchecked = transactions("--from", "t.json", "--no-check-previously-added", "--json");
  expect(errorOf(await run(unchecked)).message).toMatch(
    /would be added again: look at the account's transactions\. Then close it with .*activity close 1 /,
  );
  const papers = ["notes", "create", "ACME", "EXT-0000001", "--document", "a.pdf", "--json"];
  expect(errorOf(await run(papers)).message).toMatch(/look at the account's notes/);
  const refused = await run(transactions("--from", "t.json", "--json"));
  expect(refused.code).toBe(7);
  expect(errorOf(refused).message).toMatch(/rejected this form since then.*activity close 3 /);
});

test("the service's own words are repeated letter for letter, and a refusal is not called unknown", async () => {
  const body = { status: "TRANSACTION_IMPORT_ERROR", error_detail: "outside the period" };
  const { run, file } = await world({
    service: {
      writes: [
        { status: 400, body: { ...body, transaction_data: charge("T-1") } },
        { status: 413 },
      ],
    },
  });
  await file("t.json", [charge("T-1")]);
  const words = transactions("--from", "t.json", "--json");
  expect(errorOf(await run(words)).message).toContain(" outside the period. ");
  const { message } = errorOf(await run(words));
  expect(message).toContain("Nothing of it took effect");
  expect(message).not.toContain("not known");
});

test("a transaction without its type is sent once --allow-missing says so, with a warning", async () => {
  const { run, file, service } = await world({
    service: {
      writes: [
        {
          status: 400,
          body: { detail: "No.", code: "account_failed_validation", errors: [] },
        },
      ],
    },
  });
  await file("t.json", '[{"transaction_id":"T-1","transaction_date":"2026-11-20","amount":1.00}]');
  const refused = await run(transactions("--from", "t.json"));
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(
    "transactions.0.type: supplyline expects this field; the interface does not say whether it can be left out.",
  );
  expect(refused.stderr).toContain("--allow-missing sends it without these fields.");
  expect(service.received).toEqual([]);
  const sent = await run(transactions("--from", "t.json", "--allow-missing"));
  expect(sent.code).toBe(4);
  expect(sent.stderr).toContain("transactions.0.type: supplyline expects this field");
  expect(service.received.map(({ body }) => body)).toEqual([
    '{"import_supplier":"ACME","external_account_number":"EXT-0000001","transactions":[{"transaction_id":"T-1","transaction_date":"2026-11-20","amount":1.00}]}',
  ]);
});
