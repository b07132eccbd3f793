import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fakeClock } from "../helpers/clock.ts";
import { runCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";
import { listOf, numbers, openListService } from "../helpers/list-service.ts";
import { openLists, openObserver } from "../helpers/lists.ts";
import { openService, reply } from "../helpers/service.ts";

const hour = 3_600_000;

let service: Awaited<ReturnType<typeof openLists>>;
beforeAll(async () => {
  service = await openLists();
});

/** A machine that has seen three accounts, of which one is imported and one leaves. */
async function openHistory(supplier: string) {
  const machine = await openObserver(service);
  await machine.list(supplier, 0, [["OLD"], ["LOST"], ["DONE"]]);
  await machine.list(supplier, 24, [["OLD"], ["NEW"], ["DONE", "S-1"]]);
  await machine.clock.advance(2 * hour);
  const check = (...words: string[]) => machine.run("check", supplier, ...words);
  return { ...machine, check };
}

const json = (stdout: string) => JSON.parse(stdout) as Record<string, unknown>[];

test("a clock that is 800 days ahead of the service's makes no account old", async () => {
  const folders = await openFolders();
  const now = Date.parse("2026-11-20T12:00:00Z");
  const dated = await openService((_, response) => {
    response.setHeader("date", new Date(now).toUTCString());
    const account = { external_account_number: "OLD", service_account_number: null };
    reply(response, 200, [{ ...account, account_created_at: null }]);
  });
  const check = async (aheadMs: number) => {
    const words = ["check", "A", "--pending-older-than", "24h", "--json"];
    const options = { folders, env: dated.env, clock: fakeClock(now + aheadMs) };
    return json((await runCommand(words, options)).stdout)[0]?.met;
  };
  expect(await check(-800 * 24 * hour)).toBeNull();
  expect(await check(0)).toBeNull();
  expect(await check(800 * 24 * hour)).toBeNull();
});

test("prints each condition with its figure, limit and sample, and ends with 10", async () => {
  await using machine = await openHistory("ALL");
  const { code, stdout, stderr } = await machine.check(
    ...["--pending-older-than", "24h", "--no-import-for", "50h", "--gone"],
    ...["--unknown-writes", "--json"],
  );
  expect({ code, stderr }).toEqual({ code: 10, stderr: "" });
  expect(json(stdout)).toEqual([
    ...[{ condition: "pending-older-than", met: true, figure: 1, limit: 86_400, sample: ["OLD"] }],
    ...[
      { condition: "no-import-for", met: false, figure: 100_800, limit: 180_000, sample: ["DONE"] },
    ],
    ...[{ condition: "gone", met: true, figure: 1, limit: 0, sample: ["LOST"] }],
    ...[{ condition: "unknown-writes", met: false, figure: 0, limit: 0, sample: [] }],
  ]);
});

test("ends with 0 when none is met, and prints the same in the other formats", async () => {
  await using machine = await openHistory("NONE");
  const quiet = ["--pending-older-than", "3d", "--unknown-writes"];
  expect(await machine.check("--no-import-for", "3d")).toMatchObject({ code: 0 });
  await machine.list("NONE", 48, [["OLD"], ["NEW"], ["LOST", "S-2"], ["DONE", "S-1"]]);
  const { code, stdout } = await machine.check(...quiet, "--format", "csv");
  expect({ code, stdout }).toEqual({
    code: 10,
    stdout:
      "condition,met,figure,limit,sample\npending-older-than,true,1,259200,OLD\nunknown-writes,false,0,0,\n",
  });
  const table = await machine.check("--unknown-writes");
  expect(table).toMatchObject({ code: 0, stderr: "" });
  expect(table.stdout).toMatch(/^Condition +Met +Figure +Limit +Sample\nunknown-writes +no +0 +0/);
  const idle = await machine.check("--no-import-for", "3d");
  expect(idle.stdout).toMatch(/\nno-import-for +yes +3 d 4 h +3 d +DONE, LOST\n$/);
  const chosen = await machine.check("--unknown-writes", "--json", "--columns", "met,condition");
  expect(json(chosen.stdout)).toEqual([{ met: false, condition: "unknown-writes" }]);
});

test("an age that history does not reach is null, alarms, and is explained", async () => {
  await using machine = await openObserver(service);
  service.set("FRESH", [["A"], ["B", "S-1"]]);
  const check = ["check", "FRESH", "--pending-older-than", "24h"];
  const first = await machine.run(...check, "--json");
  expect(first.code).toBe(10);
  expect(json(first.stdout)[0]).toMatchObject({ met: null, figure: 0, sample: [] });
  expect(JSON.parse(first.stderr).warning.message).toBe(
    "pending-older-than: 0 accounts pending for more than 1 d; not known: lists are stored only since 2026-11-20 12:00 UTC.",
  );
  const table = await machine.run(...check);
  expect(table.stdout).toContain("not known");
  expect(table.stderr).toContain("lists are stored only since 2026-11-20 12:00 UTC");
  const off = await machine.runWith({ SUPPLYLINE_OBSERVE: "0" }, ...check, "--plugin");
  expect(off).toMatchObject({ code: 3, stdout: expect.stringMatching(/^UNKNOWN - FRESH: /) });
  service.set("FRESH", [["B", "S-1"]]);
  expect(await machine.run(...check)).toMatchObject({ code: 0 });
});

test("a creation time in the future is no import, and is mentioned once", async () => {
  await using machine = await openHistory("AHEAD");
  service.set("AHEAD", [["OLD"], ["DONE", "S-1"], ["F", "S-2", "2099-01-01T00:00:00Z"]]);
  const { code, stdout, stderr } = await machine.check("--no-import-for", "20h", "--json");
  expect(code).toBe(10);
  expect(json(stdout)).toMatchObject([{ met: true, figure: 100_800, sample: ["DONE"] }]);
  expect(stderr.match(/1 account created in the future/g)).toHaveLength(1);
  const plugin = await machine.check("--no-import-for", "20h", "--plugin");
  expect(plugin.stdout).toMatch(/^CRITICAL - AHEAD: last import 1 d 4 h ago .*in the future/);
  const figures = await machine.run("suppliers", "show", "AHEAD", "--json");
  expect(JSON.parse(figures.stdout)).toMatchObject({ imported: 2, rate_per_hour: 0 });
  expect(figures.stderr.match(/1 account created in the future/g)).toHaveLength(1);
});

describe("where lists are not stored", () => {
  const asked = ["--pending-older-than", "24h", "--gone", "--json"];
  const off = { SUPPLYLINE_OBSERVE: "0" };

  test("ages and gone accounts come from what is stored and the list at hand", async () => {
    await using machine = await openHistory("UNSTORED");
    await machine.clock.advance(30 * hour);
    service.set("UNSTORED", [["OLD"]]);
    const { code, stdout, stderr } = await machine.runWith(off, "check", "UNSTORED", ...asked);
    expect({ code, stderr }).toEqual({ code: 10, stderr: "" });
    expect(json(stdout)).toMatchObject([
      { condition: "pending-older-than", met: true, figure: 1, sample: ["OLD"] },
      { condition: "gone", met: true, figure: 2, sample: ["LOST", "NEW"] },
    ]);
    const figures = await machine.runWith(off, "suppliers", "show", "UNSTORED", "--json");
    expect(JSON.parse(figures.stdout)).toMatchObject({
      pending: 1,
      gone: 2,
      pending_over_a_day: 1,
      oldest_pending_since: "2026-11-20T12:00:00Z",
    });
    const list = await machine.runWith(off, "accounts", "list", "UNSTORED", "--ages", "--json");
    expect(json(list.stdout)).toMatchObject([
      { external_account_number: "OLD", pending_since: "2026-11-20T12:00:00Z", gone_at: null },
      { external_account_number: "LOST", gone_at: "2026-11-21T12:00:00Z" },
      { external_account_number: "NEW", gone_at: "2026-11-22T20:00:00Z" },
    ]);
    // Nothing of it was stored.
    const changes = await machine.run("changes", "UNSTORED", "--format", "csv");
    expect(changes.stdout).not.toContain("NEW,gone");
  });
});

describe("a list narrows the conditions down, and is one itself", () => {
  test("--source from standard input", async () => {
    await using machine = await openHistory("SOURCE");
    const check = async (input: string, ...words: string[]) =>
      runCommand(["check", "SOURCE", "--source", "-", ...words, "--json"], {
        input,
        folders: machine.folders,
        clock: machine.clock,
        env: service.env,
      });
    const mixed = await check("DONE\nOLD\nLOST\nOLD\n", "--pending-older-than", "1h", "--gone");
    expect(mixed.code).toBe(10);
    expect(json(mixed.stdout)).toMatchObject([
      { condition: "pending-older-than", figure: 1, sample: ["OLD"] },
      { condition: "gone", figure: 1, sample: ["LOST"] },
      { condition: "source", met: true, figure: 2, sample: ["OLD", "LOST"] },
    ]);
    const done = await check("DONE\n", "--pending-older-than", "1h", "--gone");
    expect(done.code).toBe(0);
    expect(json(done.stdout).map(({ met }) => met)).toEqual([false, false, false]);
    expect((await check("\n")).code).toBe(2);
  });

  test("--cohort", async () => {
    await using machine = await openHistory("WAVE");
    const file = join(machine.folders.home, "wave.csv");
    await mkdir(machine.folders.home, { recursive: true });
    await writeFile(file, "external_account_number\nDONE\nNEW\n");
    await machine.run("cohorts", "add", "wave-1", "WAVE", "--source", file);
    const { code, stdout } = await machine.check("--cohort", "wave-1", "--json");
    expect(code).toBe(10);
    expect(json(stdout)).toEqual([
      { condition: "cohort", met: true, figure: 1, limit: 0, sample: ["NEW"] },
    ]);
    const other = await machine.run("check", "ALL", "--cohort", "wave-1");
    expect(other).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is of supplier WAVE"),
    });
  });
});

test("gone accounts are verified: one that is being imported is not gone", async () => {
  const folders = await openFolders();
  const clock = fakeClock("2026-11-20T12:00:00Z");
  const left = numbers.slice(0, 3);
  const listed = await openListService({
    lists: [listOf(numbers), listOf(numbers.slice(3))],
    statuses: { [left[0] ?? ""]: ["IN_PROGRESS"], [left[1] ?? ""]: ["COMPLETED"] },
  });
  const check = () =>
    runCommand(["check", "ACME", "--gone", "--json"], { folders, clock, env: listed.env });
  expect((await check()).code).toBe(0);
  const { code, stdout } = await check();
  expect(code).toBe(10);
  expect(json(stdout)).toEqual([
    { condition: "gone", met: true, figure: 1, limit: 0, sample: [left[2]] },
  ]);
});

test("a failed or incomplete list is that failure, and nothing is printed", async () => {
  const folders = await openFolders();
  for (const list of ["cut", "page"] as const) {
    const failing = await openListService({ lists: [list] });
    const part = await runCommand(["check", "ACME", "--gone"], { folders, env: failing.env });
    expect(part).toMatchObject({ code: 6, stdout: "" });
  }
  const missing = await runCommand(["check", "MISSING", "--gone", "--json"], {
    folders,
    env: service.env,
  });
  expect(missing).toMatchObject({ code: 5, stdout: "" });
  expect(JSON.parse(missing.stderr).error.kind).toBe("not-found");
});

test("unknown entries alone need no request", async () => {
  const silent = await openService((_, response) => void response.writeHead(500).end());
  const { code, stdout } = await runCommand(["check", "ACME", "--unknown-writes", "--json"], {
    env: silent.env,
  });
  expect(code).toBe(0);
  expect(json(stdout)).toHaveLength(1);
  expect(silent.asked()).toEqual([]);
});

test.each([
  [[], "needs a condition"],
  [["--gone", "--column", "x"], "--column is about a list"],
  [["--cohort", "a", "--source", "b"], "exclude each other"],
  [["--no-import-for", "soon"], "Write a duration"],
  [["--pending-older-than", "0s"], "Write a duration"],
])("check ACME %j ends with 2", async (words, message) => {
  const { code, stderr } = await runCommand(["check", "ACME", ...words], { env: service.env });
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

describe("--plugin", () => {
  test("prints one line with perfdata", async () => {
    await using machine = await openHistory("PLUGIN");
    const words = ["--pending-older-than", "24h", "--no-import-for", "50h", "--gone", "--plugin"];
    expect(await machine.check(...words)).toEqual({
      code: 2,
      signal: null,
      stderr: "",
      stdout:
        "CRITICAL - PLUGIN: 1 account pending for more than 1 d (OLD); 1 account gone (LOST); last import 1 d 4 h ago (limit 2 d 2 h)|pending-older-than=1;;0;0 no-import-for=100800s;;180000;0 gone=1;;0;0\n",
    });
    expect(await machine.check("--no-import-for", "50h", "--plugin")).toMatchObject({
      code: 0,
      stderr: "",
      stdout:
        "OK - PLUGIN: last import 1 d 4 h ago (limit 2 d 2 h)|no-import-for=100800s;;180000;0\n",
    });
  });

  test("ends with 3 for any failure, a mistake on the command line included", async () => {
    const folders = await openFolders();
    const options = { folders, env: service.env };
    for (const [words, message] of [
      [["MISSING", "--gone", "--plugin"], /^UNKNOWN - .*404/],
      [["ACME", "--plugin"], /^UNKNOWN - Check needs a condition\./],
      [["ACME", "--gone", "--plugin", "--gonee"], /^UNKNOWN - .*--gonee/],
      [["ACME", "--gone", "--plugin", "--json"], /^UNKNOWN - --plugin prints one line/],
      [["--plugin"], /^UNKNOWN - .*supplier/],
      [["ACME", "--plugin", "--source", "no|such"], /^UNKNOWN - .*no¦such/],
    ] as const) {
      const { code, stdout } = await runCommand(["check", ...words], options);
      expect(code).toBe(3);
      expect(stdout).toMatch(message);
      expect(stdout.split("\n")).toHaveLength(2);
      expect(stdout.slice("UNKNOWN".length)).not.toContain("|");
    }
    const help = await runCommand(["check", "--plugin", "--help"], options);
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining("Examples:") });
  });
});
