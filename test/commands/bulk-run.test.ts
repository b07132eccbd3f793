import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  account,
  bulkWorld,
  errorOf,
  notesCsv,
  resultsOf,
  runIn,
  supplyPoint,
  transactionsCsv,
} from "../helpers/desk.ts";
import { world } from "../helpers/world.ts";

const columns =
  "line,import_supplier,external_account_number,external_identifier,outcome,status,http_status,code,detail,journal_id";

test("every row is sent, and the results say line by line what the service has", async () => {
  const { run, file, read, mode, landed, json } = await bulkWorld();
  await file("notes.csv", notesCsv(30));
  const result = await run(["bulk", "run", "notes", "--from", "notes.csv"]);
  expect(result.code).toBe(0);
  expect(result.stderr).toBe(`run ${runIn(result)}\n`);
  expect(result.stdout).toContain("30 notes: every row has an outcome.");
  expect(result.stdout).toMatch(/^Sent to: ad-hoc \(sandbox, 127\.0\.0\.1:\d+\)$/m);
  expect(result.stdout).toMatch(/^ {2}confirmed +30$/m);
  expect(result.stdout).toContain("Results: notes.results.csv");
  const text = await read("notes.results.csv");
  expect(text.split("\n")[0]).toBe(columns);
  const rows = resultsOf(text);
  expect(rows.map(({ line }) => Number(line))).toEqual(rows.map((_, at) => at + 2));
  for (const { journal_id, ...row } of rows) {
    expect(Number(journal_id)).toBeGreaterThan(0);
    expect(row).toEqual({
      line: row.line,
      import_supplier: "BULK",
      external_account_number: account(Number(row.line) - 1),
      external_identifier: "",
      outcome: "confirmed",
      status: "NOTE_CREATION_SUCCESS",
      http_status: "201",
      code: "",
      detail: "",
    });
  }
  expect(landed().sort()).toEqual(
    rows.map((row) => `${row.external_account_number} note ${Number(row.line) - 1}`).sort(),
  );
  expect(await mode("notes.results.csv")).toBe(0o600);
  const entries = await json(["activity", "list", "--run", runIn(result), "--limit", "100"]);
  expect(entries).toHaveLength(30);
  const listed = await run(["activity", "list", "--limit", "3"]);
  expect(listed.stderr).toBe(
    `supplyline: To see the run in the console: supplyline open --run ${runIn(result)}\n`,
  );
});

test("with --json the summary is one object", async () => {
  const { run, file, path } = await bulkWorld();
  await file("notes.csv", notesCsv(3));
  await run(["bulk", "run", "notes", "--from", "notes.csv", "--results", "first.csv"]);
  const again = await run(["bulk", "run", "notes", "--from", "notes.csv", "--json"]);
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toEqual({
    run: runIn(again),
    kind: "notes",
    outcome: "ended",
    profile: "ad-hoc",
    base_url: expect.stringMatching(/^http:/),
    source: path("notes.csv"),
    created_at: expect.any(String),
    ended_at: expect.any(String),
    stopped_because: null,
    rows: 3,
    requests: 3,
    confirmed: 0,
    exists: 3,
    rejected: 0,
    retryable: 0,
    unknown: 0,
    closed: 0,
    sending: 0,
    unsent: 0,
    results: path("notes.results.csv"),
  });
  expect(again.stderr).toBe(`run ${runIn(again)}\n`);
});

test("a run of rejected rows ends with the code of the most severe, and says what to do", async () => {
  const { run, file, read } = await bulkWorld();
  const staged = "BULK-0000401";
  await file("notes.csv", `${notesCsv(2)}BULK,${staged},late\nBULK,NOBODY,lost\n`);
  const result = await run(["bulk", "run", "notes", "--from", "notes.csv"]);
  expect(result.code).toBe(5);
  expect(result.stdout).toContain(`supplyline bulk rejected ${runIn(result)} --output`);
  expect(resultsOf(await read("notes.results.csv")).slice(2)).toMatchObject([
    { line: "4", external_account_number: staged, outcome: "rejected", http_status: "404" },
    { line: "5", external_account_number: "NOBODY", outcome: "rejected", http_status: "404" },
  ]);
});

test("a row with an issue is reported with its line and column, and nothing is sent", async () => {
  const { run, file, service, folders } = await bulkWorld();
  const good = notesCsv(3).trimEnd();
  await file("notes.csv", `${good}\n,${account(4)},no supplier\nBULK,${account(5)},\n`);
  const result = await run(["bulk", "run", "notes", "--from", "notes.csv"]);
  expect(result.code).toBe(2);
  expect(result.stdout).toBe("");
  expect(result.stderr).toContain("2 problems in notes.csv, so nothing was sent.");
  expect(result.stderr).toMatch(/^ {2}notes\.csv:5: import_supplier: .+$/m);
  expect(result.stderr).toMatch(/^ {2}notes\.csv:6: .+$/m);
  expect(service.ledger()).toEqual([]);
  expect(existsSync(join(folders.home, "notes.results.csv"))).toBe(false);
  const asJson = await run(["bulk", "run", "notes", "--from", "notes.csv", "--json"]);
  expect(errorOf(asJson)).toMatchObject({
    kind: "invalid-input",
    errors: [
      { file: "notes.csv", line: 5, attr: "import_supplier" },
      { file: "notes.csv", line: 6 },
    ],
  });
});

test("of many problems the first hundred are listed, and how many more there are", async () => {
  const { run, file } = await bulkWorld();
  const bad = Array.from({ length: 137 }, () => ",,").join("x\n");
  await file("bad.csv", `import_supplier,external_account_number,body\n${bad}x\n`);
  const { code, stderr } = await run(["bulk", "run", "notes", "--from", "bad.csv"]);
  expect(code).toBe(2);
  const told = stderr.split("\n").filter((line) => line.startsWith("  bad.csv:"));
  expect(told).toHaveLength(100);
  expect(stderr).toMatch(/^ {2}and \d+ more$/m);
});

test("a dry run prints the first requests and the last, and sends and keeps nothing", async () => {
  const { run, file, service, folders } = await bulkWorld();
  await file("notes.csv", notesCsv(10));
  const words = ["bulk", "run", "notes", "--from", "notes.csv", "--dry-run"];
  const { code, stdout } = await run(words);
  expect(code).toBe(0);
  expect(stdout.match(/^POST .*\/v1\/data-import\/notes\/create\/$/gm)).toHaveLength(4);
  expect(stdout).toContain(
    `{"import_supplier":"BULK","external_account_number":"${account(1)}","notes":[{"body":"note 1"}]}`,
  );
  expect(stdout).toContain("… 6 more requests …");
  expect(stdout).toContain('"notes":[{"body":"note 10"}]}');
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("It would send 10 rows.");
  expect(JSON.parse((await run([...words, "--json"])).stdout)).toMatchObject({
    kind: "notes",
    rows: 10,
    requests: 10,
    first: [{ method: "POST", body: { notes: [{ body: "note 1" }] } }, {}, {}],
    last: { body: { notes: [{ body: "note 10" }] } },
  });
  expect(service.ledger()).toEqual([]);
  expect(existsSync(join(folders.home, "notes.results.csv"))).toBe(false);
  expect(existsSync(folders.state)).toBe(false);
});

test("a dry run of transactions shows their sum, and the query goes where it was asked for", async () => {
  const { run, file } = await bulkWorld();
  await file("t.csv", transactionsCsv("10.10", "-0.05", "3"));
  const words = ["bulk", "run", "transactions", "--from", "t.csv", "--dry-run"];
  expect((await run(words)).stdout).toContain("It would send 3 rows; the amounts add up to 13.05.");
  const off = await run([...words, "--no-check-previously-added"]);
  expect(off.stdout).toMatch(/^POST .*\/create\/\?check_previously_added=false$/m);
});

test("JSON lines of supply points are sent, with the outer payload key and without it", async () => {
  const { run, file, landed, read } = await bulkWorld();
  const lines = [supplyPoint("SP-A"), { payload: supplyPoint("SP-B") }];
  await file("sp.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));
  const result = await run(["bulk", "run", "supply-points", "--from", "sp.jsonl"]);
  expect(result.code).toBe(0);
  expect(landed()).toHaveLength(2);
  expect(resultsOf(await read("sp.results.csv"))).toMatchObject([
    { line: "1", external_account_number: "", external_identifier: "SP-A", outcome: "confirmed" },
    { line: "2", external_identifier: "SP-B", outcome: "confirmed" },
  ]);
});

test.each([
  [["notes", "--from", "gone.csv"], /Cannot read gone\.csv: there is no such file/],
  [["notes", "--from", "."], /Cannot read \.: it is a folder/],
  [["nots", "--from", "n.csv"], /Did you mean notes\?/],
  [["notes", "--from", "n.csv", "--expect-sum", "3"], /--expect-sum is for transactions/],
  [["notes", "--from", "n.csv", "--no-check-previously-added"], /is for transactions/],
  [["status", "--from", "n.csv"], /value 'status' is invalid for argument 'kind'/],
  [["notes", "--from", "n.csv", "--concurrency", "0"], /whole number from 1 to 256/],
  [["notes"], /--from/],
  [["notes", "--from", "empty.csv"], /empty\.csv:1: .*no row/],
  [["notes", "--from", "blank.csv"], /blank\.csv holds no row/i],
])("bulk run %j is refused: 2", async (words, why) => {
  const { run, file } = await bulkWorld();
  await file("n.csv", notesCsv(1));
  await file("empty.csv", "import_supplier,external_account_number,body\n");
  await file("blank.csv", "import_supplier,external_account_number,body\n,,\n");
  const { code, stderr } = await run(["bulk", "run", ...words]);
  expect(code).toBe(2);
  expect(stderr).toMatch(why);
});

test("credentials that are refused stop the run at once: 3, and it can be resumed", async () => {
  const { run, file, read } = await bulkWorld();
  await file("notes.csv", notesCsv(40));
  const result = await run(["bulk", "run", "notes", "--from", "notes.csv"], {
    env: { SUPPLYLINE_API_KEY: "wrong" },
  });
  expect(result.code).toBe(3);
  expect(result.stderr).toContain(`supplyline bulk resume ${runIn(result)}`);
  expect(resultsOf(await read("notes.results.csv"))).toHaveLength(40);
  const resumed = await run(["bulk", "resume", runIn(result)]);
  expect(resumed.code).toBe(0);
});

test("a run stops if its journal is deleted, and does not claim that nothing was sent", async () => {
  const { run, file, folders, service } = await world({ service: { writes: [{ status: 404 }] } });
  service.onRequest = () => rmSync(join(folders.state, "journal.sqlite"), { force: true });
  await file("notes.csv", notesCsv(40));
  const { code, stderr } = await run(["bulk", "run", "notes", "--from", "notes.csv", "--yes"]);
  expect(code).toBe(7);
  expect(service.writes().length).toBeLessThan(40);
  expect(stderr).toContain("deleted, moved or replaced while it was in use");
  expect(stderr).not.toContain("Nothing was sent");
});

test("--json prints a stopped run as one error object with the next command", async () => {
  const { start, file } = await bulkWorld("latency=200ms@notes");
  await file("notes.csv", notesCsv(60));
  const cli = await start(["bulk", "run", "notes", "--from", "notes.csv", "--json"]);
  const line = await cli.stderr.waitForLine(/^run /);
  cli.kill("SIGINT");
  const { code, stdout, stderr } = await cli.result;
  expect(code).toBe(130);
  const id = runIn({ stderr: `${line}\n` });
  expect(JSON.parse(stdout)).toMatchObject({ run: id, rows: 60 });
  const [told, error, ...more] = stderr.trimEnd().split("\n");
  expect({ told, more }).toEqual({ told: `run ${id}`, more: [] });
  expect(JSON.parse(error ?? "").error).toMatchObject({ kind: "stopped" });
  expect(JSON.parse(error ?? "").error.message).toContain(`supplyline bulk resume ${id}`);
});
