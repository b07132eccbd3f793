import { declaredProgram } from "../../scripts/reference/declared.ts";
import { causeColumns } from "../../src/commands/causes.ts";
import { formats } from "../../src/commands/global-options.ts";
import type { Column } from "../../src/commands/rows/columns.ts";
import { writePages } from "../../src/commands/rows/print.ts";
import { rowWriter } from "../../src/commands/rows/row-writer.ts";
import { runCommand } from "../helpers/command.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { FORBIDDEN, HOSTILE } from "../text/hostile.ts";

interface Row {
  readonly number: string;
  readonly note: string | null;
  readonly parts?: readonly string[];
  readonly error?: { readonly kind: string };
}

const about = { type: "text", meaning: "For this test." } as const;
const columns: readonly Column<Row>[] = [
  { name: "number", title: "Number", ...about },
  { name: "note", title: "Note", ...about },
  { name: "parts", title: "Parts", ...about },
  { name: "error", title: "Error", ...about, text: ({ error }) => error?.kind },
];
const rows: readonly Row[] = [
  { number: "=1+1", note: "a\tb\nc", parts: ["x", "y"] },
  { number: "-5", note: null, error: { kind: "not-found" } },
  { number: 'E"1,2|3', note: "" },
];

describe("a writer of rows", () => {
  const written = (format: (typeof formats)[number], options = {}) => {
    const writer = rowWriter(format, columns, options);
    return writer.rows(rows.slice(0, 1)) + writer.rows(rows.slice(1)) + writer.end();
  };

  test("writes CSV that a spreadsheet reads as text, with line breaks in quotes", () => {
    expect(written("csv")).toBe(
      [
        "number,note,parts,error",
        `'=1+1,"a\tb\nc",x y,`,
        "'-5,,,not-found",
        '"E""1,2|3",,,',
        "",
      ].join("\n"),
    );
  });

  test("writes TSV in which every line is a row and has every column", () => {
    expect(written("tsv")).toBe(
      [
        "number\tnote\tparts\terror",
        "'=1+1\ta␉b␊c\tx y\t",
        "'-5\t\t\tnot-found",
        'E"1,2|3\t\t\t',
        "",
      ].join("\n"),
    );
  });

  test("writes a table and Markdown with dashes for what is not there", () => {
    expect(written("md")).toBe(
      [
        "| Number | Note | Parts | Error |",
        "| --- | --- | --- | --- |",
        "| =1+1 | a␉b␊c | x, y | - |",
        "| -5 | - | - | not-found |",
        '| E"1,2\\|3 | - | - | - |',
        "",
      ].join("\n"),
    );
    const [title, first] = written("table").split("\n");
    expect(title).toMatch(/^Number {2}Note {3,}Parts {2}Error$/);
    expect(first).toMatch(/^=1\+1 {4}a␉b␊c {2}x, y {3}-$/);
  });

  test("writes JSON as the rows are, and the chosen columns alone", () => {
    expect(JSON.parse(written("json"))).toEqual(rows);
    const one = rowWriter("jsonl", columns.slice(3), { isChosen: true });
    expect(one.rows(rows)).toBe('{}\n{"error":{"kind":"not-found"}}\n{}\n');
  });

  test("leaves rows that end early open, in every format that can show it", () => {
    const cut = (format: (typeof formats)[number]) => {
      const writer = rowWriter(format, columns);
      return writer.rows(rows) + writer.cutOff();
    };
    expect(() => JSON.parse(cut("json"))).toThrow(SyntaxError);
    expect(cut("table")).toMatch(/\nincomplete\n$/);
    expect(cut("md")).toMatch(/\|\n\nincomplete\n$/);
    for (const format of ["jsonl", "csv", "tsv"] as const)
      expect(cut(format)).toBe(written(format));
  });

  test("writes a heading for no rows where a script needs one", () => {
    const empty = formats.map((format) => rowWriter(format, columns).end());
    const [table, json, jsonl, csv, tsv, md] = empty;
    expect({ table, json, jsonl, md }).toEqual({ table: "", json: "[]\n", jsonl: "", md: "" });
    expect({ csv, tsv }).toEqual({
      csv: "number,note,parts,error\n",
      tsv: "number\tnote\tparts\terror\n",
    });
  });

  test.each(Object.entries(HOSTILE))("lets nothing of %s through to a terminal", (_, text) => {
    for (const format of formats) {
      const printed = rowWriter(format, columns).rows([{ number: text, note: text }]);
      // CSV has line breaks of both kinds inside a cell, in quotes.
      expect(printed.replaceAll("\r\n", "\n"), format).not.toMatch(FORBIDDEN);
      if (format === "tsv") {
        expect(printed.split("\n")).toHaveLength(3);
        expect(printed.split("\n")[1]?.split("\t")).toHaveLength(columns.length);
      }
    }
  });

  test("shows that pages ended with an error", async () => {
    async function* pages() {
      yield rows;
      throw new Error("the disk is gone");
    }
    let written = "";
    const add = (text: string) => {
      written += text;
    };
    const output = { write: async (text: string) => add(text), close: add };
    const printing = writePages(rowWriter("table", columns), pages(), output);
    await expect(printing).rejects.toThrow("the disk is gone");
    expect(written).toMatch(/\nincomplete\n$/);
  });
});

describe("every command that prints rows", () => {
  let sandbox: TestSandbox;
  let folders: Folders;
  beforeAll(async () => {
    sandbox = await openSandbox({ accounts: 30 });
    folders = await openFolders();
    const { env } = sandbox;
    const note = ["notes", "create", "ACME", "EXT-0000001", "--body", "x"];
    expect((await runCommand(note, { env, folders })).code).toBe(0);
    expect((await runCommand(["accounts", "list", "ACME"], { env, folders })).code).toBe(0);
    const cohort = ["cohorts", "add", "wave", "ACME", "--source", "-"];
    expect((await runCommand(cohort, { env, folders, input: "EXT-0000001\n" })).code).toBe(0);
  });

  const calls: readonly (readonly [path: string, ...words: string[]])[] = [
    ["accounts list", "ACME", "--ages"],
    ["accounts status", "ACME", "EXT-0000001"],
    ["accounts status", "ACME", "EXT-0000001", "EXT-0000002"],
    ["accounts watch", "ACME", "EXT-0000001"],
    ["supply-points status", "ACME", "SP-ERRORED"],
    ["supply-points watch", "ACME", "SP-PROCESSED"],
    ["changes", "ACME"],
    ["observations list"],
    ["observations show", "ACME"],
    ["cohorts list"],
    ["cohorts show", "wave"],
    ["activity list"],
    ["activity list", "--by", "cause"],
    ["activity show", "1"],
    ["activity export"],
    ["bulk list"],
    ["whoami"],
    ["doctor"],
    ["notes create", "ACME", "EXT-0000001", "--body", "x"],
  ];

  test.each(calls)("%s prints chosen columns in every format", async (path, ...given) => {
    const { commands } = await declared;
    const all = given.includes("cause")
      ? causeColumns
      : (commands.find((one) => one.path === path)?.columns ?? []);
    const [last, before] = [all.at(-1), all.at(-2)];
    if (last === undefined || before === undefined) throw new Error(`${path} has no columns`);
    const names = [last.name, before.name];
    const run = (...words: string[]) =>
      runCommand([...path.split(" "), ...given, ...words], { env: sandbox.env, folders });
    const choice = ["--columns", names.join(",")];

    const csv = await run(...choice, "--format", "csv");
    expect(csv.code, csv.stderr).toBe(0);
    expect(csv.stdout.split("\n")[0]).toBe(names.join(","));
    const count = csv.stdout.trimEnd().split("\n").length - 1;
    const tsv = await run(...choice, "--format", "tsv");
    expect(tsv.stdout.split("\n")[0]).toBe(names.join("\t"));
    const jsonl = (await run(...choice, "--format", "jsonl")).stdout.split("\n").slice(0, -1);
    expect(jsonl.length).toBe(count);
    for (const line of jsonl)
      for (const key of Object.keys(JSON.parse(line))) expect(names).toContain(key);
    const md = await run(...choice, "--format", "md");
    if (count > 0) expect(md.stdout).toMatch(/^\| .* \|\n\| --- \|/);
  });

  const declared = declaredProgram("0.0.0");

  test("refuses an unknown column and lists those there are", async () => {
    const { code, stdout, stderr } = await runCommand(
      ["observations", "list", "--columns", "bytes,orgin"],
      { folders },
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(
      'supplyline: --columns: there is no column "orgin". Columns: import_supplier, origin, observations, first_at, last_at, accounts, bytes. Did you mean origin?\n',
    );
  });

  test("refuses a column of ages without --ages, before anything is requested", async () => {
    const words = ["accounts", "list", "ACME", "--columns", "pending_since"];
    const { code, stderr } = await runCommand(words, { env: sandbox.env, folders });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "supplyline: --columns: pending_since needs --ages.\n",
    });
  });

  test("refuses rows where the command prints none, and lists its formats", async () => {
    const { code, stderr } = await runCommand(["cohorts", "remove", "wave", "--format", "tsv"], {
      folders,
    });
    expect(code).toBe(2);
    expect(stderr).toContain("Cohorts remove does not print tsv. Allowed: table, json, jsonl.");
  });
});
