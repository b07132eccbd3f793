import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { resultColumns } from "../../src/commands/bulk/results.ts";
import { programWords } from "../helpers/built-program.ts";
import { bulkWorld, notesCsv, resultsOf, runIn, transactionsCsv } from "../helpers/desk.ts";
import { programEnvironment } from "../helpers/folders.ts";
import { runProcess } from "../helpers/process.ts";

test("standard input is kept until its rows are recorded, and its results are in the state folder", async () => {
  const { run, folders, service } = await bulkWorld();
  const result = await run(["bulk", "run", "notes", "--from", "-", "--json"], {
    input: notesCsv(5),
  });
  expect(result.code).toBe(0);
  expect(service.ledger()).toHaveLength(5);
  const { source, results } = JSON.parse(result.stdout);
  expect(source).toBe("-");
  expect(result.stderr).toContain(results);
  const runs = join(folders.state, "runs");
  expect(await readdir(runs)).toEqual([results.slice(runs.length + 1)]);
});

test.each(["/dev/stdin", "/proc/self/fd/0", "/dev/fd/0"])(
  "a redirected file named %s is standard input: its results are in the state folder",
  async (from) => {
    const { env, folders, file, service } = await bulkWorld();
    await file("notes.csv", notesCsv(2));
    const words = ["bulk", "run", "notes", "--from", from, "--json"];
    const { stdout } = await runProcess(
      ["/bin/sh", "-c", 'exec "$0" "$@" < notes.csv', ...programWords(), ...words],
      { cwd: folders.home, env: programEnvironment(folders, env) },
    );
    const { source, results } = JSON.parse(stdout);
    expect(source).toBe("-");
    expect(results.startsWith(join(folders.state, "runs"))).toBe(true);
    expect(service.ledger()).toHaveLength(2);
  },
);

test.skipIf(!existsSync("/dev/shm"))(
  "a file in /dev/shm is treated as a regular file",
  async () => {
    const { run } = await bulkWorld();
    const folder = await mkdtemp("/dev/shm/supplyline-test-");
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const from = join(folder, "notes.csv");
    await writeFile(from, notesCsv(2));
    const { stdout } = await run(["bulk", "run", "notes", "--from", from, "--json"]);
    const { source, results } = JSON.parse(stdout);
    expect(source).toBe(from);
    expect(results).toBe(join(folder, "notes.results.csv"));
  },
);

test("a copy of standard input that a killed process left is removed after a month", async () => {
  const { run, folders } = await bulkWorld();
  const runs = join(folders.state, "runs");
  await mkdir(runs, { recursive: true, mode: 0o700 });
  await chmod(folders.state, 0o700);
  const monthAgo = new Date(Date.now() - 31 * 86_400_000);
  for (const name of ["old.input", "new.input"]) await writeFile(join(runs, name), "x");
  await utimes(join(runs, "old.input"), monthAgo, monthAgo);
  expect((await run(["bulk", "run", "notes", "--from", "-"], { input: notesCsv(1) })).code).toBe(0);
  const left = await readdir(runs);
  expect(left).toContain("new.input");
  expect(left).not.toContain("old.input");
});

test("invalid standard input leaves no files", async () => {
  const { run, folders } = await bulkWorld();
  const { code, stderr } = await run(["bulk", "run", "notes", "--from", "-"], {
    input: "import_supplier,external_account_number,body\n,,x\n",
  });
  expect(code).toBe(2);
  expect(stderr).toContain("standard input:2:");
  expect(await readdir(join(folders.state, "runs"))).toEqual([]);
});

test("a results file that already exists is not overwritten: 2, and nothing is sent", async () => {
  const { run, file, read, service, json } = await bulkWorld();
  await file("notes.csv", notesCsv(2));
  await file("notes.results.csv", "mine");
  const words = ["bulk", "run", "notes", "--from", "notes.csv"];
  const { code, stderr } = await run(words);
  expect(code).toBe(2);
  expect(stderr).toMatch(/notes\.results\.csv: it already exists.*--results FILE/);
  expect(await read("notes.results.csv")).toBe("mine");
  expect(service.ledger()).toEqual([]);
  expect(await json(["bulk", "list"])).toEqual([]);
  expect((await run([...words, "--results", "elsewhere.csv"])).code).toBe(0);
  expect(resultsOf(await read("elsewhere.csv"))).toHaveLength(2);
});

test("repeating a run adds nothing and replaces the first results file", async () => {
  const { run, file, read, service, json } = await bulkWorld();
  await file("notes.csv", notesCsv(2));
  const words = ["bulk", "run", "notes", "--from", "notes.csv"];
  expect((await run(words)).code).toBe(0);
  const second = await run(words);
  expect(second.code).toBe(0);
  expect(resultsOf(await read("notes.results.csv"))).toMatchObject([
    { outcome: "confirmed", status: "NOTE_ALREADY_EXISTS" },
    { outcome: "confirmed", status: "NOTE_ALREADY_EXISTS" },
  ]);
  expect(service.ledger()).toHaveLength(2);
  const [, first] = await json(["bulk", "list"]);
  expect(second.stderr).toContain(`bulk report ${first.run} --output FILE`);
  await run(["bulk", "report", first.run, "--output", "first.csv"]);
  expect(resultsOf(await read("first.csv"))).toMatchObject([
    { status: "NOTE_CREATION_SUCCESS" },
    { status: "NOTE_CREATION_SUCCESS" },
  ]);
});

test("what the service would do again is not sent again while the first results are there: 2", async () => {
  const { run, file, service } = await bulkWorld();
  await file("t.csv", transactionsCsv("1.00"));
  const words = ["bulk", "run", "transactions", "--from", "t.csv"];
  expect((await run([...words, "--no-check-previously-added"])).code).toBe(0);
  const second = await run([...words, "--no-check-previously-added"]);
  expect(second.code).toBe(2);
  expect(second.stderr).toContain("it already exists");
  expect(service.ledger()).toHaveLength(1);
  expect((await run(words)).code).toBe(0);
  expect(service.ledger()).toHaveLength(1);
});

test("a repeated run refuses notes without a body: 2", async () => {
  const { run, file, service } = await bulkWorld();
  const note = { import_supplier: "ACME", external_account_number: "EXT-0000001" };
  const paper = { document_paths: [{ document_path: "a.pdf" }] };
  await file("papers.jsonl", `${JSON.stringify({ ...note, ...paper })}\n`);
  const words = ["bulk", "run", "notes", "--from", "papers.jsonl"];
  expect((await run(words)).code).toBe(0);
  const second = await run(words);
  expect(second.code).toBe(2);
  expect(second.stderr).toContain("it already exists");
  expect(service.ledger()).toHaveLength(1);
});

test("an unusable results path ends with 2", async () => {
  const { run, file, service } = await bulkWorld();
  await file("notes.csv", notesCsv(2));
  const words = ["bulk", "run", "notes", "--from", "notes.csv", "--results"];
  expect((await run([...words, "nowhere/r.csv"])).stderr).toContain(
    "cannot be made: its folder is missing",
  );
  expect((await run([...words, "notes.csv"])).stderr).toContain("it already exists");
  expect(service.ledger()).toEqual([]);
});

test("no cell of the results starts a formula", async () => {
  const { run, file, read } = await bulkWorld();
  await file("n.csv", "import_supplier,external_account_number,body\nBULK,'=1+1,x\n");
  await run(["bulk", "run", "notes", "--from", "n.csv"]);
  expect(resultsOf(await read("n.results.csv"))).toMatchObject([
    { external_account_number: "'=1+1", outcome: "rejected" },
  ]);
});

test("a reader that has had enough of the summary changes nothing about the run", async () => {
  const { spawn, file, service, folders } = await bulkWorld("latency=100ms@notes");
  await file("notes.csv", notesCsv(20));
  const cli = await spawn(["bulk", "run", "notes", "--from", "notes.csv"]);
  await cli.stderr.waitForLine(/^run /);
  cli.closeReader("stdout");
  await cli.result;
  expect(service.ledger()).toHaveLength(20);
  expect(existsSync(join(folders.home, "notes.results.csv"))).toBe(true);
});

test.each([
  ["another file", "mine\n"],
  [
    "a file with the titles of results",
    `${resultColumns.map(({ name }) => name).join(",")}\n7,ACME,EXT-7,,confirmed,,,,,\n`,
  ],
  ["a folder", null],
])("%s that is put in place of the results stays, and they go beside it", async (_, text) => {
  const { start, run, file, path, service, read } = await bulkWorld("latency=100ms@notes");
  await file("notes.csv", notesCsv(20));
  const cli = await start(["bulk", "run", "notes", "--from", "notes.csv"]);
  const id = runIn({ stderr: `${await cli.stderr.waitForLine(/^run /)}\n` });
  await rm(path("notes.results.csv"));
  if (text === null) await mkdir(path("notes.results.csv"));
  else await file("notes.results.csv", text);
  const { code, stdout, stderr } = await cli.result;
  expect({ code, sent: service.ledger().length }).toEqual({ code: 0, sent: 20 });
  const beside = `notes.results.${id}.csv`;
  expect(stderr).toContain(`The results are in ${beside}.`);
  expect(stdout).toContain(`Results: ${beside}`);
  if (text !== null) expect(await read("notes.results.csv")).toBe(text);
  expect(resultsOf(await read(beside))).toHaveLength(20);
  // The run's results are in that file from now on.
  await rm(path(beside));
  expect((await run(["bulk", "report", id])).code).toBe(0);
  expect(resultsOf(await read(beside))).toHaveLength(20);
});

test("a results file that was changed in its place meanwhile stays as it is", async () => {
  const { start, file, read } = await bulkWorld("latency=100ms@notes");
  await file("notes.csv", notesCsv(20));
  const cli = await start(["bulk", "run", "notes", "--from", "notes.csv"]);
  const id = runIn({ stderr: `${await cli.stderr.waitForLine(/^run /)}\n` });
  const titles = await read("notes.results.csv");
  expect(resultsOf(titles)).toEqual([]);
  const edited = `${titles}a remark\n`;
  await file("notes.results.csv", edited);
  expect((await cli.result).code).toBe(0);
  expect(await read("notes.results.csv")).toBe(edited);
  expect(resultsOf(await read(`notes.results.${id}.csv`))).toHaveLength(20);
});
