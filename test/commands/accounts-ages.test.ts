/** Ages of accounts in lists, and the lists that are recorded for them. */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";
import { openLists, openObserver } from "../helpers/lists.ts";

const hour = 3_600_000;

let service: Awaited<ReturnType<typeof openLists>>;
beforeAll(async () => {
  service = await openLists();
});

const openMachine = (extra: Record<string, string> = {}) => openObserver(service, extra);

const rowsOf = ({ stdout }: { stdout: string }) =>
  JSON.parse(stdout) as Record<string, string | null>[];
const numbersOf = (result: { stdout: string }) =>
  rowsOf(result).map((row) => row.external_account_number);

describe("--ages", () => {
  test("adds three times to every row, and the accounts that are gone behind them", async () => {
    const machine = await openMachine();
    await machine.list("A", 0, [["OLD"], ["LOST"], ["DONE"]]);
    await machine.list("A", 24, [["OLD"], ["LOST"], ["DONE", "S-1"], ["YOUNG"]]);
    await machine.clock.advance(hour);
    service.set("A", [["NEW"], ["OLD"], ["DONE", "S-1"], ["YOUNG"]]);
    const { code, stdout, stderr } = await machine.run("accounts", "list", "A", "--ages", "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const pending = { service_account_number: null, account_created_at: null };
    expect(JSON.parse(stdout)).toEqual([
      {
        external_account_number: "NEW",
        ...pending,
        pending_since: "2026-11-21T13:00:00Z",
        first_seen_at: "2026-11-21T13:00:00Z",
        gone_at: null,
      },
      {
        external_account_number: "OLD",
        ...pending,
        pending_since: "2026-11-20T12:00:00Z",
        first_seen_at: "2026-11-20T12:00:00Z",
        gone_at: null,
      },
      {
        external_account_number: "DONE",
        service_account_number: "S-1",
        account_created_at: "2026-11-20T10:00:00Z",
        pending_since: null,
        first_seen_at: "2026-11-20T12:00:00Z",
        gone_at: null,
      },
      {
        external_account_number: "YOUNG",
        ...pending,
        pending_since: "2026-11-21T12:00:00Z",
        first_seen_at: "2026-11-21T12:00:00Z",
        gone_at: null,
      },
      {
        external_account_number: "LOST",
        ...pending,
        pending_since: "2026-11-20T12:00:00Z",
        first_seen_at: "2026-11-20T12:00:00Z",
        gone_at: "2026-11-21T13:00:00Z",
      },
    ]);
    // This list is an observation as well: the next one shows the same times.
    await machine.clock.advance(hour);
    expect((await machine.run("accounts", "list", "A", "--ages", "--json")).stdout).toBe(stdout);
  });

  test("an account without earlier observations is first seen in this list", async () => {
    const machine = await openMachine();
    service.set("A", [["ONE"], ["TWO", "S-2"]]);
    const result = await machine.run("accounts", "list", "A", "--ages", "--json");
    expect(result.stderr).toContain("This is the first observed list of A");
    expect(rowsOf(result)).toMatchObject([
      { pending_since: "2026-11-20T12:00:00Z", first_seen_at: "2026-11-20T12:00:00Z" },
      { pending_since: null, first_seen_at: "2026-11-20T12:00:00Z" },
    ]);
  });

  test("--state and --limit leave gone accounts out, and record nothing", async () => {
    const machine = await openMachine();
    await machine.list("A", 0, [["ONE"], ["TWO"], ["LOST"]]);
    await machine.list("A", 1, [["ONE"], ["TWO"]]);
    const list = (...words: string[]) => machine.run("accounts", "list", "A", "--json", ...words);
    expect(numbersOf(await list("--ages", "--state", "pending"))).toEqual(["ONE", "TWO"]);
    expect(numbersOf(await list("--ages", "--limit", "2"))).toEqual(["ONE", "TWO"]);
    expect(numbersOf(await list("--ages", "--limit", "9"))).toEqual(["ONE", "TWO", "LOST"]);
    service.set("A", [["TWO"]]);
    for (const words of [
      ["--limit", "9"],
      ["--state", "pending"],
      ["--filter", "TWO"],
    ])
      await list("--ages", ...words);
    service.set("A", [["ONE"], ["TWO"]]);
    expect(numbersOf(await list("--ages"))).toEqual(["ONE", "TWO", "LOST"]);
  });

  test("a truncated list is not recorded and reports no gone accounts", async () => {
    const machine = await openMachine();
    await machine.list("A", 0, [["ONE"], ["TWO"], ["LOST"]]);
    await machine.list("A", 1, [["ONE"], ["TWO"]]);
    for (const body of [
      '[{"external_account_number":"ONE"},',
      '[{"external_account_number":"ONE"},{"name":"?"}]',
    ]) {
      service.set("A", body);
      const { code, stdout } = await machine.run("accounts", "list", "A", "--ages", "--json");
      expect(code).toBe(6);
      expect(stdout.match(/"external_account_number":"\w+"/g)).toHaveLength(1);
      expect(() => JSON.parse(stdout)).toThrow(SyntaxError);
    }
    const { stdout } = await machine.list("A", 1, [["ONE"], ["TWO"]]);
    expect(stdout).not.toContain("LOST");
    const rows = rowsOf(await machine.run("accounts", "list", "A", "--ages", "--json"));
    expect(rows.map((row) => row.gone_at)).toEqual([null, null, "2026-11-20T13:00:00Z"]);
  });
});

describe("filters about what was observed", () => {
  test("choose by age, time, novelty and absence", async () => {
    const machine = await openMachine();
    await machine.list("A", 0, [["OLD"], ["LOST"], ["DONE", "S-1"]]);
    await machine.list("A", 24, [["OLD"], ["DONE", "S-1"], ["YOUNG"]]);
    await machine.clock.advance(2 * hour);
    service.set("A", [["OLD"], ["DONE", "S-1"], ["YOUNG"], ["FRESH"]]);
    const matching = async (filter: string, ...words: string[]) =>
      numbersOf(await machine.run("accounts", "list", "A", "--json", "--filter", filter, ...words));
    expect(await matching("age:>24h")).toEqual(["OLD"]);
    expect(await matching("age:<1d")).toEqual(["YOUNG", "FRESH"]);
    expect(await matching("since:2026-11-21")).toEqual(["YOUNG", "FRESH"]);
    expect(await matching("!since:2026-11-21 pending")).toEqual(["OLD"]);
    expect(await matching("is:new")).toEqual(["YOUNG", "FRESH"]);
    expect(await matching("!is:new")).toEqual(["OLD", "DONE"]);
    expect(await matching("is:gone", "--ages")).toEqual(["LOST"]);
    expect(await matching("age:>24h", "--ages")).toEqual(["OLD"]);
    expect(await matching("!age:>24h !imported", "--ages")).toEqual(["YOUNG", "FRESH", "LOST"]);
  });

  test("an account that left with this very list is gone, whether the list is recorded or not", async () => {
    const machine = await openMachine();
    await machine.list("A", 0, [["ONE"], ["TWO"], ["THREE"]]);
    await machine.list("A", 1, [["ONE"], ["TWO"]]);
    await machine.clock.advance(hour);
    service.set("A", [["ONE"]]);
    const list = (...words: string[]) =>
      machine.run("accounts", "list", "A", "--json", "--ages", ...words);
    expect(numbersOf(await list("--filter", "is:gone"))).toEqual(["THREE", "TWO"]);
    expect(numbersOf(await list("--filter", "is:gone", "--limit", "9"))).toEqual(["THREE", "TWO"]);
    expect(numbersOf(await list("--limit", "9"))).toEqual(["ONE", "THREE", "TWO"]);
    expect(numbersOf(await list())).toEqual(["ONE", "THREE", "TWO"]);
    service.set("A", []);
    for (const words of [[], ["--filter", "TWO"], ["--filter", "is:gone"]]) {
      const { stderr } = await list(...words);
      expect(stderr).toContain("are not known");
      expect(stderr).not.toMatch(/No account of A matches|has no account to list/);
    }
  });

  test("filters about ages report that a supplier was never observed", async () => {
    const machine = await openMachine();
    service.set("A", [["ONE"]]);
    for (const [filter, numbers] of [
      ["age:>1s", []],
      ["age:<1d", ["ONE"]],
      ["is:new", []],
    ] as const) {
      const result = await machine.run("accounts", "list", "A", "--json", "--filter", filter);
      expect(numbersOf(result)).toEqual(numbers);
      expect(result.stderr).toContain("This is the first observed list of A");
    }
  });

  test.each([
    ["age:24h", "has no comparison"],
    ["is:gone", "is:gone needs --ages"],
    ["since:2027-01-01", "is in the future"],
    ["cohort:nope", "There is no cohort nope"],
  ])("%s ends with 2 before the list is asked for", async (filter, words) => {
    const machine = await openMachine();
    const before = service.asked().length;
    const { code, stdout, stderr } = await machine.run("accounts", "list", "A", "--filter", filter);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(words);
    expect(service.asked().length).toBe(before);
  });
});

describe("recording", () => {
  test("is switched off by SUPPLYLINE_OBSERVE=0 and by a preference; what is stored can be read", async () => {
    const machine = await openMachine();
    await machine.list("A", 0, [["ONE"]]);
    await machine.clock.advance(hour);
    service.set("A", [["ONE"], ["TWO"]]);
    const ages = ["accounts", "list", "A", "--ages", "--json"];
    const off = await machine.runWith({ SUPPLYLINE_OBSERVE: "0" }, ...ages);
    expect(off).toMatchObject({ code: 0, stderr: "" });
    expect(rowsOf(off).map((row) => row.first_seen_at)).toEqual([
      "2026-11-20T12:00:00Z",
      "2026-11-20T13:00:00Z",
    ]);
    await mkdir(machine.folders.config, { recursive: true, mode: 0o700 });
    const preferences = join(machine.folders.config, "preferences.json");
    await writeFile(preferences, '{"recordObservations":false}', { mode: 0o600 });
    await machine.clock.advance(hour);
    expect(rowsOf(await machine.run(...ages))[1]?.first_seen_at).toBe("2026-11-20T14:00:00Z");
    // The variable overrides the preference.
    await machine.runWith({ SUPPLYLINE_OBSERVE: "1" }, ...ages);
    await machine.clock.advance(hour);
    expect(rowsOf(await machine.run(...ages))[1]?.first_seen_at).toBe("2026-11-20T14:00:00Z");
  });

  test("accounts list stores nothing for an embedded sandbox", async () => {
    const folders = await openFolders();
    const { code } = await runCommand(["accounts", "list", "PAUSED", "--ages", "--sandbox"], {
      folders,
    });
    expect(code).toBe(0);
    expect(await readdir(folders.state).catch(() => [])).toEqual([]);
  });

  test("an empty list after a full one is held back, and no account is gone", async () => {
    const machine = await openMachine();
    await machine.list("A", 0, [["ONE"], ["TWO"]]);
    await machine.clock.advance(hour);
    service.set("A", []);
    const plain = await machine.run("accounts", "list", "A");
    expect(plain.code).toBe(0);
    expect(plain.stderr).toContain("A lists 0 accounts, and listed 2 before.");
    expect(plain.stderr).toContain("supplyline observations confirm A");
    const asJson = await machine.run("accounts", "list", "A", "--ages", "--json");
    expect({ code: asJson.code, stdout: asJson.stdout }).toEqual({ code: 0, stdout: "[]\n" });
    expect(asJson.stderr).toContain('{"warning":{"message":"A lists 0 accounts');
  });
});
