import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../src/api/clock.ts";
import { readRequests } from "../../src/bulk/input/read-planned.ts";
import { recordRequests } from "../../src/bulk/record.ts";
import { runBulk } from "../../src/bulk/run.ts";
import { createRun } from "../../src/bulk/runs.ts";
import { sourceBytes } from "../../src/bulk/source.ts";
import { openWrites } from "../../src/writes/open-writes.ts";
import { options } from "../bulk/input/inputs.ts";
import { fakeClock } from "../helpers/clock.ts";
import { type Console, type OpenConsoleOptions, openConsole } from "../helpers/console.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { storedDrafts } from "../helpers/state.ts";
import { spawnConsole } from "../helpers/terminal.ts";
import { writeService } from "../writes/write-service.ts";

let service: TestSandbox;
let folders: Folders;

beforeEach(async () => {
  // Its imports stand still: stories name how many accounts are in a list.
  service = await openSandbox();
  folders = await openFolders();
});

const landed = () => service.ledger().filter(({ cause }) => cause === "request");

/** Checks that everything took effect exactly once. */
function expectOnceEach(count: number): void {
  const keys = landed().map(({ identifier, key }) => `${identifier} ${key}`);
  expect(keys).toHaveLength(count);
  expect(new Set(keys).size).toBe(count);
}

function open(args: readonly string[], options: OpenConsoleOptions = {}) {
  const env = { ...service.env, ...options.env };
  return openConsole(args, { cols: 110, rows: 34, folders, ...options, env });
}

/** A console in a process of its own, whose number the journal knows and which can be killed. */
function openElsewhere(args: readonly string[]) {
  return spawnConsole(args, { cols: 110, rows: 34, folders, env: service.env });
}

/** To a list of ACME's accounts. */
async function openList(tab: "All" | "Imported", options?: OpenConsoleOptions): Promise<Console> {
  const terminal = await open(["open", "ACME"], options);
  await terminal.waitFor(/\d+ accounts/);
  await terminal.press("enter").until("[All");
  if (tab === "Imported") terminal.press("tab", "tab");
  await terminal.waitFor(`[${tab} `);
  await terminal.waitFor(tab === "All" ? "1 of 120 " : "1 of 76 ");
  return terminal;
}

/** Marks the first accounts of the list, `B`, and to the form of a note with its text. */
async function composeNote(terminal: Console, marks: number, text: string): Promise<void> {
  for (let marked = 1; marked <= marks; marked++) {
    await terminal.press("space").until(`${marked} marked`);
  }
  await composeForMarked(terminal, marks, text);
}

async function composeForMarked(terminal: Console, marks: number, text: string): Promise<void> {
  await terminal.press("B").until(`Compose for ${marks} marked accounts`);
  await terminal.press("enter").until(`Notes for ${marks} marked accounts of ACME`);
  await terminal.send(text).until(text);
}

async function review(terminal: Console): Promise<string> {
  await terminal.press("page-down").until(/▌.*Review/);
  terminal.press("enter");
  return terminal.waitFor("Goes out");
}

/** Sends what is reviewed: many rows take a yes outside production. */
async function sendAll(terminal: Console): Promise<void> {
  await terminal.act("send").until("Yes, send");
  terminal.press("down", "enter");
}

test("a note for three marked accounts is reviewed, sent, followed, and confirmed on each", async () => {
  await using terminal = await openList("Imported");
  await terminal.press("B").until("Mark accounts first: Space marks one, + all that match.");
  await composeNote(terminal, 3, "Moved: {external_account_number");
  await terminal.waitFor("This { is not closed");
  await terminal.send("}").until("→ Moved: EXT-0000001");
  const shown = await review(terminal);
  expect(shown).toContain("3 notes to 3 of 3 marked accounts of ACME");
  expect(shown).toContain(`POST ${service.baseUrl}/v1/data-import/notes/create/`);
  expect(shown).toMatch(/EXT-0000001 +"Moved: EXT-0000001"/);
  expect(shown).toMatch(/EXT\/0000011 +"Moved: /);
  const json = await terminal.press("v").until('"body": "Moved: EXT-0000001"');
  expect(json).toContain("Last account: 1 note for EXT/0000011 of ACME");
  terminal.press("enter", "enter");
  await terminal.press("x").until("curl sends the first of 3 requests");
  await terminal.press("esc").untilGone("curl sends");
  expect(landed()).toHaveLength(0);

  await sendAll(terminal);
  const run = await terminal.waitFor("✓ 3 of 3 confirmed");
  expect(run).toContain("notes from marked accounts");
  expectOnceEach(3);
  expect(landed().map(({ key }) => key)).toContain("Moved: EXT-0000001");
  expect(storedDrafts(folders.state, "ad-hoc")).toEqual([]);
  await terminal.waitFor("1 of 3");
  await terminal.press("j", "o").until(/Activity › Entry \d/);
  await terminal.waitFor("Bulk run");
  await terminal.press("esc").until("✓ 3 of 3 confirmed");
  await terminal.press("esc").until("3 marked  B composes for them");
  await terminal.palette("runs").until(/notes .*3\/3 .*finished/);
});

test("Esc keeps what was typed for the marked accounts, and there it is again", async () => {
  await using terminal = await openList("Imported");
  await composeNote(terminal, 2, "For later {foo}");
  await terminal.waitFor("There is no {foo}: there are {external_account_number}");
  await terminal.press("esc").until("2 marked  B composes for them");
  await terminal.press("B").until("Compose for 2");
  await terminal.press("enter").until("restored; F9 discards it");
  expect(terminal.text()).toContain("For later {foo}");
});

test("on production the number of rows is typed, once it is unlocked", async () => {
  await using terminal = await openList("Imported", {
    env: { SUPPLYLINE_ENVIRONMENT: "production" },
  });
  await composeNote(terminal, 2, "Careful");
  await review(terminal);
  await terminal.waitFor("Writes to production are locked: U unlocks them.");
  terminal.act("send");
  await terminal.press("U").until("Type ad-hoc to unlock");
  await terminal.send("ad-hoc").until("name  ad-hoc");
  await terminal.press("enter").until("s sends them after you type 2");
  await terminal
    .act("send")
    .until("Send 2 notes to 2 accounts of ACME, on ad-hoc (PRODUCTION, 127.0.0.1");
  await terminal.send("3").until("rows  3");
  await terminal.press("enter").until("That is not 2; nothing was sent.");
  expect(landed()).toHaveLength(0);
  await terminal.press("ctrl-u").untilGone("nothing was sent");
  await terminal.send("2").until("rows  2");
  await terminal.press("enter").until("✓ 2 of 2 confirmed");
  expectOnceEach(2);
});

test("transactions show their exact sum, and ask before they are sent", async () => {
  await using terminal = await openList("Imported");
  await terminal.press("space", "space", "space").until("3 marked");
  await terminal.press("B").until("Compose for 3");
  await terminal.press("down", "enter").until("Transactions for 3 marked accounts");
  await terminal.send("REFUND").until("The same ID for every account");
  await terminal.send("-{external_account_number}").until("→ REFUND-EXT-0000001");
  for (const text of ["today", "-0.10"]) {
    terminal.press("tab");
    await terminal.send(text).until(text);
  }
  await terminal.press("tab", "space", "space").until("CREDIT");
  const shown = await review(terminal);
  expect(shown).toContain("-0.30 in all");
  await terminal.act("send").until(/Send 3 \w+ of -0\.30 in all to\s+3 accounts of ACME/);
  await terminal.press("enter").until("s sends them after a question");
  expect(landed()).toHaveLength(0);
  await terminal.act("send").until(/Send 3 \w+ of/);
  await terminal.press("down", "enter").until("✓ 3 of 3 confirmed");
  expectOnceEach(3);
});

test("staged accounts are left out until asked for; what is rejected is found, opened and written out", async () => {
  await using terminal = await openList("All");
  await composeNote(terminal, 3, "Hello");
  await terminal.waitFor("Hello");
  const shown = await review(terminal);
  expect(shown).toMatch(/1 note to 1 of 3 marked accounts/);
  expect(shown).toContain("2 marked accounts are staged, not imported");
  await terminal.press(",").until("Staged accounts: send to them as well");
  await terminal.press("enter").until("Send to 2 staged accounts as well?");
  await terminal.press("down", "enter").until("3 notes to 3 of 3");
  await sendAll(terminal);
  await terminal.waitFor("✗ 2 of 3 rejected");
  expectOnceEach(1);

  // It opens at its worst rows, if there are any by then.
  if (!terminal.text().includes("[Rejected 2]")) terminal.press("tab");
  await terminal.waitFor("[Rejected 2]");
  await terminal.waitFor("1 of 2");
  const rejected = terminal.text();
  expect(rejected).toMatch(/✗ 404 not_found/);
  expect(rejected).not.toContain("✓ confirmed");
  await terminal.press("F").until("Write 2 rejected rows");
  const mended = join(folders.home, "mended.jsonl");
  terminal.press("ctrl-u");
  await terminal.send(mended).until("mended.jsonl");
  await terminal.press("enter").until("2 rejected rows written");
  expect(
    (await readFile(mended, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(
    ["EXT-0000002", "EXT-0000003"].map((external_account_number) => ({
      import_supplier: "ACME",
      external_account_number,
      body: "Hello",
    })),
  );
  expect((await stat(mended)).mode & 0o777).toBe(0o600);

  // The check of the written rows is open.
  await terminal.waitFor(/2 rows of notes: 2 ready/);
  await terminal.press("esc").until("[Rejected 2]");
  await terminal.press("shift-tab").until("[All 3]");
  await terminal.waitFor("1 of 3");
  await terminal.press("E").until("Export 3 rows");
  const results = join(folders.home, "results.csv");
  terminal.press("ctrl-u");
  await terminal.send(results).until("results.csv");
  await terminal.press("enter").until("3 rows written");
  const lines = (await readFile(results, "utf8")).trim().split("\n");
  expect(lines[0]).toBe(
    "line,import_supplier,external_account_number,external_identifier,outcome,status,http_status,code,detail,journal_id",
  );
  expect(lines[1]).toMatch(/^1,ACME,EXT-0000001,,confirmed,NOTE_CREATION_SUCCESS,201,/);
  expect(lines[2]).toMatch(/^2,ACME,EXT-0000002,,rejected,/);
  expect(lines).toHaveLength(4);

  await terminal.press("j", "o").until(/✗ rejected[^\n]* entry \d+, 404/);
});

test("a run is stopped, resumed, and takes effect once on each account", async () => {
  service.setFaults(["latency=400ms@notes"]);
  await using terminal = await openList("Imported");
  const marked = await terminal.press("+").until(/\d+ marked/);
  const marks = Number(/(\d+) marked/.exec(marked)?.[1]);
  await composeForMarked(terminal, marks, "Twice never");
  await review(terminal);
  await sendAll(terminal);
  await terminal.waitFor(/\d+ being sent/);
  await terminal.press("Z").until(new RegExp(`○ stopped, [^]*${marks} notes from marked accounts`));
  const stopped = await terminal.waitFor(/Ctrl-R continues with \d+ rows/);
  expect(stopped).toContain("Stopped on request.");
  const left = Number(/continues with (\d+) rows/.exec(stopped)?.[1]);
  expect(left).toBe(marks - landed().length);
  service.setFaults([]);
  await terminal.press("ctrl-r").until("Yes, resume it");
  await terminal.press("down", "enter").until(`✓ ${marks} of ${marks} confirmed`);
  expectOnceEach(marks);
});

test("a run that is stopping says what it waits for and what cuts it off, at 60×15 too", async () => {
  service.setFaults(["latency=60s@notes"]);
  await using terminal = await openList("Imported", { cols: 60, rows: 15 });
  await composeNote(terminal, 3, "Slowly");
  await review(terminal);
  await sendAll(terminal);
  await terminal.waitFor(/\d+ being sent/);
  await terminal
    .press("ctrl-c")
    .until(/^Stopping: waiting for \d requests? in flight; Z cuts off\.$/m);
  await terminal.waitFor(/^Run \w+ is stopping; Ctrl-C again cuts it off\.$/m);
});

test("leaving asks first, and stops the run; a run that was killed is reported at the next start", async () => {
  // Slow enough that the run lasts longer than the questions, on a busy machine too.
  service.setFaults(["latency=2500ms@notes"]);
  {
    await using terminal = await openList("Imported");
    const marked = await terminal.press("+").until(/\d+ marked/);
    await composeForMarked(terminal, Number(/(\d+) marked/.exec(marked)?.[1]), "Slowly");
    await review(terminal);
    await sendAll(terminal);
    await terminal.waitFor(/\d+ being sent/);
    await terminal.press("q").until(/Run \w+ is running. Stop and leave\?/);
    terminal.press("down", "enter");
    expect(await terminal.exit).toMatchObject({ code: 0 });
  }
  {
    await using terminal = await openElsewhere(["open", "ACME"]);
    await terminal.waitFor(/\d+ accounts/);
    await terminal.press("L").until("Stopped on request.");
    await terminal.press("ctrl-r").until("Yes, resume it");
    await terminal.press("down", "enter").until("running here");
    await terminal.waitFor(/\d+ being sent/);
    terminal.signal("SIGKILL");
    await terminal.exit;
  }
  service.setFaults([]);
  await using terminal = await open(["open", "ACME"]);
  await terminal.waitFor(/^Suppliers.*1 run stopped/);
  await terminal
    .press("L")
    .until(/Interrupted: the program was killed\. Ctrl-R continues with \d+ rows?\./);
});

test("a run that another process is at shows as that process's, and cannot be taken from it", async () => {
  // On its clock no time passes, so that its requests are under way until it is stopped.
  const clock = fakeClock(Date.now());
  service.setFaults(["hang@notes"]);
  const client = writeService(service.baseUrl, { apiKey: service.apiKey }, clock);
  await using writes = await openWrites({
    folder: folders.state,
    service: client,
    profile: { name: "ad-hoc" },
    pid: process.pid,
    clock,
  }).then((opened) => ({ ...opened, [Symbol.asyncDispose]: () => opened.close() }));
  const { context } = writes;
  const run = await createRun(context, {
    kind: "notes",
    source: "/data/incident.csv",
    sha256: "",
    results: null,
    reading: {},
    rows: 2,
    requests: 2,
  });
  const { signal } = new AbortController();
  const rows = sourceBytes(
    {
      kind: "accounts",
      supplier: "ACME",
      itemsOf: () => [{ body: "From elsewhere" }],
      numbers: () => ["EXT-0000001", "EXT-0000017"],
    },
    signal,
  );
  const planned = readRequests(rows, options("notes"));
  await recordRequests(context, run, planned, { signal });
  const stop = new AbortController();
  const over = runBulk(context, run, { signal: stop.signal, stop: signal });

  await using terminal = await openElsewhere([]);
  await terminal.waitFor("This profile has no suppliers yet");
  const list = await terminal.press("L").until(`in process ${process.pid}`);
  expect(list).toMatch(/incident\.csv/);
  await terminal.press("enter").until(`Process ${process.pid} is running it`);
  await terminal.press("ctrl-r").until(`Process ${process.pid} is running it.`);
  await terminal.press("x").until(`supplyline bulk resume ${run}`);
  expect(terminal.text()).toContain("There is no single curl");
  terminal.press("esc");
  stop.abort();
  await over;
  await terminal.waitFor(/○ stopped, \d of 2 ended[\s\S]*2 rows of notes from incident\.csv/);
  await client.close();
});

test("a long run is paged through from both ends, by the outcome of its rows", async () => {
  const client = writeService(service.baseUrl, { apiKey: service.apiKey });
  const writes = await openWrites({
    folder: folders.state,
    service: client,
    profile: { name: "ad-hoc" },
    pid: process.pid,
    clock: systemClock,
  });
  const { context } = writes;
  const rows = 500;
  const run = await createRun(context, {
    kind: "notes",
    source: "/data/check.csv",
    sha256: "",
    results: null,
    reading: {},
    rows,
    requests: rows,
  });
  const { signal } = new AbortController();
  const planned = async function* () {
    for (let line = 2; line <= rows + 1; line++) {
      const target = {
        kind: "account",
        importSupplier: "ACME",
        externalAccountNumber: `EXT-${line - 1}`,
      } as const;
      const names = { import_supplier: "ACME", external_account_number: `EXT-${line - 1}` };
      const body = new TextEncoder().encode(JSON.stringify({ ...names, notes: [{ body: "x" }] }));
      yield { lines: [line], target, write: { operation: "notes create", body } as const };
    }
  };
  await recordRequests(context, run, planned(), { signal });
  await writes.close();
  await client.close();

  await using terminal = await open([]);
  await terminal.waitFor("This profile has no suppliers yet");
  await terminal.press("L").until(/check\.csv.*0\/500/);
  await terminal.press("enter").until("1 of 500");
  await terminal.press("j", "j").until("3 of 500");
  await terminal.press("G").until("500 of 500");
  await terminal.waitFor(/▌ +501 +ACME +EXT-500 .*unsent/);
  await terminal.press("k").until("499 of 500");
  const up = await terminal.press("page-up").until(/▌ +4[67]\d +ACME +EXT-/);
  const [, at] = /\n(\d+) of 500/.exec(up) ?? [];
  expect(up).toMatch(new RegExp(`▌ +${Number(at) + 1} +ACME +EXT-${at} `));
  await terminal.press("tab").until("[Not ended 500]");
  await terminal.waitFor("1 of 500");
  await terminal.press("o").until(/Activity › entry \d+/i);
});
