import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../helpers/command.ts";
import { account, notesCsv, runIn } from "../helpers/desk.ts";
import { openLists, openObserver } from "../helpers/lists.ts";
import { runProcess } from "../helpers/process.ts";
import { openSandbox } from "../helpers/service.ts";
import { alterCohort, storeWatched } from "../helpers/state.ts";
import { world } from "../helpers/world.ts";

/** The commands of the code blocks of a report, as a shell takes them apart. */
async function commandsIn(markdown: string): Promise<readonly (readonly string[])[]> {
  const blocks = [...markdown.matchAll(/^(`{3,})sh\n([\s\S]*?)\n\1$/gm)].map(([, , text]) => text);
  const script = `supplyline() { printf '%s\\0' "$@"; printf '\\n\\0'; }\n${blocks.join("\n")}\n`;
  const { code, stdout } = await runProcess(["/bin/sh", "-c", script]);
  expect(code).toBe(0);
  const commands: string[][] = [];
  const words: string[] = [];
  for (const word of stdout.split("\0").slice(0, -1)) {
    if (word !== "\n") words.push(word);
    else commands.push(words.splice(0));
  }
  return commands;
}

/** A shift that leaves something of everything open. */
async function openShift() {
  const supplier = { code: "BULK", status: "Ongoing", imported: 60, staged: 3 } as const;
  const sandbox = await openSandbox({ suppliers: [supplier] });
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await sandbox[Symbol.asyncDispose]();
    isClosed = true;
  };
  onTestFinished(close);
  const desk = await world({ service: sandbox, env: { SUPPLYLINE_ENVIRONMENT: "sandbox" } });
  const { run, start, file, folders } = desk;
  await run(["accounts", "list", "BULK", "--limit", "1000"]);
  await run(["accounts", "list", "BULK"]);
  // One account leaves the list without being imported.
  sandbox.setFaults(["rows=62@all"]);
  await run(["accounts", "list", "BULK"]);
  const note = (n: number) => ["notes", "create", "BULK", account(n), "--settle", "0s"];
  sandbox.setFaults(["reset-after@notes"]);
  await run([...note(1), "--body", "lost"]);
  sandbox.setFaults(["500@payment-instructions"]);
  await run([
    ...["payment-instructions", "create", "BULK", account(2), "--vendor", "GOODPAY"],
    ...["--reference", "R-1", "--type", "CARD"],
  ]);
  sandbox.setFaults([]);
  const csv = `${notesCsv(2, "first")}BULK,NONE-1,x\nBULK,NONE-2,y\n`;
  await file("rejected.csv", csv);
  const rejected = runIn(await run(["bulk", "run", "notes", "--from", "rejected.csv"]));
  sandbox.setFaults(["latency=200ms@notes"]);
  await file("stopped.csv", notesCsv(40, "second"));
  await using cli = await start(["bulk", "run", "notes", "--from", "stopped.csv"]);
  const line = await cli.stderr.waitForLine(/^run /);
  cli.kill("SIGINT");
  await cli.result;
  sandbox.setFaults(["rows=62@all"]);
  const owner = { profile: "ad-hoc", service: sandbox.baseUrl };
  await storeWatched(folders.state, owner, [
    { kind: "account", supplier: "BULK", number: account(3), addedAt: 0, timeline: [] },
  ]);
  return { ...desk, sandbox, close, rejected, stopped: runIn({ stderr: `${line}\n` }) };
}

test("a report has everything open, and each of its commands continues it", async () => {
  const { run, rejected, stopped, sandbox } = await openShift();
  const { code, stdout, stderr } = await run(["report"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^# Shift report of ad-hoc, /);
  expect(stdout).toContain(
    "Open: 1 entry unknown, 1 gone at BULK, 2 rows rejected, 1 run stopped, 1 entry retryable, watching 1.",
  );
  expect(stdout).toContain("To connect, set SUPPLYLINE\\_BASE\\_URL=http://127.0.0.1:");
  expect(stdout).toContain("left the list without being imported: BULK-0000063.");
  expect(stdout).toMatch(/\| 1 \| 2 \| notes create \| 404 \| not\\_found/);
  const commands = await commandsIn(stdout);
  const lines = commands.map((words) => words.join(" "));
  expect(lines).toEqual([
    "suppliers show BULK",
    expect.stringMatching(/^changes BULK --since \d{4}-\d\d-\d\dT[\d:]+Z$/),
    "accounts list --ages BULK --state pending",
    "accounts list --ages BULK --filter is:gone",
    expect.stringMatching(/^activity list --by cause --since /),
    expect.stringMatching(`^bulk rejected ${rejected} --cause notes-create:404:not_found$`),
    expect.stringMatching(/^activity verify \d+$/),
    expect.stringMatching(/^activity resend \d+ --reason TEXT --again$/),
    `bulk rejected ${rejected}`,
    `open --run ${rejected}`,
    `bulk resume ${stopped}`,
    `open --run ${stopped}`,
    `accounts watch BULK ${account(3)}`,
  ]);
  sandbox.setFaults([]);
  for (const words of commands) {
    // It needs a terminal.
    if (words[0] === "open") continue;
    const result = await run(words);
    expect(result.code, `${words.join(" ")}\n${result.stderr}`).toBe(0);
  }
  const after = await run(["report", "--json"]);
  const report = JSON.parse(after.stdout);
  expect(report).toMatchObject({ entries: [], runs: [], problems: [] });
  expect(report.rejected_rows).toMatchObject([{ run: rejected, import_supplier: "BULK", rows: 2 }]);
  expect(report.suppliers[0].gone).toMatchObject({ count: 0 });
});

test("on another machine, each command of a report works or names the state folder it needs", async () => {
  const { run, file, folders, sandbox } = await openShift();
  await file("wave.txt", `${account(61)}\n${account(62)}\n`);
  await run(["cohorts", "add", "wave-3", "BULK", "--source", "wave.txt"]);
  const owner = { profile: "ad-hoc", service: sandbox.baseUrl };
  await storeWatched(folders.state, owner, [
    { kind: "cohort", supplier: "BULK", number: "wave-3", addedAt: 0, timeline: [] },
  ]);
  const { stdout } = await run(["report"]);
  expect(stdout).toContain(`in ${folders.state}`.replaceAll("_", "\\_"));
  const colleague = await world({ service: sandbox });
  const answers: Record<string, string> = {};
  for (const words of [
    ...(await commandsIn(stdout)),
    ["activity", "list", "--supplier", "BULK", "--outcome", "unknown"],
  ]) {
    if (words[0] === "open") continue;
    const result = await colleague.run(words[1] === "resend" ? [...words, "--yes"] : words);
    answers[words.slice(0, 2).join(" ")] = `${result.code} ${result.stderr}`;
  }
  const named = /^[25] .*SUPPLYLINE_STATE_DIR/;
  expect(answers).toEqual({
    "suppliers show": expect.stringMatching(/^0 /),
    "changes BULK": expect.stringMatching(
      /^0 .*since the first list in this state folder, of \d{4}/,
    ),
    "accounts list": expect.stringMatching(/^0 /),
    "reconcile BULK": expect.stringMatching(named),
    "bulk rejected": expect.stringMatching(named),
    "activity verify": expect.stringMatching(named),
    "activity resend": expect.stringMatching(named),
    "bulk resume": expect.stringMatching(named),
    "accounts watch": expect.stringMatching(named),
    "activity list": expect.stringContaining(colleague.folders.state),
  });
});

test("while the service is down it is made from what is stored, and says so", async () => {
  const { run, close, sandbox } = await openShift();
  await close();
  const { code, stdout, stderr } = await run(["report", "--since", "1d"]);
  expect(code).toBe(0);
  expect(stderr).toContain("A list could not be loaded");
  expect(stdout).toContain("some figures are older, stored ones");
  expect(stdout).toMatch(/These figures were stored at \d{4}-\d\d-\d\d \d\d:\d\d UTC\./);
  expect(stdout).toMatch(/\| BULK \| 60 \| 60 \| 3 \| 2 \|/);
  expect(stdout).toContain("Open: 1 entry unknown, 1 gone at BULK, 2 rows rejected, 1 run stopped");
  expect(stdout).toContain("Not everything is known: 1 list not loaded.");
  expect(stdout).toContain("as lists show");
  expect(stdout).not.toContain(sandbox.apiKey);
  const json = JSON.parse((await run(["report", "--json"])).stdout);
  expect(json.suppliers[0]).toMatchObject({
    import_supplier: "BULK",
    now: { imported: 60, pending: 2, total: 62 },
    problem: expect.stringContaining("127.0.0.1"),
  });
});

describe("from observed lists alone", () => {
  test("it compares now with then, and names the oldest and the gone", async () => {
    const service = await openLists();
    await using machine = await openObserver(service);
    await machine.list("A", 0, [["OLD"], ["LOST"], ["DONE"]]);
    await machine.list("A", 30, [["OLD"], ["NEW"], ["DONE", "S-1"]]);
    await machine.list("B", 0, [["B-1", "S-1"]]);
    const { stdout } = await machine.run("report", "--since", "40h", "--json");
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ since: "2026-11-20T02:00:00Z", profile: "ad-hoc", entries: [] });
    expect(report.suppliers).toMatchObject([
      {
        import_supplier: "A",
        cohort: null,
        problem: null,
        pending_over_a_day: 1,
        now: { imported: 1, pending: 2, total: 3, listed_at: "2026-11-21T18:00:00Z" },
        before: { imported: 0, pending: 3, listed_at: "2026-11-20T12:00:00Z" },
        changes: { staged: 1, imported: 1, gone: 1 },
        gone: { count: 1, at_least: false, accounts: ["LOST"] },
      },
      { import_supplier: "B", before: null, changes: { imported: 0 } },
    ]);
    expect(report.suppliers[0].oldest_pending).toEqual([
      { external_account_number: "OLD", pending_since: "2026-11-20T12:00:00Z" },
      { external_account_number: "NEW", pending_since: "2026-11-21T18:00:00Z" },
    ]);
    const only = JSON.parse((await machine.run("report", "B", "--json")).stdout);
    expect(only.suppliers).toHaveLength(1);
  });

  test("--cohort narrows it down to the accounts of a list", async () => {
    const service = await openLists();
    await using machine = await openObserver(service);
    await machine.list("A", 0, [["OLD"], ["LOST"], ["DONE"], ["OTHER"]]);
    await machine.list("A", 2, [["OLD"], ["DONE", "S-1"], ["OTHER", "S-2"]]);
    const file = join(machine.folders.home, "wave.txt");
    await mkdir(machine.folders.home, { recursive: true });
    await writeFile(file, "OLD\nLOST\nDONE\nNEVER\n");
    await machine.run("cohorts", "add", "wave-1", "A", "--source", file);
    const run = (...words: string[]) => machine.run("report", "--cohort", "wave-1", ...words);
    const narrowed = {
      import_supplier: "A",
      cohort: "wave-1",
      before: null,
      now: { imported: 1, pending: 1, total: 4 },
      changes: { imported: 1, staged: 0, gone: 1 },
      gone: { count: 1, accounts: ["LOST"] },
      oldest_pending: [{ external_account_number: "OLD" }],
    };
    expect(JSON.parse((await run("--json")).stdout).suppliers).toMatchObject([narrowed]);
    expect((await run()).stdout).toContain("supplyline reconcile A --cohort wave-1");
    service.set("A", "no list");
    const stored = JSON.parse((await run("--json")).stdout).suppliers;
    expect(stored).toMatchObject([{ ...narrowed, problem: expect.stringContaining("readable") }]);
    expect(await run("B")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is of supplier A, not of B"),
    });
  });
});

test("a report names the cohorts that have accounts on no list as open", async () => {
  const service = await openLists();
  await using machine = await openObserver(service);
  await machine.list("A", 0, [["OLD"], ["DONE", "S-1"]]);
  await mkdir(machine.folders.home, { recursive: true });
  const add = async (name: string, supplier: string, numbers: string) => {
    const file = join(machine.folders.home, `${name}.txt`);
    await writeFile(file, numbers);
    await machine.run("cohorts", "add", name, supplier, "--source", file);
  };
  await add("wave-1", "A", "OLD\nNEVER\nDONE\n");
  await add("complete", "A", "DONE\n");
  await add("elsewhere", "OTHER", "X\n");
  const { stdout } = await machine.run("report");
  expect(stdout).toContain("Open: 1 of wave-1 on no list.");
  expect(stdout).toContain("| wave-1 | A | 3 | 1 | 1 | 1 |");
  expect(stdout).toContain("| complete | A | 1 | 1 | 0 | 0 |");
  expect(stdout).toContain("supplyline reconcile A --cohort wave-1");
  expect(stdout).not.toContain("--cohort complete");
  const report = JSON.parse((await machine.run("report", "--json")).stdout);
  expect(report.open).toMatchObject({ unlisted: 1 });
  expect(report.cohorts.map((one: { cohort: string }) => one.cohort)).toEqual([
    "complete",
    "wave-1",
  ]);
  const other = JSON.parse((await machine.run("report", "A", "--json")).stdout);
  expect(other.cohorts).toHaveLength(2);
  // A stored list that was changed says nothing about its accounts.
  await alterCohort(machine.folders.state, "wave-1", "OLD\n");
  const changed = await machine.run("report");
  expect(changed).toMatchObject({ code: 2, stderr: expect.stringContaining("SHA-256") });
  expect(changed.stdout).toContain(
    "Nothing is known to be open. Not everything is known: 1 cohort",
  );
});

test("watched accounts of a wave are one line with one command", async () => {
  const service = await openLists();
  await using machine = await openObserver(service);
  await machine.list("A", 0, [["N-1"]]);
  const numbers = Array.from({ length: 60 }, (_, at) => `N-${at + 1}`);
  const file = join(machine.folders.home, "wave.txt");
  await mkdir(machine.folders.home, { recursive: true });
  await writeFile(file, numbers.slice(0, 50).join("\n"));
  await machine.run("cohorts", "add", "wave-1", "A", "--source", file);
  const states = ["IN_PROGRESS", "COMPLETED", "UNKNOWN"] as const;
  await storeWatched(
    machine.folders.state,
    { profile: "ad-hoc", service: service.env.SUPPLYLINE_BASE_URL },
    numbers.map((number, at) => ({
      kind: "account" as const,
      supplier: "A",
      number,
      addedAt: 0,
      timeline: [
        { state: "IN_PROGRESS", firstSeenAt: 1, lastSeenAt: 2 },
        {
          state: states[at < 45 ? 0 : at < 48 ? 1 : at < 50 ? 2 : 0] ?? "",
          firstSeenAt: 3,
          lastSeenAt: 4,
        },
      ],
    })),
  );
  const { stdout } = await machine.run("report");
  expect(stdout).toContain("A, cohort wave-1: 45 of 50 IN\\_PROGRESS, 3 imported, 2 failed.");
  expect(stdout).toContain("supplyline accounts watch A --cohort wave-1");
  // A failed account needs someone, so it is named; ten others are few enough.
  expect(stdout.match(/\| N-\d+ \|/g)).toHaveLength(12);
  expect(stdout.split("\n").length).toBeLessThan(70);
});

test("--output writes a new page, and overwrites nothing", async () => {
  const service = await openLists();
  await using machine = await openObserver(service);
  await machine.list("A", 0, [["OLD"]]);
  const file = join(machine.folders.state, "handover.html");
  const write = () => machine.run("report", "--format", "html", "--output", file);
  expect(await write()).toMatchObject({ code: 0, stdout: "" });
  const page = await readFile(file, "utf8");
  expect(page).toMatch(/^<!doctype html>\n/);
  expect(page).toContain("Pending longest: OLD (just seen).");
  expect(page).not.toMatch(/<script|src=|href=/);
  expect(await write()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("already exists"),
  });
});

test.each([
  [["--format", "csv"], "Allowed: md, html, json."],
  [["--since", "soon"], '--since "soon" is no time'],
  [["--cohort", "none"], "there is no cohort none"],
])("report %j ends with 2", async (words, message) => {
  const { code, stderr } = await runCommand(["report", ...words, "--sandbox"]);
  expect(code).toBe(2);
  expect(stderr.toLowerCase()).toContain(message.toLowerCase());
});

test("a watched account that the list shows as imported has ended, whatever its last check found", async () => {
  const service = await openLists();
  await using machine = await openObserver(service);
  await machine.list("A", 0, [["N-1", "A-1"], ["N-2"]]);
  const check = { state: "IN_PROGRESS", firstSeenAt: 1, lastSeenAt: 2 };
  await storeWatched(
    machine.folders.state,
    { profile: "ad-hoc", service: service.env.SUPPLYLINE_BASE_URL },
    ["N-1", "N-2"].map((number) => ({
      kind: "account" as const,
      supplier: "A",
      number,
      addedAt: 0,
      timeline: [check],
    })),
  );
  const { stdout } = await machine.run("report");
  const endOf = (number: string) =>
    stdout
      .split("\n")
      .find((line) => line.includes(`| ${number} |`))
      ?.match(/([^|]+) \|$/)?.[1];
  expect([endOf("N-1"), endOf("N-2")]).toEqual([" imported", " not yet"]);
});
