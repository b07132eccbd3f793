import { readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expositionOf } from "../../src/commands/suppliers/print-figures.ts";
import type { SupplierFacts } from "../../src/triage/figures/figure-fields.ts";
import type {
  SupplierFigures,
  SupplierHistory,
} from "../../src/triage/figures/supplier-figures.ts";
import { runCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";
import { openLists, openObserver } from "../helpers/lists.ts";

let service: Awaited<ReturnType<typeof openLists>>;
beforeAll(async () => {
  service = await openLists();
});

const keys = [
  ...["import_supplier", "imported", "pending", "total", "gone", "rate_per_hour", "finish_from"],
  ...["finish_to", "oldest_pending_since", "pending_over_a_day", "unknown_writes", "listed_at"],
];

/** A machine that saw two suppliers, of which one lost an account. */
async function openBoard() {
  const machine = await openObserver(service);
  await machine.list("BEST", 0, [["B-1", "S-1"]]);
  await machine.list("WORST", 0, [["W-1"], ["W-2"], ["W-3", "S-3"]]);
  await machine.list("WORST", 26, [["W-1"], ["W-3", "S-3"]]);
  return machine;
}

describe("suppliers list", () => {
  test("prints what is stored, worst first, without a request", async () => {
    const machine = await openBoard();
    const before = service.asked().length;
    const { code, stdout, stderr } = await machine.run("suppliers", "list", "--json");
    expect({ code, stderr, asked: service.asked().length - before }).toEqual({
      code: 0,
      stderr: "",
      asked: 0,
    });
    const rows = JSON.parse(stdout) as Record<string, unknown>[];
    expect(rows.map(Object.keys)).toEqual([keys, keys]);
    expect(rows).toMatchObject([
      {
        import_supplier: "WORST",
        imported: 1,
        pending: 1,
        total: 2,
        gone: 1,
        oldest_pending_since: "2026-11-20T12:00:00Z",
        pending_over_a_day: 1,
        unknown_writes: 0,
        listed_at: "2026-11-21T14:00:00Z",
        finish_from: null,
      },
      { import_supplier: "BEST", imported: 1, pending: 0, oldest_pending_since: null },
    ]);
    const table = await machine.run("suppliers", "list", "--columns", "import_supplier,gone");
    expect(table.stdout).toMatch(/^Supplier +Gone\nWORST +1\nBEST +0\n$/);
  });

  test("a supplier of the profile that was never observed has no figures", async () => {
    const { stdout } = await runCommand(["suppliers", "list", "--sandbox", "--json"], {
      env: { SUPPLYLINE_OBSERVE: "0" },
    });
    const rows = JSON.parse(stdout) as Record<string, unknown>[];
    expect(rows.map((row) => row.import_supplier)).toEqual(["ACME", "PAUSED", "DONE", "NORTH"]);
    expect(rows[0]).toMatchObject({ imported: null, unknown_writes: 0, listed_at: null });
  });

  test("without a supplier it is empty, and says how to add one", async () => {
    const machine = await openObserver(service);
    expect((await machine.run("suppliers", "list", "--json")).stdout).toBe("[]\n");
    expect((await machine.run("suppliers", "list")).stderr).toContain("suppliers add CODE");
  });
});

describe("suppliers show", () => {
  test("asks, and prints an object for one and an array for several", async () => {
    const machine = await openBoard();
    service.set("WORST", [["W-1"], ["W-3", "S-3"], ["W-4"]]);
    const one = JSON.parse((await machine.run("suppliers", "show", "WORST", "--json")).stdout);
    expect(Object.keys(one)).toEqual(keys);
    expect(one).toMatchObject({ import_supplier: "WORST", pending: 2, gone: 1, total: 3 });
    const several = await machine.run("suppliers", "show", "WORST", "BEST", "--json");
    expect(several.code).toBe(0);
    expect(JSON.parse(several.stdout)).toMatchObject([
      { import_supplier: "WORST" },
      { import_supplier: "BEST", listed_at: "2026-11-21T14:00:00Z" },
    ]);
    const table = await machine.run("suppliers", "show", "BEST");
    expect(table.stdout).toMatch(/^Supplier +BEST\nImported +1\n/);
  });

  test("one that fails does not stop the others, and decides the exit code", async () => {
    const machine = await openBoard();
    const run = (...words: string[]) => machine.run("suppliers", "show", ...words);
    const alone = await run("NONE", "--json");
    expect(alone).toMatchObject({ code: 5, stdout: "" });
    const several = await run("NONE", "BEST", "--json");
    expect(several).toMatchObject({ code: 5, stderr: "" });
    expect(JSON.parse(several.stdout)).toMatchObject([
      { import_supplier: "NONE", error: { kind: "not-found" } },
      { import_supplier: "BEST", imported: 1 },
    ]);
    const text = await run("NONE", "BEST", "--format", "prometheus");
    expect(text.code).toBe(5);
    expect(text.stdout).toContain('supplyline_imported_accounts{import_supplier="BEST"} 1\n');
    expect(text.stdout).not.toContain("NONE");
    expect(text.stderr).toContain("NONE");
  });
});

describe("--format prometheus", () => {
  const listedAt = Date.parse("2026-11-21T14:00:00Z");
  const history: SupplierHistory = {
    since: 0,
    oldestPendingSince: Date.parse("2026-11-20T12:00:00Z"),
    pendingOverADay: 1,
    gone: { count: 0, atLeast: false },
    lastDay: { staged: 0, imported: 0, gone: 0, returned: 0, renumbered: 0, removed: 0 },
    heldBack: null,
  };
  const figures: SupplierFigures = {
    listedAt,
    from: "list",
    imported: 3,
    pending: 1,
    total: 4,
    lastHours: null,
    rates: [{ perHour: 2.5, count: 2, windowMs: 3_600_000 }],
    finish: { kind: "none", reason: "too-few" },
    created: null,
    newest: [],
    longest: [],
    ahead: 0,
    history,
  };
  const row: SupplierFacts = { supplier: "ACME", figures, unknown: 0 };

  test("gives each gauge its help and type once, and no sample for what is not known", () => {
    const text = expositionOf([
      row,
      { ...row, supplier: "NORTH", figures: { ...figures, history: { ...history, gone: null } } },
    ]);
    expect(text).toContain(
      '# HELP supplyline_gone_accounts Accounts that left the list without being imported.\n# TYPE supplyline_gone_accounts gauge\nsupplyline_gone_accounts{import_supplier="ACME"} 0\n# HELP supplyline_rate_per_hour',
    );
    expect(text).toContain(
      'supplyline_oldest_pending_since_timestamp_seconds{import_supplier="NORTH"} 1763640000\n'.replace(
        "1763640000",
        String(Date.parse("2026-11-20T12:00:00Z") / 1_000),
      ),
    );
    expect(text).not.toContain("finish");
    const lines = text.trimEnd().split("\n");
    const names = lines
      .filter((line) => line.startsWith("# TYPE"))
      .map((line) => line.split(" ")[2]);
    expect(new Set(names).size).toBe(names.length);
    for (const line of lines)
      expect(line).toMatch(
        /^# (HELP|TYPE) supplyline_\w+ \S|^supplyline_\w+\{import_supplier="(\\.|[^"\\])*"\} \d+(\.\d+)?$/,
      );
    expect(expositionOf([])).toBe("");
  });

  test("escapes the label", () => {
    const text = expositionOf([{ ...row, supplier: 'a"b\\c\nd} 1' }]);
    expect(text).toContain('{import_supplier="a\\"b\\\\c\\nd} 1"} 3\n');
  });

  test("--output replaces the file at once, and leaves it where a list failed", async () => {
    const machine = await openBoard();
    const folder = machine.folders.state;
    const file = join(folder, "supplyline.prom");
    const show = (...words: string[]) =>
      machine.run("suppliers", "show", ...words, "--format", "prometheus", "--output", file);
    expect(await show("BEST")).toMatchObject({ code: 0, stdout: "" });
    const first = await readFile(file, "utf8");
    expect(first).toContain('supplyline_imported_accounts{import_supplier="BEST"} 1\n');
    expect((await stat(file)).mode & 0o777).toBe(0o644);
    for (const [words, code] of [
      [["NONE"], 5],
      [["BEST", "NONE"], 5],
    ] as const) {
      expect(await show(...words)).toMatchObject({ code, stdout: "" });
      expect(await readFile(file, "utf8")).toBe(first);
    }
    await show("BEST", "WORST");
    expect(await readFile(file, "utf8")).toContain('{import_supplier="WORST"}');
    expect((await readdir(folder)).filter((name) => name.includes("part"))).toEqual([]);
  });

  test("--output follows a link, and names a folder that is not there", async () => {
    const machine = await openBoard();
    const real = join(machine.folders.state, "real.prom");
    const link = join(machine.folders.state, "link.prom");
    await writeFile(real, "old\n");
    await symlink(real, link);
    await machine.run("suppliers", "list", "--format", "prometheus", "--output", link);
    expect(await readFile(real, "utf8")).toContain("supplyline_pending_accounts");
    const nowhere = join(machine.folders.state, "none", "x.prom");
    const failed = await machine.run("suppliers", "list", "--json", "--output", nowhere);
    expect(failed.code).toBe(2);
    expect(JSON.parse(failed.stderr).error.message).toContain(
      "x.prom: it cannot be written: its folder is missing",
    );
  });

  test("another verb refuses the format and lists its formats", async () => {
    const folders = await openFolders();
    const { code, stderr } = await runCommand(["cohorts", "list", "--format", "prometheus"], {
      folders,
    });
    expect(code).toBe(2);
    expect(stderr).toContain("table, json, jsonl, csv");
    expect(stderr).not.toMatch(/Allowed:.*prometheus/);
  });
});
