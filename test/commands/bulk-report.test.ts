import { rm } from "node:fs/promises";
import { bulkWorld, notesCsv, resultsOf, runIn } from "../helpers/desk.ts";
import { world } from "../helpers/world.ts";

/** A run of five notes, of which the last two are rejected. */
async function reportDesk() {
  const desk = await bulkWorld();
  const odd = 'BULK,NOBODY,"two\nlines, quoted"\nBULK,NOBODY-2,last\n';
  await desk.file("notes.csv", `\uFEFF${notesCsv(3)}${odd}`);
  const result = await desk.run(["bulk", "run", "notes", "--from", "notes.csv"]);
  return { ...desk, id: runIn(result), result };
}

test("the commands that send name the profile of the run, as its environment decides what is asked", async () => {
  const { run, file, service } = await bulkWorld("500@payment-instructions");
  const profile = ["profiles", "add", "prod", "--base-url", service.baseUrl, "--environment"];
  await run([...profile, "production"]);
  const head = "import_supplier,external_account_number,vendor,reference,type\n";
  await file("pay.csv", `${head}BULK,BULK-0000001,GOODPAY,R-1,CARD\n`);
  const args = ["bulk", "run", "payment-instructions", "--from", "pay.csv", "--yes"];
  const env = { SUPPLYLINE_API_KEY: service.apiKey, SUPPLYLINE_BASE_URL: "" };
  const sent = await run([...args, "--expect-rows", "1", "--profile", "prod"], { env });
  const next = /supplyline activity resend \d+ --again --reason TEXT --profile prod$/m;
  expect(sent.stdout).toMatch(next);
  const id = /run (\S+)/.exec(sent.stderr)?.[1] ?? "";
  expect((await run(["bulk", "report", id])).stdout).toMatch(next);
});

test("a confirmed payment has the message for people that its success has", async () => {
  const success = { service_account_number: "A", reference: "R-1" };
  const body = { ...success, message: "Declined by the vendor." };
  const { run, file, read } = await world({ service: { writes: [{ status: 201, body }] } });
  const head = "import_supplier,external_account_number,vendor,reference,type\n";
  await file("pay.csv", `${head}BULK,BULK-0000001,GOODPAY,R-1,CARD\n`);
  await run(["bulk", "run", "payment-instructions", "--from", "pay.csv", "--yes"]);
  expect(await read("pay.results.csv")).toContain(
    ",confirmed,,201,,The service says: Declined by the vendor.,",
  );
});

test("bulk report has the exit code of its run and rewrites the results", async () => {
  const { run, id, path, read, result } = await reportDesk();
  const before = await read("notes.results.csv");
  await rm(path("notes.results.csv"));
  const report = await run(["bulk", "report", id]);
  expect(report.code).toBe(result.code);
  expect(report.code).toBe(5);
  expect(await read("notes.results.csv")).toBe(before);
  expect(report.stdout).toContain(`Run ${id}, 5 notes: every row has an outcome.`);
  expect(report.stdout).toMatch(/^5 +BULK NOBODY +rejected +404/m);
  expect(report.stdout).not.toMatch(/^2 +BULK/m);
});

test("every format has the rows in the order of their lines", async () => {
  const { run, id, read } = await reportDesk();
  const csv = await run(["bulk", "report", id, "--format", "csv"]);
  expect(csv.stdout).toBe(await read("notes.results.csv"));
  const json = JSON.parse((await run(["bulk", "report", id, "--json"])).stdout);
  expect(json.map(({ line }: { line: number }) => line)).toEqual([2, 3, 4, 5, 7]);
  expect(json[0]).toEqual({
    line: 2,
    import_supplier: "BULK",
    external_account_number: "BULK-0000001",
    external_identifier: null,
    outcome: "confirmed",
    status: "NOTE_CREATION_SUCCESS",
    http_status: 201,
    code: null,
    detail: null,
    journal_id: 1,
  });
  const lines = (await run(["bulk", "report", id, "--format", "jsonl"])).stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual(json);
});

test("only the rows of an outcome, to a new file of the user's own", async () => {
  const { run, id, read, mode } = await reportDesk();
  const words = ["bulk", "report", id, "--outcome", "rejected", "--output", "out.csv"];
  expect((await run(words)).stderr).toContain("2 rows in out.csv.");
  expect(resultsOf(await read("out.csv")).map(({ line }) => line)).toEqual(["5", "7"]);
  expect(await mode("out.csv")).toBe(0o600);
  const again = await run(words);
  expect(again.code).toBe(2);
  expect(again.stderr).toContain("nothing is overwritten");
  const none = await run(["bulk", "report", id, "--outcome", "unknown", "--json"]);
  expect(JSON.parse(none.stdout)).toEqual([]);
});

test("rejected rows come as they stood in the input, are fixed and run again", async () => {
  const { run, id, read, file, landed } = await reportDesk();
  const words = ["bulk", "report", id, "--rejected", "fixed.csv"];
  const told = await run(words);
  expect(told.code).toBe(5);
  expect(told.stderr).toContain("supplyline bulk run notes --from fixed.csv");
  const text = await read("fixed.csv");
  expect(text).toContain('BULK,NOBODY,"two\nlines, quoted"\nBULK,NOBODY-2,last\n');
  expect(text).not.toContain("BULK-0000001");
  await file(
    "fixed.csv",
    text.replace("NOBODY-2", "BULK-0000004").replace("NOBODY", "BULK-0000005"),
  );
  expect((await run(["bulk", "run", "notes", "--from", "fixed.csv"])).code).toBe(0);
  expect(landed()).toContain("BULK-0000005 two\nlines, quoted");
});

test("rejected rows of a missing input come as JSON lines out of the journal", async () => {
  const { run, id, read, path } = await reportDesk();
  await rm(path("notes.csv"));
  const csv = await run(["bulk", "report", id, "--rejected", "fixed.csv"]);
  expect(csv.code).toBe(2);
  expect(csv.stderr).toMatch(
    /the input was not a file, is missing or has changed.*ends in \.jsonl/,
  );
  await run(["bulk", "report", id, "--rejected", "fixed.jsonl"]);
  const lines = (await read("fixed.jsonl")).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { import_supplier: "BULK", external_account_number: "NOBODY", body: "two\nlines, quoted" },
    { import_supplier: "BULK", external_account_number: "NOBODY-2", body: "last" },
  ]);
  const again = await run(["bulk", "run", "notes", "--from", "fixed.jsonl", "--json"]);
  expect(JSON.parse(again.stdout)).toMatchObject({ rows: 2, rejected: 2 });
});

test("the runs are listed newest first, with their counts", async () => {
  const { run, id, file, json } = await reportDesk();
  await file("two.csv", notesCsv(2, "two"));
  const second = runIn(await run(["bulk", "run", "notes", "--from", "two.csv"]));
  expect(await json(["bulk", "list"])).toMatchObject([
    { run: second, rows: 2, confirmed: 2, outcome: "ended" },
    { run: id, rows: 5, confirmed: 3, rejected: 2 },
  ]);
  const { stdout } = await run(["bulk", "list"]);
  expect(stdout).toMatch(
    new RegExp(`^Run +Created .*\\n${second} .*two\\.csv\\n${id} .*notes\\.csv`),
  );
  const csv = await run(["bulk", "list", "--format", "csv"]);
  expect(csv.stdout.split("\n")[0]).toContain("run,kind,outcome,profile");
});

test("bulk report ends without an error if its pipe is closed", async () => {
  const { spawn, id } = await reportDesk();
  const cli = await spawn(["bulk", "report", id, "--format", "csv"]);
  cli.closeReader("stdout");
  expect([0, 5]).toContain((await cli.result).code);
});
