/** Figures that cannot be read: not known, and never zero. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openLists, openObserver } from "../helpers/lists.ts";

const broken = "not a database, whatever it is called";

/** A machine that has seen the list of a supplier, and a way to damage one of its files. */
async function openMachine() {
  const service = await openLists();
  const machine = await openObserver(service);
  await machine.list("A", 0, [["OLD"], ["DONE", "S-1"]]);
  await machine.list("A", 30, [["OLD"], ["DONE", "S-1"]]);
  const damage = (name: string) =>
    writeFile(join(machine.folders.state, name), broken, { mode: 0o600 });
  return { ...machine, damage, service };
}

describe("a journal that cannot be read", () => {
  test("makes the condition about entries null", async () => {
    const machine = await openMachine();
    await machine.damage("journal.sqlite");
    const check = (...words: string[]) => machine.run("check", "A", "--unknown-writes", ...words);
    const json = await check("--json");
    expect(json.code).toBe(10);
    expect(JSON.parse(json.stdout)).toEqual([
      { condition: "unknown-writes", met: null, figure: null, limit: 0, sample: [] },
    ]);
    expect(json.stderr).toContain("the journal cannot be read");
    expect((await check()).stdout).toMatch(/unknown-writes +not known +- /);
    const plugin = await check("--plugin");
    expect(plugin.code).toBe(3);
    expect(plugin.stdout).toMatch(
      /^UNKNOWN - A: entries with an unknown outcome not known: .*\|unknown-writes=U;;0;0\n$/,
    );
  });

  test("makes the figure of suppliers null, and leaves its gauge out", async () => {
    const machine = await openMachine();
    await machine.damage("journal.sqlite");
    for (const words of [["list"], ["show", "A"]]) {
      const run = (...more: string[]) => machine.run("suppliers", ...words, ...more);
      const { code, stdout } = await run("--json");
      expect(code).toBe(0);
      const [row] = [JSON.parse(stdout)].flat();
      expect(row).toMatchObject({ import_supplier: "A", pending: 1, unknown_writes: null });
      const text = (await run("--format", "prometheus")).stdout;
      expect(text).toContain("supplyline_pending_accounts");
      expect(text).not.toContain("supplyline_unknown_writes");
    }
  });

  test("an unreadable journal makes the lists of a report null and its total incomplete", async () => {
    const machine = await openMachine();
    await machine.damage("journal.sqlite");
    const text = (await machine.run("report")).stdout;
    expect(text).toContain("Nothing is known to be open.");
    expect(text).toContain("entries and runs not known");
    const report = JSON.parse((await machine.run("report", "--json")).stdout);
    expect(report).toMatchObject({
      causes: null,
      entries: null,
      rejected_rows: null,
      runs: null,
      watched: [],
      open: { unknown: null, rejected: null, rejected_rows: null, runs: null, gone: 0 },
    });
  });
});

test("a watch list that cannot be read is not known in a report", async () => {
  const machine = await openMachine();
  await machine.damage("state.sqlite");
  const text = (await machine.run("report")).stdout;
  expect(text).toContain("watch list not known");
  const report = JSON.parse((await machine.run("report", "--json")).stdout);
  expect(report).toMatchObject({ watched: null, open: { watched: null, watched_failed: null } });
});

test("observations that cannot be read leave the figures of the list, and no ages", async () => {
  const machine = await openMachine();
  await machine.damage("observations.sqlite");
  const text = (await machine.run("report", "A")).stdout;
  expect(text).toContain("gone accounts of 1 supplier not known");
  const report = JSON.parse((await machine.run("report", "A", "--json")).stdout);
  expect(report.suppliers).toMatchObject([
    {
      import_supplier: "A",
      now: { imported: 1, pending: 1 },
      changes: null,
      gone: null,
      oldest_pending: null,
      pending_over_a_day: null,
    },
  ]);
  expect(report.open.gone).toBeNull();
});

test("a list that failed is not known, although nothing was gone in the stored one", async () => {
  const machine = await openMachine();
  machine.service.set("A", "no list");
  const text = (await machine.run("report", "A")).stdout;
  expect(text).not.toContain("Nothing is open");
  expect(text).toContain("1 list not loaded");
  const report = JSON.parse((await machine.run("report", "A", "--json")).stdout);
  expect(report.suppliers).toMatchObject([{ gone: null, now: { pending: 1 } }]);
});

describe("a list that is held back", () => {
  test("has no gone accounts and no ages that are known, in every format", async () => {
    const machine = await openMachine();
    machine.service.set("A", []);
    const unknown = {
      gone: null,
      oldest_pending_since: null,
      pending_over_a_day: null,
      rate_per_hour: null,
      finish_from: null,
      finish_to: null,
    };
    for (const words of [["show", "A"], ["list"]]) {
      const run = (...more: string[]) => machine.run("suppliers", ...words, ...more);
      const [row] = [JSON.parse((await run("--json")).stdout)].flat();
      expect(row).toMatchObject({ import_supplier: "A", ...unknown });
      expect(row).not.toHaveProperty("held_back");
      const table = await run("--columns", "import_supplier,gone");
      expect(table.stdout).not.toMatch(/\b0\b/);
      const text = (await run("--format", "prometheus")).stdout;
      expect(text).not.toContain("supplyline_gone_accounts");
      expect(text).not.toContain("pending_over_a_day");
      expect(text).toContain('supplyline_list_held_back{import_supplier="A"} 1\n');
    }
    const check = JSON.parse((await machine.run("check", "A", "--gone", "--json")).stdout);
    expect(check).toMatchObject([{ met: null, figure: null }]);
    const report = JSON.parse((await machine.run("report", "A", "--json")).stdout);
    expect(report.suppliers).toMatchObject([
      {
        gone: null,
        oldest_pending: null,
        pending_over_a_day: null,
        held_back: { before: 2, now: 0 },
      },
    ]);
    expect(report.open).toMatchObject({ gone: null, held_back: 1 });
    expect((await machine.run("report", "A")).stdout).toContain("Open: list of A held back.");
  });

  test("has a gauge of 0 while the list is believed", async () => {
    const machine = await openMachine();
    const text = (await machine.run("suppliers", "list", "--format", "prometheus")).stdout;
    expect(text).toContain('supplyline_list_held_back{import_supplier="A"} 0\n');
    expect(text).toContain('supplyline_gone_accounts{import_supplier="A"} 0\n');
  });
});
