import { rm } from "node:fs/promises";
import { account, bulkWorld, note, notesCsv, runIn } from "../helpers/desk.ts";
import { world } from "../helpers/world.ts";
import { FORBIDDEN, HOSTILE } from "../text/hostile.ts";

const head = "import_supplier,external_account_number,vendor,reference,type\n";

/** A run of eight payment instructions: two confirmed, four of one cause, two of another. */
async function failedRun() {
  const desk = await bulkWorld();
  const vendors = ["GOODPAY", "NOPE", "NOPE", "GOODPAY", "BADPAY", "WORSE"];
  const rows = vendors.map((vendor, at) => `BULK,${account(at + 1)},${vendor},R-${at},CARD\n`);
  const missing = ["NOBODY-1", "NOBODY-2"].map((name) => `BULK,${name},GOODPAY,R-9,CARD\n`);
  await desk.file("p.csv", `${head}${rows.join("")}${missing.join("")}`);
  const words = ["bulk", "run", "payment-instructions", "--from", "p.csv", "--settle", "0s"];
  const result = await desk.run(words);
  return { ...desk, id: runIn(result), result, rows, missing };
}

/** The run of the tests that only look at it. */
let failed: Awaited<ReturnType<typeof failedRun>>;
beforeAll(async () => {
  failed = await failedRun();
});

test("a run has its failures by cause, in every format", async () => {
  const { run, json, id, result } = failed;
  const causes = await json(["bulk", "report", id, "--by", "cause"]);
  expect(causes).toEqual([
    {
      cause: 1,
      operation: "payment-instructions create",
      http_status: 400,
      code: "account_failed_validation",
      error_codes: ["unknown_vendor"],
      count: 4,
      message: expect.stringContaining("vendor"),
      sample: [3, 4, 6, 7],
      key: "payment-instructions-create:400:account_failed_validation+unknown_vendor",
    },
    {
      cause: 2,
      operation: "payment-instructions create",
      http_status: 404,
      code: "not_found",
      error_codes: [],
      count: 2,
      message: expect.any(String),
      sample: [8, 9],
      key: "payment-instructions-create:404:not_found",
    },
  ]);
  const table = await run(["bulk", "report", id, "--by", "cause"]);
  expect(table.code).toBe(result.code);
  expect(table.stdout.trim().split("\n")).toHaveLength(3);
  expect(table.stdout).toMatch(/^ +1 +4 +payment-instructions create +400 +unknown_vendor +\S/m);
  const csv = await run(["bulk", "report", id, "--by", "cause", "--format", "csv"]);
  expect(csv.stdout.split("\n")[0]).toBe(
    "cause,operation,http_status,code,error_codes,count,message,sample,key",
  );
  const entries = await json(["activity", "list", "--by", "cause", "--run", id]);
  expect(entries.map(({ count, key }: { count: number; key: string }) => [count, key])).toEqual(
    causes.map(({ count, key }: { count: number; key: string }) => [count, key]),
  );
});

test.each(["1", "payment-instructions-create:400:account_failed_validation+unknown_vendor"])(
  "the rows of cause %s come as they stand in the input",
  async (cause) => {
    const { run, id, read, rows } = failed;
    const words = ["bulk", "rejected", id, "--cause", cause];
    const wanted = `${head}${[1, 2, 4, 5].map((at) => rows[at]).join("")}`;
    expect(await run(words)).toMatchObject({ code: 0, stdout: wanted });
    const file = `fix-${cause.length}.csv`;
    const told = await run([...words, "--output", file]);
    expect(told).toMatchObject({ code: 0, stdout: "" });
    expect(told.stderr).toContain(`4 rows in ${file}`);
    expect(told.stderr).toContain(`supplyline bulk run payment-instructions --from ${file}`);
    expect(await read(file)).toBe(wanted);
  },
);

test("rows of a cause are fixed and run again, from the journal where the input is missing", async () => {
  const { run, id, path, read, file } = await failedRun();
  await rm(path("p.csv"));
  await run(["bulk", "rejected", id, "--cause", "1", "--output", "fix.jsonl"]);
  const text = await read("fix.jsonl");
  expect(text.trim().split("\n")).toHaveLength(4);
  await file("fix.jsonl", text.replace(/"vendor":"[A-Z]+"/g, '"vendor":"GOODPAY"'));
  const again = ["bulk", "run", "payment-instructions", "--from", "fix.jsonl", "--json"];
  expect(JSON.parse((await run(again)).stdout)).toMatchObject({ rows: 4, confirmed: 4 });
});

test("an unknown cause is a usage error that lists the causes", async () => {
  const { run, id, path } = failed;
  for (const cause of ["3", "0", "payment-instructions-create:400:other"]) {
    const words = ["bulk", "rejected", id, "--cause", cause, "--output", "x.csv"];
    const { code, stderr } = await run(words);
    expect(code).toBe(2);
    expect(stderr).toContain(`there is no cause "${cause}"`);
    expect(stderr).toContain("2 (payment-instructions-create:404:not_found)");
  }
  await expect(rm(path("x.csv"))).rejects.toThrow("ENOENT");
  const output = await run(["bulk", "report", id, "--by", "cause", "--output", "x.json"]);
  expect(output.code).toBe(2);
});

test("without a cause all rejected rows come", async () => {
  const { run, id, rows, missing } = failed;
  const { stdout } = await run(["bulk", "rejected", id]);
  expect(stdout).toBe(`${head}${[1, 2, 4, 5].map((at) => rows[at]).join("")}${missing.join("")}`);
});

test("a run without a failure has no cause", async () => {
  const desk = await bulkWorld();
  await desk.file("n.csv", notesCsv(2));
  const id = runIn(await desk.run(["bulk", "run", "notes", "--from", "n.csv"]));
  expect(await desk.json(["bulk", "report", id, "--by", "cause"])).toEqual([]);
  const { code, stderr } = await desk.run(["bulk", "rejected", id, "--cause", "1"]);
  expect({ code, named: stderr.includes("There are no failures.") }).toEqual({
    code: 2,
    named: true,
  });
});

test("the entries of a span of time are grouped, and a filter narrows them", async () => {
  const { run, json } = await world();
  await run(note("--body", "a"));
  for (const number of ["EXT-0000004", "EXT-0000006"])
    await run(["notes", "create", "ACME", number, "--body", "b"]);
  expect(await json(["activity", "list", "--by", "cause", "--since", "1h"])).toMatchObject([
    { cause: 1, operation: "notes create", http_status: 404, count: 2, sample: [2, 3] },
  ]);
  expect(await json(["activity", "list", "--by", "cause", "--account", "EXT-0000001"])).toEqual([]);
  expect(await json(["activity", "list", "--by", "cause", "--until", "yesterday"])).toEqual([]);
  const none = await run(["activity", "list", "--by", "cause", "--account", "X", "--since", "1h"]);
  expect(none.stdout + none.stderr).toMatch(
    /^(?:supplyline: )?No failed entries in \S+ since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/m,
  );
});

test("text from the service is made safe for the terminal, and its cause has a plain key", async () => {
  const hostile = Object.values(HOSTILE).join(" ");
  const code = `evil ${hostile}`.slice(0, 100);
  const { run, json } = await world({
    service: { writes: [{ status: 400, body: { detail: hostile, code } }] },
  });
  await run(note("--body", "a"));
  await run(note("--body", "b"));
  const table = await run(["activity", "list", "--by", "cause"]);
  expect(table.stdout.trim().split("\n")).toHaveLength(2);
  expect(table.stdout).not.toMatch(FORBIDDEN);
  const raw = await run(["activity", "list", "--by", "cause", "--json"]);
  expect(raw.stdout).not.toMatch(FORBIDDEN);
  const [cause] = await json(["activity", "list", "--by", "cause"]);
  expect(cause).toMatchObject({ count: 2, http_status: 400, code });
  expect(cause.key).toMatch(/^notes-create:400:text-[0-9a-f]{12}$/);
});
