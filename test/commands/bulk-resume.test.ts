import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { openJournal } from "../../src/writes/journal/open-journal.ts";
import { bulkWorld, notesCsv, resultsOf, runIn } from "../helpers/desk.ts";
import { eventually } from "../helpers/eventually.ts";

const run40 = ["bulk", "run", "notes", "--from", "notes.csv", "--concurrency", "4"];
const production = { env: { SUPPLYLINE_ENVIRONMENT: "production" } };

/** A desk with a run that ended in its middle, as `end` ends it, and the run's id. */
async function deskAfter(rows: number, end: "killed" | "stopped") {
  const desk = await bulkWorld("latency=60ms@notes");
  await desk.file("notes.csv", notesCsv(rows));
  const killed = end === "killed" ? await desk.spawn(run40) : null;
  await using cli = killed ?? (await desk.start(run40));
  await cli.stderr.waitForLine(/^run /);
  await eventually(() => expect(desk.landed().length).toBeGreaterThan(8));
  if (killed) killed.kill("SIGKILL");
  else cli.kill("SIGINT");
  const { stderr } = await cli.result;
  desk.service.setFaults([]);
  return { ...desk, id: runIn({ stderr }) };
}

/** After a process that ended without a word. */
const killedDesk = (rows = 40) => deskAfter(rows, "killed");
/** After Ctrl-C, in the process of the test. */
const stoppedDesk = (rows = 40) => deskAfter(rows, "stopped");

test("a killed run says what is left, is resumed, and nothing takes effect twice", async () => {
  const { run, id, landed, read, json, service } = await killedDesk();
  expect(await json(["bulk", "list"])).toMatchObject([
    { run: id, outcome: "stopped", stopped_because: "its process ended before it did" },
  ]);
  const early = await read("notes.results.csv");
  expect(early).toMatch(/^line,import_supplier,/);
  const dry = ["bulk", "resume", id, "--dry-run"];
  const told = await run(dry);
  expect(told.code).toBe(0);
  expect(told.stderr).toContain("nothing was sent and nothing recorded");
  expect(told.stdout).toContain(`POST ${service.baseUrl}/v1/data-import/notes/create/`);
  expect(told.stdout).toMatch(/It would send \d+ rows\./);
  const [listed] = await json(["bulk", "list"]);
  const { rows: left, first } = await json(dry);
  expect(left).toEqual({ to_send: listed.unsent, in_doubt: listed.unknown, recorded: true });
  expect(left.to_send + left.in_doubt).toBe(40 - listed.confirmed);
  expect(first).toHaveLength(3);
  expect(await json(["bulk", "list"])).toEqual([listed]);
  const result = await run(["bulk", "resume", id, "--settle", "0s"]);
  expect(result).toMatchObject({ code: 0 });
  expect(runIn(result)).toBe(id);
  expect((await run(dry)).stdout).toContain("Nothing is left");
  expect(new Set(landed()).size).toBe(40);
  expect(landed()).toHaveLength(40);
  const rows = resultsOf(await read("notes.results.csv"));
  expect(rows.map(({ line }) => Number(line))).toEqual(rows.map((_, at) => at + 2));
  expect(rows.every(({ outcome }) => outcome === "confirmed")).toBe(true);
});

test("a row without a stored body is the reason why its run stopped, not the user: 6", async () => {
  const { run, json, folders, id } = await stoppedDesk(20);
  const journal = await openJournal({ folder: folders.state });
  onTestFinished(() => journal.close());
  await journal.commit((rows) =>
    rows.run(
      `UPDATE intent SET body = NULL
       WHERE id = (SELECT max(id) FROM intent WHERE state IN ('intent', 'unsent'))`,
    ),
  );
  // The options of one turn are for that turn.
  const resumed = await run(["bulk", "resume", id, "--settle", "0s", "--concurrency", "5"]);
  expect(resumed.code).toBe(6);
  const stored = journal.read((rows) => rows.get("SELECT reading FROM run WHERE id = ?", id));
  expect(JSON.parse(String(stored?.reading))).toMatchObject({ concurrency: "4" });
  expect(resumed.stderr).toContain(`Run ${id} has stopped, 1 row left: 1 row could not be sent.`);
  expect(await json(["bulk", "list"])).toMatchObject([
    { run: id, outcome: "stopped", unsent: 1, stopped_because: "1 row could not be sent" },
  ]);
  expect(await run(["bulk", "report", id])).toMatchObject({ code: 6 });
  const { stderr } = await run(["bulk", "resume", id, "--json"]);
  const error = stderr.trimEnd().split("\n").at(-1) ?? "";
  expect(JSON.parse(error).error).toMatchObject({ kind: "not-sent" });
});

test("a run whose rows have all ended is only reported again", async () => {
  const { run, id, landed } = await stoppedDesk(20);
  await run(["bulk", "resume", id, "--settle", "0s"]);
  const { stdout: table } = await run(["bulk", "list"]);
  expect(table).toMatch(/ \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z /);
  const again = await run(["bulk", "resume", id]);
  expect(again.code).toBe(0);
  expect(again.stdout).toContain("every row has an outcome");
  expect(landed()).toHaveLength(20);
});

test("a run is not resumed with another input or service, read-only, or unconfirmed on production: 2", async () => {
  const { run, id, file, json, service } = await stoppedDesk();
  const before = await json(["bulk", "list"]);
  const other = await bulkWorld();
  const resume = ["bulk", "resume", id, "--settle", "0s"];
  const refused = async (options: Parameters<typeof run>[1], ...more: string[]) => {
    const { code, stderr } = await run([...resume, ...more], options);
    expect(code).toBe(2);
    return stderr;
  };
  const elsewhere = await refused({ env: { ...other.env } });
  expect(elsewhere).toMatch(/is for http:.* \(profile ad-hoc\).*SUPPLYLINE_BASE_URL=http:/);
  expect(elsewhere).not.toContain("--profile");
  expect(await refused(production)).toMatch(
    /Resuming run \w+, last changed \S+ \S+ UTC, with \d+ rows of notes needs to be confirmed.*--yes/,
  );
  expect(await refused({}, "--read-only")).toContain("--read-only forbids");
  const whole = await run(["bulk", "discard", id]);
  expect(whole).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be discarded") });
  await file("notes.csv", notesCsv(41));
  expect(await refused({})).toMatch(/notes\.csv has changed since run/);
  expect(await json(["bulk", "list"])).toEqual(before);
  await file("notes.csv", notesCsv(40));
  expect((await run([...resume, "--yes"], production)).code).toBe(0);
  expect(service.ledger()).toHaveLength(40);
  // Nothing is left to confirm.
  const over = await run(resume, production);
  expect(over).toMatchObject({ code: 0, stdout: expect.stringContaining("every row has") });
});

test("a missing input is not needed once every row is recorded, as a notice says", async () => {
  const { run, id, path, landed } = await stoppedDesk();
  await rm(path("notes.csv"));
  const { code, stderr } = await run(["bulk", "resume", id, "--settle", "0s"]);
  expect(stderr).toMatch(/notes\.csv is missing; every row is recorded, so it is not needed/);
  expect(code).toBe(0);
  expect(landed()).toHaveLength(40);
});

test("an unknown run: 5, and a run that is under way: 6", async () => {
  const { run, start, file } = await bulkWorld("hang@notes");
  expect((await run(["bulk", "resume", "rabcde"])).code).toBe(5);
  expect((await run(["bulk", "report", "rabcde"])).stderr).toContain("supplyline bulk list");
  await file("notes.csv", notesCsv(60));
  const cli = await start(run40);
  const id = runIn({ stderr: `${await cli.stderr.waitForLine(/^run /)}\n` });
  const listed = async () => (await run(["bulk", "list"])).stdout;
  await eventually(async () => expect(await listed()).toContain("running"));
  const busy = await run(["bulk", "resume", id, "--json"]);
  expect(busy.code).toBe(6);
  expect(busy.stderr).toContain('"kind":"in-use"');
});

test("resuming does not overwrite the results of a newer run", async () => {
  const { run, id, path, read, file } = await stoppedDesk(20);
  await rename(path("notes.results.csv"), path("old.csv"));
  await file("other.csv", notesCsv(1, "another"));
  const other = ["bulk", "run", "notes", "--from", "other.csv", "--results", "notes.results.csv"];
  expect((await run(other)).code).toBe(0);
  const theirs = await read("notes.results.csv");
  const { code, stderr } = await run(["bulk", "resume", id]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/it contains the results of run/);
  await run(["bulk", "report", id]);
  expect(await read("notes.results.csv")).toBe(theirs);
});

test("standard input that was not fully recorded is resumed from its copy", async () => {
  const { spawn, start, run, folders, landed, json } = await bulkWorld();
  const cli = await spawn(["bulk", "run", "notes", "--from", "-"]);
  const many = notesCsv(400).trimEnd().split("\n");
  const [head, ...rows] = many;
  const all = Array.from({ length: 10 }, (_, n) => rows.map((row) => `${row} of ${n}`)).flat();
  cli.write(`${[head, ...all].join("\n")}\n`);
  cli.endInput();
  await cli.stderr.waitForLine(/^run /);
  cli.kill("SIGKILL");
  const id = runIn(await cli.result);
  const [{ outcome, rows: expected }] = await json(["bulk", "list"]);
  expect({ outcome, expected }).toEqual({ outcome: "unrecorded", expected: all.length });
  expect(landed()).toEqual([]);
  expect((await run(["bulk", "report", id])).code).toBe(130);
  const resumed = await start(["bulk", "resume", id]);
  // All of it is recorded before the first row leaves.
  await eventually(() => expect(landed().length).toBeGreaterThan(0));
  expect(existsSync(`${folders.state}/runs`)).toBe(true);
  resumed.kill("SIGINT");
  expect((await resumed.result).code).toBe(130);
});

test("a run that was not fully recorded says so, and is discarded with the files made for it", async () => {
  const { spawn, run, file, folders, landed, path, json } = await bulkWorld();
  const many = notesCsv(400).trimEnd().split("\n");
  const [head, ...rows] = many;
  const all = Array.from({ length: 60 }, (_, n) => rows.map((row) => `${row} of ${n}`)).flat();
  await file("notes.csv", `${[head, ...all].join("\n")}\n`);
  const cli = await spawn(["bulk", "run", "notes", "--from", "notes.csv"]);
  await cli.stderr.waitForLine(/^run /);
  const journal = await openJournal({ folder: folders.state });
  onTestFinished(() => journal.close());
  const recorded = () => journal.read((rows) => rows.get("SELECT recorded FROM run")?.recorded);
  await eventually(() => expect(recorded()).toBeGreaterThan(0));
  cli.kill("SIGKILL");
  const id = runIn(await cli.result);

  expect((await run(["bulk", "list"])).stdout).toMatch(/not fully recorded .*nothing sent/);
  const report = await run(["bulk", "report", id]);
  expect(report).toMatchObject({ code: 130 });
  expect(report.stdout).toContain(": not fully recorded, nothing was sent.");
  expect(report.stdout).toContain(`supplyline bulk resume ${id}`);
  expect(report.stdout).toContain(`supplyline bulk discard ${id}`);
  const [{ journal_id }] = await json(["activity", "list", "--limit", "1"]);
  const resent = await run(["activity", "resend", String(journal_id), "--yes"]);
  expect(resent).toMatchObject({ code: 2, stderr: expect.stringContaining(`row of run ${id}`) });

  expect(existsSync(path("notes.results.csv"))).toBe(true);
  const discarded = await run(["bulk", "discard", id]);
  expect(discarded).toMatchObject({ code: 0, stdout: expect.stringContaining("is discarded") });
  expect(await json(["bulk", "list"])).toEqual([]);
  expect(await json(["activity", "list"])).toEqual([]);
  expect(existsSync(path("notes.results.csv"))).toBe(false);
  expect(existsSync(`${folders.state}/runs`)).toBe(false);
  expect(landed()).toEqual([]);
  expect((await run(["bulk", "discard", id])).code).toBe(5);
});

test("a run on the embedded sandbox says that it cannot be resumed, and leaves the journal alone", async () => {
  const { spawn, run, file, folders } = await bulkWorld();
  const rows = Array.from({ length: 3_000 }, (_, n) => `ACME,EXT-0000001,note ${n}`);
  await file("acme.csv", `import_supplier,external_account_number,body\n${rows.join("\n")}\n`);
  const words = ["--sandbox", "bulk", "run", "notes", "--from", "acme.csv", "--concurrency", "1"];
  const cli = await spawn(words);
  const said = await cli.stderr.waitForLine(/cannot be resumed/);
  expect(said).toContain("supplyline sandbox");
  cli.kill("SIGKILL");
  const id = runIn(await cli.result);
  expect(existsSync(join(folders.state, "journal.sqlite"))).toBe(false);
  const resumed = await run(["--sandbox", "bulk", "resume", id]);
  expect(resumed.code).toBe(2);
  expect(resumed.stderr).toContain("its journal end with the command that started it");
  expect((await run(["bulk", "report", id])).code).toBe(5);
});
