import { bulkWorld } from "../helpers/desk.ts";

const where = (filter: string, ...more: string[]) => [
  ...["bulk", "run", "notes", "--supplier", "BULK", "--where", filter, "--body", "agreed"],
  ...more,
];

test("a note goes to every imported account that matches, and pending ones are left out", async () => {
  const { run, landed } = await bulkWorld();
  const dry = await run(where("ext:00003", "--dry-run"));
  expect(dry.code).toBe(0);
  expect(landed()).toEqual([]);
  const { code, stdout, stderr } = await run(
    where("ext:BULK-00004", "--expect-rows", "1", "--json"),
  );
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain("50 accounts that match are pending");
  expect(JSON.parse(stdout)).toMatchObject({ kind: "notes", rows: 1, confirmed: 1 });
  expect(landed()).toEqual(["BULK-0000400 agreed"]);
});

test("without a terminal the number of rows must be given, and it must be the right one", async () => {
  const { run, landed } = await bulkWorld();
  const without = await run(where("ext:0003"));
  expect(without.code).toBe(2);
  expect(without.stderr).toContain("--where needs --expect-rows N");
  const wrong = await run(where("ext:000030", "--expect-rows", "3"));
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain("--expect-rows 3: the input has 11 rows");
  expect(landed()).toEqual([]);
});

test.each<[string, string[]]>([
  ["exclude each other", where("x", "--from", "a.csv")],
  ["--where is for notes", ["bulk", "run", "statements", "--supplier", "BULK", "--where", "x"]],
  ["--where needs --body TEXT", ["bulk", "run", "notes", "--supplier", "BULK", "--where", "x"]],
  ["--body goes with --where", ["bulk", "run", "notes", "--from", "-", "--body", "x"]],
  ["The rows are missing", ["bulk", "run", "notes"]],
  ["the filter is empty", where(" ", "--expect-rows", "1")],
  ["--where: ", where("age:bad", "--expect-rows", "1")],
  ["No imported account of BULK matches", where("no-such-account", "--expect-rows", "0")],
])("%s is a usage error", async (message, words) => {
  const { run, landed } = await bulkWorld();
  const { code, stderr } = await run(words);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
  expect(landed()).toEqual([]);
});

test("an incomplete list sends nothing", async () => {
  const { run, landed } = await bulkWorld("truncate@listsx9");
  const { code, stdout } = await run(where("ext:000030", "--expect-rows", "11"));
  expect([3, 6]).toContain(code);
  expect(stdout).toBe("");
  expect(landed()).toEqual([]);
});
