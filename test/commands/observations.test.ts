/** Changes and stored observations, and how they are confirmed and deleted. */
import { existsSync } from "node:fs";
import { runCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";
import { openLists, openObserver } from "../helpers/lists.ts";

const hour = 3_600_000;

let service: Awaited<ReturnType<typeof openLists>>;
beforeAll(async () => {
  service = await openLists();
});

/** A machine that has seen a supplier with every kind of change. */
async function openHistory(supplier = "A") {
  const machine = await openObserver(service);
  await machine.list(supplier, 0, [
    ["WAITS"],
    ["DONE"],
    ["LOST"],
    ["NUMBER", "S-1"],
    ["OUT", "S-2"],
  ]);
  await machine.list(supplier, 24, [["WAITS"], ["DONE", "S-3"], ["NUMBER", "S-9"], ["LATER"]]);
  await machine.list(supplier, 1, [["WAITS"], ["DONE", "S-3"], ["NUMBER", "S-9"], ["LOST"]]);
  return machine;
}

describe("changes", () => {
  test("are printed oldest first, with what an account was and is", async () => {
    const machine = await openHistory();
    const { code, stdout, stderr } = await machine.run("changes", "A", "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const changes = JSON.parse(stdout) as Record<string, string | null>[];
    expect(Object.keys(changes[0] ?? {})).toEqual([
      "external_account_number",
      "change",
      "from",
      "to",
      "seen_at",
    ]);
    const [first, second] = ["2026-11-21T12:00:00Z", "2026-11-21T13:00:00Z"];
    expect(changes.map((one) => Object.values(one))).toEqual(
      expect.arrayContaining([
        ["DONE", "imported", "pending", "imported", first],
        ["LATER", "staged", null, "pending", first],
        ["LOST", "gone", "pending", "gone", first],
        ["NUMBER", "renumbered", "S-1", "S-9", first],
        ["OUT", "removed", "imported", "removed", first],
        ["LOST", "returned", "gone", "pending", second],
        ["LATER", "gone", "pending", "gone", second],
      ]),
    );
    expect(changes).toHaveLength(7);
    expect(changes.map((one) => one.seen_at)).toEqual(changes.map((one) => one.seen_at).toSorted());
  });

  test("--since narrows them down, in every format", async () => {
    const machine = await openHistory();
    const run = (...words: string[]) => machine.run("changes", "A", ...words);
    const since = await run("--since", "30m", "--format", "jsonl");
    expect(since.stdout.trimEnd().split("\n")).toHaveLength(2);
    expect((await run("--since", "2026-11-21 12:30", "--format", "csv")).stdout).toMatch(
      /^external_account_number,change,from,to,seen_at\nLOST,returned,gone,pending,2026-11-21T13:00:00Z\n|^.*\nLATER/,
    );
    const chosen = await run(
      "--since",
      "30m",
      "--json",
      "--columns",
      "change,external_account_number",
    );
    expect(JSON.parse(chosen.stdout)).toContainEqual({
      change: "returned",
      external_account_number: "LOST",
    });
    const table = await run("--since", "today");
    expect(table.stdout).toMatch(/^External account number +Change +From +To +Seen at\n/);
    expect(table.stdout.trimEnd().split("\n")).toHaveLength(8);
    await machine.clock.advance(hour);
    expect(await run("--since", "30m")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("No change of A was observed since then."),
    });
  });

  test("a supplier never observed has none, and no file is made for it", async () => {
    const machine = await openObserver(service);
    const { code, stdout } = await machine.run("changes", "NEVER", "--json");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "[]\n" });
    expect((await machine.run("changes", "NEVER")).stderr).toContain(
      "No list of NEVER was observed yet",
    );
    expect(existsSync(machine.observations)).toBe(false);
    const sandbox = await machine.runWith({}, "changes", "ACME", "--json", "--sandbox");
    expect(sandbox).toMatchObject({ code: 0, stdout: "[]\n" });
  });

  test.each([
    ["2027-01-01", '--since "2027-01-01" is in the future'],
    ["soon", '--since "soon" is no time'],
  ])("--since %s ends with 2", async (since, words) => {
    const machine = await openObserver(service);
    const { code, stderr } = await machine.run("changes", "A", "--since", since);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});

test("accounts list --columns selects and orders, with and without ages", async () => {
  const machine = await openObserver(service);
  service.set("A", [["ONE"], ["TWO", "S-2"]]);
  const list = async (columns: string, ...words: string[]) =>
    (await machine.run("accounts", "list", "A", "--columns", columns, ...words)).stdout;
  expect(await list("service_account_number,external_account_number", "--format", "csv")).toBe(
    "service_account_number,external_account_number\n,ONE\nS-2,TWO\n",
  );
  expect(JSON.parse(await list("gone_at, external_account_number", "--ages", "--json"))).toEqual([
    { gone_at: null, external_account_number: "ONE" },
    { gone_at: null, external_account_number: "TWO" },
  ]);
});

describe("what is stored", () => {
  test("is listed by service and supplier, without a profile", async () => {
    const machine = await openHistory();
    await machine.list("B", 1, [["ONE"]]);
    const { code, stdout } = await runCommand(["observations", "list", "--json"], {
      folders: machine.folders,
      clock: machine.clock,
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      {
        import_supplier: "A",
        origin: service.baseUrl,
        observations: 3,
        first_at: "2026-11-20T12:00:00Z",
        last_at: "2026-11-21T13:00:00Z",
        accounts: 6,
        bytes: expect.any(Number),
      },
      expect.objectContaining({ import_supplier: "B", observations: 1, accounts: 1 }),
    ]);
    const empty = await openFolders();
    const none = await runCommand(["observations", "list", "--json"], { folders: empty });
    expect(none).toMatchObject({ code: 0, stdout: "[]\n" });
  });

  test("is shown for one supplier", async () => {
    const machine = await openHistory();
    const { stdout } = await machine.run("observations", "show", "A", "--json");
    expect(JSON.parse(stdout)).toEqual({
      import_supplier: "A",
      origin: service.baseUrl,
      observations: 3,
      first_at: "2026-11-20T12:00:00Z",
      last_at: "2026-11-21T13:00:00Z",
      imported: 2,
      pending: 2,
      gone: 1,
      oldest_pending_since: "2026-11-20T12:00:00Z",
      pending_over_a_day: 1,
      staged: 1,
      newly_imported: 1,
      newly_gone: 2,
      returned: 1,
      renumbered: 1,
      removed: 1,
      held_back_at: null,
      held_back_accounts: null,
    });
    const never = await machine.run("observations", "show", "NEVER");
    expect(never).toMatchObject({ code: 5, stdout: "" });
    expect(never.stderr).toContain(`No list of NEVER was observed at ${service.baseUrl}`);
  });
});

describe("a list that is held back", () => {
  test("is recorded by observations confirm, and then its accounts are gone", async () => {
    const machine = await openObserver(service);
    await machine.list("A", 0, [["ONE"], ["TWO"]]);
    const held = await machine.list("A", 1, []);
    expect(held.stderr).toContain("supplyline observations confirm A");
    const shown = await machine.run("observations", "show", "A", "--json");
    expect(JSON.parse(shown.stdout)).toMatchObject({
      gone: 0,
      held_back_at: "2026-11-20T13:00:00Z",
      held_back_accounts: 0,
    });
    await machine.clock.advance(hour);
    const confirmed = await machine.run("observations", "confirm", "A", "--json");
    expect(JSON.parse(confirmed.stdout)).toEqual({
      import_supplier: "A",
      confirmed: true,
      listed_at: "2026-11-20T13:00:00Z",
      before: 2,
      now: 0,
    });
    const changes = await machine.run("changes", "A", "--format", "csv");
    expect(changes.stdout.match(/,gone,pending,gone,2026-11-20T13:00:00Z/g)).toHaveLength(2);
    const again = await machine.run("observations", "confirm", "A");
    expect(again).toMatchObject({ code: 0, stdout: "" });
    expect(again.stderr).toContain("No list of A is held back.");
  });
});

describe("observations purge", () => {
  test("needs one thing to delete, and its confirmation", async () => {
    const machine = await openHistory();
    for (const [words, message] of [
      [[], "Name the observations to delete"],
      [["A", "--all"], "Give only one of supplier, --before and --all"],
      [["--all", "--before", "1d"], "Give only one of supplier, --before and --all"],
      [["--before", "2027-01-01"], "is in the future"],
      [["A"], "It cannot be undone, and needs to be confirmed"],
      [["--all"], "Deleting all observations: 1 supplier, ages of 6 accounts"],
    ] as const) {
      const { code, stderr } = await machine.run("observations", "purge", ...words);
      expect({ words, code }).toEqual({ words, code: 2 });
      expect(stderr).toContain(message);
    }
    expect((await machine.run("changes", "A", "--format", "jsonl")).stdout).not.toBe("");
  });

  test("deletes one supplier of this service, and no other", async () => {
    const machine = await openHistory();
    await machine.list("B", 1, [["ONE"]]);
    const purged = await machine.run("observations", "purge", "A", "--yes", "--json");
    expect(purged).toMatchObject({ code: 0, stdout: '{"purged":1}\n' });
    const left = await machine.run(
      "observations",
      "list",
      "--format",
      "csv",
      "--columns",
      "import_supplier",
    );
    expect(left.stdout).toBe("import_supplier\nB\n");
    expect((await machine.run("changes", "A", "--json")).stdout).toBe("[]\n");
    const again = await machine.run("observations", "purge", "A", "--yes");
    expect(again).toMatchObject({ code: 0, stdout: "" });
    expect(again.stderr).toContain("Nothing is stored to delete");
  });

  test("deletes what was last observed before a time, or everything", async () => {
    const machine = await openHistory();
    await machine.list("B", 48, [["ONE"]]);
    const purge = (...words: string[]) => machine.run("observations", "purge", "--yes", ...words);
    expect((await purge("--before", "1d")).stdout).toBe(
      "Deleted the observations of 1 supplier.\n",
    );
    expect((await machine.run("observations", "show", "B")).code).toBe(0);
    expect((await purge("--all", "--json")).stdout).toBe('{"purged":1}\n');
    expect((await machine.run("observations", "list", "--json")).stdout).toBe("[]\n");
    expect((await purge("--all", "--json")).stdout).toBe('{"purged":0}\n');
  });
});
