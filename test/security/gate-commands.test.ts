/**
 * Promise: what commands write, in every format and on both streams, holds nothing a terminal would
 * obey, loses no text, and no cell of a CSV is a formula.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parse } from "csv-parse/sync";
import { widthOf } from "../../src/text/width.ts";
import { fastClock } from "../helpers/clock.ts";
import { runCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";
import { attacks, misfits } from "./attacks.ts";
import { everything, expectHarmlessOutput } from "./harmless.ts";
import { hostileService } from "./hostile-service.ts";

async function desk() {
  const service = await hostileService();
  const folders = await openFolders();
  service.payload = everything;
  const run = (...args: string[]) =>
    runCommand(args, { env: service.env, folders, clock: fastClock() });
  return { service, folders, run };
}

const reads: readonly (readonly string[])[] = [
  ["accounts", "status", "ACME", "EXT-1"],
  ["accounts", "list", "ACME"],
  ["supply-points", "status", "ACME", "SP-1"],
];

describe.each(reads.map((words) => [words.join(" "), words] as const))("%s", (_name, words) => {
  test.each(["table", "json", "jsonl", "csv"])("as %s", async (format) => {
    const { run } = await desk();
    const ended = await run(...words, "--format", format);
    expect(ended.code).toBeLessThan(10);
    expectHarmlessOutput(ended, format === "csv" ? /\r?\n|\t/g : /\n/g);
    expect(ended.stdout).toContain("~");
  });

  test.each(["refused", "failing"] as const)("%s: words and --json on stderr", async (reads) => {
    const { service, run } = await desk();
    service.reads = reads;
    for (const more of [[], ["--json"]]) {
      const ended = await run(...words, ...more);
      expectHarmlessOutput(ended);
    }
  });
});

test("JSON gives back every raw text", async () => {
  const { service, run } = await desk();
  const { stdout } = await run("accounts", "list", "ACME", "--json");
  const numbers = JSON.parse(stdout).map(
    (row: { external_account_number: string }) => row.external_account_number,
  );
  expect(numbers).toEqual(service.rows.map((row) => row.external_account_number));
});

test("a table keeps its columns, whatever stands in its cells", async () => {
  const { service, run } = await desk();
  const { stdout } = await run("accounts", "list", "ACME");
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(service.rows.length + 1);
  const starts = lines.slice(1).map((line) => widthOf(line.slice(0, line.indexOf("2026-01-15"))));
  expect(new Set(starts).size).toBe(1);
});

test("no cell of a CSV is a formula, and every row is one record", async () => {
  const { service, run } = await desk();
  const formulas = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    '=HYPERLINK("http://evil.example")',
  ];
  service.rows.splice(
    0,
    service.rows.length,
    ...formulas.map((text) => ({
      external_account_number: text,
      service_account_number: text,
      account_created_at: null,
    })),
  );
  const { stdout } = await run("accounts", "list", "ACME", "--format", "csv");
  const records: string[][] = parse(stdout);
  expect(records).toHaveLength(formulas.length + 1);
  for (const cells of records.slice(1))
    for (const cell of cells.filter((text) => text !== "")) expect(cell).toMatch(/^'/);
});

describe("writes and the journal", () => {
  test.each([
    ["refused", "notes"],
    ["accepted", "notes"],
    ["refused", "payment-instructions"],
    ["refused", "statements"],
    ["refused", "transactions"],
  ] as const)("%s %s", async (writes, noun) => {
    const { service, folders, run } = await desk();
    service.writes = writes;
    const bodies = (mark: string): Readonly<Record<string, unknown>> => ({
      notes: { notes: [{ body: `${mark}${everything.replace(/\p{Cs}/gu, "")}` }] },
      statements: {
        statements: [
          {
            statement_id: `s${mark}`,
            bill_period_from_date: "2026-01-01",
            bill_period_to_date: "2026-01-31",
            issued_date: "2026-02-01",
            number: `n${mark}`,
            gross_amount: 1,
          },
        ],
      },
      transactions: {
        transactions: [
          {
            transaction_id: `t${mark}`,
            transaction_date: "2026-01-01",
            amount: 1,
            type: "X",
          },
        ],
      },
    });
    const outputs = async (mark: string, code: number) => {
      const body = {
        import_supplier: "ACME",
        external_account_number: "EXT-1",
        ...(bodies(mark)[noun] as object),
      };
      writeFileSync(join(folders.home, "body.json"), JSON.stringify(body));
      const given =
        noun === "payment-instructions"
          ? ["--vendor", `v${mark}`, "--reference", "r", "--type", "CARD"]
          : ["--from", "body.json"];
      const words = [noun, "create", "ACME", "EXT-1", ...given, "--settle", "0s"];
      const first = await run(...words);
      expect(first.code).toBe(code);
      expectHarmlessOutput(first);
      expectHarmlessOutput(await run(...words));
      expectHarmlessOutput(await run(...words, "--json"));
      expectHarmlessOutput(await run(...words, "--dry-run"));
    };
    // Identifiers with characters that cannot be seen are refused before anything is sent.
    if (noun !== "notes") await outputs(attacks["right-to-left override"] ?? "", 2);
    await outputs("", writes === "accepted" ? 0 : 4);
  });

  test("rows that someone wrote into the journal by hand are shown harmless", async () => {
    const { service, folders, run } = await desk();
    service.writes = "refused";
    await run("notes", "create", "ACME", "EXT-1", "--body", "hello");
    const database = new DatabaseSync(join(folders.state, "journal.sqlite"));
    const columns = database
      .prepare("PRAGMA table_info(intent)")
      .all()
      .map((row) => [String(row.name), String(row.type)] as const);
    const texts = columns.filter(
      ([name, type]) =>
        type === "TEXT" &&
        !["state", "operation", "sha256", "owner", "query", "items"].includes(name),
    );
    expect(texts.length).toBeGreaterThan(2);
    for (const [name] of texts) {
      try {
        database.prepare(`UPDATE intent SET "${name}" = ?`).run(`${everything.toWellFormed()}~row`);
      } catch {
        // A column that only takes what it knows.
      }
    }
    database.prepare("UPDATE attempt SET response = ?").run(`${everything.toWellFormed()}~answer`);
    database.close();
    for (const words of [["list"], ["show", "1"], ["export"]]) {
      for (const format of ["table", "json", "csv"]) {
        const ended = await run("activity", ...words, "--format", format);
        if (ended.stdout + ended.stderr !== "") expectHarmlessOutput(ended, /\r?\n|\t/g);
      }
    }
  });
});

test("a run: its remarks, progress, results and report", async () => {
  const { service, folders, run } = await desk();
  const rows = Object.entries({ ...attacks, ...misfits }).map(([what, payload]) => ({
    import_supplier: "ACME",
    external_account_number: `E${what.length}`,
    body: `b${payload.toWellFormed()}~body`,
  }));
  writeFileSync(
    join(folders.home, "rows.jsonl"),
    rows.map((row) => JSON.stringify(row)).join("\n"),
  );
  for (const writes of ["accepted", "refused"] as const) {
    service.writes = writes;
    const ended = await run(
      "bulk",
      "run",
      "notes",
      "--from",
      "rows.jsonl",
      "--results",
      `${writes}.csv`,
      "--yes",
    );
    expectHarmlessOutput(ended);
    expect(ended.code).toBe(writes === "accepted" ? 0 : 4);
    const results = readFileSync(join(folders.home, `${writes}.csv`), "utf8");
    expectHarmlessOutput({ ...ended, stdout: results }, /\r?\n|\t/g);
    expect(parse(results)).toHaveLength(rows.length + 1);
    const id = /run (\w+)/.exec(ended.stderr)?.[1] ?? "";
    for (const format of ["table", "json", "csv"])
      expectHarmlessOutput(await run("bulk", "report", id, "--format", format), /\r?\n|\t/g);
  }
  expectHarmlessOutput(await run("bulk", "list"));
  writeFileSync(join(folders.home, "bad.csv"), `import_supplier,${everything}\nA,${everything}\n`);
  expectHarmlessOutput(await run("bulk", "run", "notes", "--from", "bad.csv"));
});

describe("files and arguments", () => {
  test.each(Object.entries(attacks))(
    "%s in a name, an argument, a file",
    async (_what, payload) => {
      const { folders, run } = await desk();
      const text = `x${payload.replaceAll("\u0000", "")}~arg`;
      mkdirSync(folders.config, { mode: 0o700 });
      for (const words of [
        [text],
        ["accounts", "status", "ACME", text],
        ["accounts", "list", text],
        ["accounts", "status", "ACME", "--from", text],
        ["--profile", text, "accounts", "list", "ACME"],
        ["profiles", "add", text, "--base-url", "https://host.example"],
        ["profiles", "add", "p", "--base-url", `https://${text}/`],
        ["notes", "create", "ACME", text, "--body", text, "--dry-run"],
        ["notes", "create", "ACME", "E", "--from", text],
        ["schema", text],
        ["activity", "show", text],
        ["bulk", "run", text],
        ["bulk", "run", "notes", "--from", text],
      ]) {
        expectHarmlessOutput(await run(...words));
      }
      writeFileSync(join(folders.config, "profiles.json"), `{"profiles": ${text}}`, {
        mode: 0o600,
      });
      expectHarmlessOutput(await run("profiles", "list"));
      const stored = { name: text, baseUrl: `https://${text}`, environment: "test" };
      const kept = { profiles: [stored], current: text };
      writeFileSync(join(folders.config, "profiles.json"), JSON.stringify(kept), { mode: 0o600 });
      expectHarmlessOutput(await run("profiles", "list"));
    },
  );
});
