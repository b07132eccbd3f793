import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { reasonColumn } from "../../src/bulk/input/reason-column.ts";
import { bulkWorld } from "../helpers/desk.ts";

/** A file with two good rows and one bad row between them, in each format and with its own habits. */
const inputs = {
  "notes.csv": {
    text: '\uFEFFimport_supplier;external_account_number;created_at;body\r\nACME;EXT-0000001;;one\r\nACME;EXT-0000017;2026-02-31;"two; or ""2"""\r\nACME;EXT-0000033;;three',
    bad: /^\uFEFFimport_supplier;external_account_number;created_at;body;not_sent_because\r\nACME;EXT-0000017;2026-02-31;"two; or ""2""";"created_at: [^\r]+"\r\n$/,
    fix: (text: string) => text.replace("2026-02-31", "2026-02-28T09:00:00Z"),
  },
  "notes.jsonl": {
    text: '{"import_supplier":"ACME","external_account_number":"EXT-0000001","body":"one"}\n{"import_supplier": "ACME", "external_account_number": "EXT-0000017", "body": 7.0}\n{"import_supplier":"ACME","external_account_number":"EXT-0000033","body":"three"}\n',
    bad: /^\{"import_supplier": "ACME", "external_account_number": "EXT-0000017", "body": 7\.0,"not_sent_because":"body: [^\n]+"\}\n$/,
    fix: (text: string) => text.replace("7.0", '"two"'),
  },
} as const;

test.each(Object.keys(inputs) as (keyof typeof inputs)[])(
  "the good rows of %s are sent, the bad one is written with its reason, fixed, and sent as it is",
  async (name) => {
    const { run, folders, file, service } = await bulkWorld();
    const { text, bad, fix } = inputs[name];
    await file(name, text);
    const out = `bad-${name}`;
    const args = ["bulk", "run", "notes", "--from", name, "--skip-bad-rows", out, "--yes"];
    const refused = await run([...args, "--expect-rows", "3"]);
    expect([refused.code, service.ledger()]).toEqual([2, []]);
    const { code, stderr } = await run([...args, "--expect-rows", "2"]);
    expect(stderr).toContain(`1 row with an error in ${out}`);
    expect(code).toBe(0);
    const sent = () => service.ledger().map(({ identifier }) => identifier);
    expect(sent().sort()).toEqual(["EXT-0000001", "EXT-0000033"]);
    const written = await readFile(join(folders.home, out), "utf8");
    expect(written).toMatch(bad);
    expect(written).toContain(reasonColumn);
    await file(`fixed-${name}`, fix(written));
    const again = await run(["bulk", "run", "notes", "--from", `fixed-${name}`, "--yes"]);
    expect([again.code, sent().length]).toEqual([0, 3]);
  },
);

test("a row that has no place in the table is written as one text, and stays an error", async () => {
  const { run, folders, file, service } = await bulkWorld();
  const head = "import_supplier,external_account_number,body";
  const rows = 'ACME,EXT-0000001,one\nACME,EXT-0000017\nACME,EXT-0000033,tw"o\n';
  await file("notes.csv", `${head}\n${rows}`);
  const args = ["--skip-bad-rows", "bad.csv", "--yes"];
  const { code } = await run(["bulk", "run", "notes", "--from", "notes.csv", ...args]);
  expect([code, service.ledger().length]).toEqual([0, 1]);
  const written = await readFile(join(folders.home, "bad.csv"), "utf8");
  const [, ...lines] = written.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^"ACME,EXT-0000017",,,"This row has 2 cells/);
  expect(lines[1]).toMatch(/^"ACME,EXT-0000033,tw""o",,,"/);
  const again = ["--skip-bad-rows", "again.csv", "--yes"];
  const refused = await run(["bulk", "run", "notes", "--from", "bad.csv", ...again]);
  expect([refused.code, service.ledger().length]).toEqual([2, 1]);
});

test.each([
  ["the header has an error", "import_supplier,external_account_number,body,bdy\nACME,A,x,y\n"],
  ["no row is left", "import_supplier,external_account_number,body\nACME,,x\n"],
])("nothing is sent or written if %s", async (_, text) => {
  const { run, folders, file, service } = await bulkWorld();
  await file("notes.csv", text);
  const args = ["--from", "notes.csv", "--skip-bad-rows", "bad.csv", "--yes"];
  const { code } = await run(["bulk", "run", "notes", ...args]);
  expect([code, service.ledger()]).toEqual([2, []]);
  await expect(readFile(join(folders.home, "bad.csv"))).rejects.toThrow("ENOENT");
});

test.each([
  ["a bad row beside good ones", "BULK,BULK-0000001,one\nBULK,,two\n", true],
  ["bad rows alone", "BULK,,two\n", false],
])(
  "the refusal of %s names the option that sends the others only if there are some",
  async (_, rows, isNamed) => {
    const { run, file } = await bulkWorld();
    await file("notes.csv", `import_supplier,external_account_number,body\n${rows}`);
    const { stderr } = await run(["bulk", "run", "notes", "--from", "notes.csv"]);
    expect(/--skip-bad-rows FILE sends the other 1 row\b/.test(stderr)).toBe(isNamed);
  },
);

test("a dry run and an input without a bad row write no file, and an existing file stays", async () => {
  const { run, folders, file, service } = await bulkWorld();
  const head = "import_supplier,external_account_number,body\n";
  await file("bad.csv", `${head}ACME,EXT-0000001,one\nACME,,two\n`);
  await file("good.csv", `${head}ACME,EXT-0000001,one\n`);
  const skip = ["--skip-bad-rows", "out.csv", "--yes"];
  const dry = await run(["bulk", "run", "notes", "--from", "bad.csv", ...skip, "--dry-run"]);
  expect(dry.stdout).toContain("It would send 1 row.");
  await run(["bulk", "run", "notes", "--from", "good.csv", ...skip]);
  await expect(readFile(join(folders.home, "out.csv"))).rejects.toThrow("ENOENT");
  await file("out.csv", "mine");
  const { code } = await run(["bulk", "run", "notes", "--from", "bad.csv", ...skip]);
  expect([code, service.ledger().length]).toEqual([2, 1]);
  expect(await readFile(join(folders.home, "out.csv"), "utf8")).toBe("mine");
});
