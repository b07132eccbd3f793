import { mkdir, readFile, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { type CommandOptions, runCommand } from "../helpers/command.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openService, type Received, reply, type TestService } from "../helpers/service.ts";

/** The answers of a service: items or a status for the lists, and the status of accounts on no list. */
interface Answers {
  readonly all?: unknown[] | number | ((response: ServerResponse) => void);
  readonly pending?: unknown[] | number;
  readonly imported?: unknown[] | number;
  readonly statuses?: Readonly<Record<string, string | number>>;
}

let answers: Answers = {};
let service: TestService;
let folders: Folders;

beforeAll(async () => {
  service = await openService(answer);
  folders = await openFolders();
  await mkdir(folders.home, { recursive: true });
});

function answer(request: Received, response: ServerResponse): void {
  const [, state] = /\/(all|pending|imported)-account/.exec(request.path) ?? [];
  if (state === undefined) {
    const number = decodeURIComponent(/([^/]+)\/$/.exec(request.path)?.[1] ?? "");
    const status = answers.statuses?.[number] ?? 404;
    const service_account_number = status === "COMPLETED" ? `A-${number}` : "";
    if (typeof status === "number") reply(response, status, { detail: "No." });
    else reply(response, 200, { status, service_account_number });
    return;
  }
  const list = answers[state as "all"] ?? 404;
  if (typeof list === "function") list(response);
  else reply(response, typeof list === "number" ? list : 200, list);
}

const imported = (number: string) => ({
  external_account_number: number,
  service_account_number: `A-${number}`,
  account_created_at: "2026-11-20T08:00:00Z",
});
const pending = (number: string) => ({
  external_account_number: number,
  service_account_number: null,
  account_created_at: null,
});

async function run(source: string, args: readonly string[], more: CommandOptions = {}) {
  const before = service.asked().length;
  const result = await runCommand(["reconcile", "ACME", "--source", "-", ...args], {
    input: source,
    folders,
    env: { ...service.env, SUPPLYLINE_OBSERVE: "0" },
    ...more,
  });
  return { ...result, asked: service.asked().slice(before) };
}

const mine = "IN\nWAITS\n\nIN\nMOVES\nLOST\nNEVER\nREADY\n";
const usual: Answers = {
  all: [pending("WAITS"), imported("OTHER"), imported("IN"), pending("never")],
  statuses: { MOVES: "IN_PROGRESS", LOST: "UNKNOWN", READY: "COMPLETED" },
};

test("--json is one object with counts and rows, without the fields that do not apply", async () => {
  answers = usual;
  const { code, stdout, stderr } = await run(mine, ["--json"]);
  expect({ code, stderr }).toEqual({ code: 10, stderr: "" });
  const { listed_at, ...result } = JSON.parse(stdout);
  expect(listed_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(result).toEqual({
    import_supplier: "ACME",
    source_rows: 7,
    other_supplier: 0,
    listed: 4,
    counts: {
      imported: 2,
      pending: 1,
      "in-progress": 1,
      failed: 1,
      "not-staged": 1,
      absent: 0,
      duplicate: 1,
      malformed: 0,
      extra: 2,
    },
    rows: [
      {
        line: 1,
        external_account_number: "IN",
        class: "imported",
        service_account_number: "A-IN",
        account_created_at: "2026-11-20T08:00:00Z",
      },
      { line: 2, external_account_number: "WAITS", class: "pending" },
      { line: 4, external_account_number: "IN", class: "duplicate", first_line: 1 },
      {
        line: 5,
        external_account_number: "MOVES",
        class: "in-progress",
        status: "IN_PROGRESS",
      },
      { line: 6, external_account_number: "LOST", class: "failed", status: "UNKNOWN" },
      { line: 7, external_account_number: "NEVER", class: "not-staged", suggestion: "never" },
      {
        line: 8,
        external_account_number: "READY",
        class: "imported",
        service_account_number: "A-READY",
        status: "COMPLETED",
      },
    ],
  });
});

test("every row imported ends with 0, whatever else is listed", async () => {
  answers = usual;
  const { code, stdout } = await run("IN\n", ["--json", "--extra"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).rows).toEqual([
    expect.objectContaining({ line: 1, class: "imported" }),
    { external_account_number: "WAITS", class: "extra" },
    {
      external_account_number: "OTHER",
      class: "extra",
      service_account_number: "A-OTHER",
      account_created_at: "2026-11-20T08:00:00Z",
    },
    { external_account_number: "never", class: "extra" },
  ]);
});

test("--only imported as CSV is the mapping from old to new numbers; the counts are on stderr", async () => {
  answers = usual;
  const columns = "external_account_number,service_account_number";
  const args = ["--only", "imported", "--format", "csv", "--columns", columns];
  const { code, stdout, stderr } = await run(mine, args);
  expect(code).toBe(10);
  expect(stdout).toBe(`${columns}\nIN,A-IN\nREADY,A-READY\n`);
  expect(stderr).toMatch(
    /^supplyline: 2 of 7 rows imported\. 1 pending, 1 in-progress, 1 failed, 1 not-staged, 1 duplicate\. ACME lists 4 accounts, 2 extra \(.*UTC\)\.\n$/,
  );
});

test("jsonl streams the rows and ends with the counts on stderr; tsv is like CSV", async () => {
  answers = usual;
  const lines = await run(mine, ["--only", "failed,duplicate", "--format", "jsonl"]);
  expect(lines.stdout).toBe(
    '{"line":4,"external_account_number":"IN","class":"duplicate","first_line":1}\n' +
      '{"line":6,"external_account_number":"LOST","class":"failed","status":"UNKNOWN"}\n',
  );
  expect(JSON.parse(lines.stderr)).toMatchObject({ source_rows: 7, counts: { extra: 2 } });
  const tsv = await run("'=AB\n", ["--format", "tsv", "--columns", "class,line,suggestion"]);
  expect(tsv.stdout).toBe("class\tline\tsuggestion\nnot-staged\t1\t\n");
});

test("the table has the counts, the first rows of each class, and the command for the others", async () => {
  answers = usual;
  const rows = Array.from({ length: 25 }, (_, at) => `LATE-${at}`).join("\n");
  const { stdout } = await run(`IN\n${rows}\nWAITS\n`, ["--no-lookup", "--extra"]);
  expect(stdout.split("\n").slice(2, 8)).toEqual([
    "Class     Rows   Share  Meaning",
    "imported     1   3.7 %  has an account on the platform",
    "pending      1   3.7 %  listed, not imported yet",
    "absent      25  92.6 %  not listed, and not checked",
    "extra        2          listed by the service, not in the source",
    "",
  ]);
  expect(stdout).toContain("\nabsent: the first 20 of 25 rows\nLine  External account number\n");
  expect(stdout).toContain("\n21    LATE-19\nAll of them: supplyline reconcile ACME ");
  expect(stdout).toContain("--source - --only absent --format csv --no-lookup\n");
  expect(stdout).not.toContain("LATE-20");
  expect(stdout).not.toContain("imported: ");
  const asked = await run("IN\n", ["--only", "imported", "--format", "md"]);
  expect(asked.stdout).toContain("### imported: 1 row\n\n| Line | External account number |");
});

test("the pending rows say since when, as far as lists were observed", async () => {
  answers = usual;
  const own = await openFolders();
  const observed = { folders: own, env: service.env };
  const first = await run("WAITS\n", ["--json"], observed);
  const since = JSON.parse(first.stdout).rows[0].pending_since;
  expect(since).toBe(JSON.parse(first.stdout).listed_at);
  const later = await run("WAITS\nIN\n", ["--json"], observed);
  expect(JSON.parse(later.stdout).rows.map((row: object) => Object.keys(row))).toEqual([
    ["line", "external_account_number", "class", "pending_since"],
    ["line", "external_account_number", "class", "service_account_number", "account_created_at"],
  ]);
  expect(JSON.parse(later.stdout).rows[0].pending_since).toBe(since);
});

describe("lookups", () => {
  test("are as many as the limit allows, or none", async () => {
    answers = usual;
    const limited = await run("MOVES\nLOST\n", ["--json", "--lookup-limit", "1"]);
    expect(JSON.parse(limited.stdout).counts).toMatchObject({ "in-progress": 1, absent: 1 });
    const none = await run("MOVES\nLOST\n", ["--json", "--no-lookup"]);
    expect(JSON.parse(none.stdout).counts.absent).toBe(2);
    expect(none.asked).toHaveLength(1);
  });

  test("that fail leave their rows absent with the error, and decide the exit code", async () => {
    answers = { ...usual, statuses: { ODD: 400, LOST: "UNKNOWN", "NO-WAY": 403 } };
    const args = ["--format", "csv", "--columns", "line,class,error"];
    const { code, stdout, stderr } = await run("IN\nLOST\nNO-WAY\n", args);
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /^line,class,error\n1,imported,\n2,failed,\n3,absent,forbidden 403: .+\n$/,
    );
    expect(stderr).toContain("1 lookup failed. ");
    const asJson = JSON.parse((await run("ODD\n", ["--json"])).stdout);
    expect(asJson.rows[0]).toMatchObject({
      class: "absent",
      error: { kind: "rejected", http_status: 400 },
    });
  });

  test("are not made for a number that cannot be part of an address", async () => {
    answers = usual;
    const { code, stdout, asked } = await run("..\n", ["--json"]);
    expect(code).toBe(10);
    expect(JSON.parse(stdout).rows[0]).toMatchObject({
      class: "absent",
      error: { kind: "invalid-request" },
    });
    expect(asked).toHaveLength(1);
  });
});

test("rows without a number are malformed, with the reason and the row, and are not looked up", async () => {
  answers = usual;
  const source = 'external_account_number,name\n,x\n"IN\nIN,y\n';
  const { code, stdout } = await run(source, ["--json"]);
  expect(code).toBe(10);
  expect(JSON.parse(stdout).rows).toEqual([
    {
      line: 2,
      class: "malformed",
      error: { kind: "malformed", message: "The number is empty." },
      text: ",x",
    },
    {
      line: 3,
      class: "malformed",
      text: '"IN',
      error: {
        kind: "malformed",
        message:
          "The quote that opens on line 3 is never closed. Close it, or write a quote in a text twice.",
      },
    },
    expect.objectContaining({ line: 4, class: "imported" }),
  ]);
  const malformed = ["--only", "malformed"];
  expect((await run(source, [...malformed, "--format", "csv"])).stdout.split("\n")[1]).toBe(
    '2,,malformed,,,,,,,The number is empty.,,",x"',
  );
  expect((await run(source, malformed)).stdout).toMatch(
    /^Line +Error +Row\n2 +The .* empty\. +,x$/m,
  );
});

describe("without a complete list nothing is classified or printed", () => {
  test.each<[string, Answers, number]>([
    ["the supplier is not known", {}, 5],
    ["the service fails", { all: 403 }, 3],
    ["an element names no account", { all: [imported("IN"), 12] }, 6],
    [
      "the list is cut off",
      { all: (response) => response.writeHead(200).end('[{"external_account_number":"IN"}') },
      6,
    ],
    [
      "the answer has one page of it",
      {
        all: (response) =>
          reply(response, 200, [imported("IN")], { "content-range": "items 0-0/2" }),
      },
      6,
    ],
    ["only the pending list answers", { all: 404, pending: [pending("IN")], imported: 403 }, 3],
  ])("%s", async (_what, given, expected) => {
    answers = given;
    const { code, stdout, stderr } = await run("IN\n", ["--json"]);
    expect({ code, stdout }).toEqual({ code: expected, stdout: "" });
    expect(Object.keys(JSON.parse(stderr))).toEqual(["error"]);
  });
});

describe("a list that cannot be used is refused before any request", () => {
  test.each<[string, string, readonly string[], RegExp]>([
    ["an empty source", "\n\n", [], /Standard input has no account number/],
    ["an unknown column", "old,new\nA,B\n", ["--column", "older"], /Its columns: old, new\./],
    ["an unknown class", "A\n", ["--only", "pending,lost"], /Allowed: imported, pending,/],
    ["a column of the output", "A\n", ["--columns", "line,number"], /Columns: line, external_/],
    ["another format", "A\n", ["--format", "xml"], /Allowed: table, json, jsonl, csv, tsv, md/],
    ["a JSON array that is cut off", '["A",', [], /not JSON/],
  ])("%s", async (_what, source, args, expected) => {
    const { code, stdout, stderr, asked } = await run(source, args);
    expect({ code, stdout, asked }).toEqual({ code: 2, stdout: "", asked: [] });
    expect(stderr).toMatch(expected);
  });

  test.each([
    ["a folder", ".", /it is a folder/],
    ["a file that does not exist", "gone.csv", /there is no such file/],
  ])("%s", async (_what, path, expected) => {
    const { code, stderr } = await runCommand(["reconcile", "ACME", "--source", path], {
      folders,
      env: service.env,
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(expected);
  });

  test("no source at all", async () => {
    const { code, stderr } = await runCommand(["reconcile", "ACME"], { folders, env: service.env });
    expect(code).toBe(2);
    expect(stderr).toContain("--source FILE");
  });
});

test("--column names the column of a CSV file", async () => {
  answers = usual;
  await writeFile(join(folders.home, "wave.csv"), "old;new\nIN;1\nWAITS;2\n");
  const { stdout } = await runCommand(
    ["reconcile", "ACME", "--source", "wave.csv", "--column", "old", "--format", "csv"],
    { folders, env: { ...service.env, SUPPLYLINE_OBSERVE: "0" } },
  );
  expect(stdout.split("\n").slice(1, 3)).toEqual([
    "2,IN,imported,A-IN,2026-11-20T08:00:00Z,,,,,,,",
    "3,WAITS,pending,,,,,,,,,",
  ]);
});

test.each([
  ["a table without the column", "Account Number;Customer\nIN;Doe\nWAITS;Roe\n", "Account Number"],
  [
    "a column that is there twice",
    "external_account_number,external_account_number\nA,B\n",
    "twice",
  ],
])("%s is exit 2 with the columns, and nothing is requested", async (_, source, words) => {
  answers = usual;
  for (const command of [
    ["reconcile", "ACME", "--source", "-"],
    ["check", "ACME", "--source", "-"],
    ["cohorts", "add", "wave", "ACME", "--source", "-"],
    ["accounts", "status", "ACME", "--from", "-"],
    ["accounts", "watch", "ACME", "--from", "-"],
    ["find", "--supplier", "ACME", "--from", "-"],
  ]) {
    const before = service.asked().length;
    const { code, stderr } = await runCommand(command, {
      input: source,
      folders,
      env: service.env,
    });
    expect(code, command.join(" ")).toBe(2);
    // `find` searches any text for numbers, so a table is no list to it.
    const expected = command[0] === "find" ? "no account number" : words;
    expect(stderr, command.join(" ")).toContain(expected);
    expect(service.asked().length).toBe(before);
  }
});

test("rows of another supplier are left out with one notice, and counted", async () => {
  answers = usual;
  const csv = "import_supplier,external_account_number\nACME,IN\nEAST,0000123\nEAST,WAITS\n";
  const { code, stdout, stderr } = await run(csv, ["--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    source_rows: 1,
    other_supplier: 2,
    counts: { imported: 1, "not-staged": 0, pending: 0 },
  });
  expect(code).toBe(0);
  expect(stderr.match(/EAST/g)).toHaveLength(1);
});

test("a number of a command line that looks shortened is still searched", async () => {
  answers = { all: [imported("1.2E+12")] };
  const { code } = await runCommand(["find", "1.2E+12", "--supplier", "ACME", "--lists-only"], {
    folders,
    env: service.env,
  });
  expect(code).toBe(0);
});

test("a row on no list of this supplier names the other suppliers that list it", async () => {
  const own = await openFolders();
  const env = { SUPPLYLINE_API_KEY: service.apiKey };
  const more = { folders: own, env };
  await runCommand(["profiles", "add", "p", "--base-url", service.baseUrl], more);
  await runCommand(["suppliers", "add", "ACME", "EAST", "WEST", "NORTH"], more);
  for (const [supplier, list] of [
    ["EAST", [imported("E-1"), pending("E-2")]],
    ["WEST", [pending("E-2"), pending("LEFT")]],
    ["WEST", [pending("E-2")]],
  ] as const) {
    answers = { all: [...list] };
    await runCommand(["accounts", "list", supplier], more);
  }
  answers = { all: [imported("IN")] };
  const { stdout, asked } = await run("IN\nE-1\nE-2\nLEFT\nNO\n", ["--json"], more);
  expect(
    JSON.parse(stdout).rows.map((row: Record<string, string>) => [
      row.external_account_number,
      row.class,
      row.elsewhere,
    ]),
  ).toEqual([
    ["IN", "imported", undefined],
    ["E-1", "not-staged", "EAST"],
    ["E-2", "not-staged", "EAST, WEST"],
    ["LEFT", "not-staged", undefined],
    ["NO", "not-staged", undefined],
  ]);
  expect(asked.filter((path) => /EAST|WEST|NORTH/.test(path))).toEqual([]);
});

describe("--corrected writes the list again", () => {
  /** One list in each format: never is listed for NEVER, WAITS is there twice, and a row has no number. */
  const lists: Readonly<Record<string, readonly [before: string, after: string]>> = {
    "list.csv": [
      '\uFEFFk;external_account_number;n\r\n1;IN;"x"\r\n2;"NEVER";y\r\n3;IN;z\r\n4;;\r\n5;WAITS;w',
      '\uFEFFk;external_account_number;n\r\n1;IN;"x"\r\n2;never;y\r\n5;WAITS;w',
    ],
    "list.jsonl": [
      '{"external_account_number":"IN","n":1.0}\n"NEVER"\n"IN"\n""\n"WAITS"\n',
      '{"external_account_number":"IN","n":1.0}\n"never"\n"WAITS"\n',
    ],
    "list.json": ['["IN", "NEVER",\n"IN", "", "WAITS"]', '["IN", "never", "WAITS"]'],
    "list.txt": ["IN\nNEVER\nIN\n1.2E+12\nWAITS\n", "IN\nnever\nWAITS\n"],
  };

  test.each(Object.keys(lists))("in its own format: %s", async (name) => {
    answers = usual;
    const [before, after] = lists[name] ?? [];
    await writeFile(join(folders.home, name), before ?? "");
    const file = `fixed-${name}`;
    const args = ["reconcile", "ACME", "--source", name, "--corrected", file, "--no-lookup"];
    const options = { folders, env: { ...service.env, SUPPLYLINE_OBSERVE: "0" } };
    const { code, stderr } = await runCommand(args, options);
    expect(stderr).toContain(
      `${file}: 1 number replaced, 1 duplicate and 1 malformed row left out.`,
    );
    expect(code).toBe(10);
    expect(await readFile(join(folders.home, file), "utf8")).toBe(after);
    // The corrected list has nothing left to correct.
    const again = ["reconcile", "ACME", "--source", file, "--corrected", `again-${file}`];
    const { stderr: words } = await runCommand(again, options);
    expect(words).toContain("0 numbers replaced, no row left out.");
    expect(await readFile(join(folders.home, `again-${file}`), "utf8")).toBe(after);
  });

  test("and overwrites nothing, before anything is requested", async () => {
    answers = usual;
    await writeFile(join(folders.home, "mine.txt"), mine);
    const asked = service.asked().length;
    const { code, stderr } = await run(mine, ["--corrected", "mine.txt"]);
    expect([code, service.asked().length]).toEqual([2, asked]);
    expect(stderr).toContain("mine.txt: it already exists");
    expect(await readFile(join(folders.home, "mine.txt"), "utf8")).toBe(mine);
  });

  test("and writes no file if the list of the service is not complete", async () => {
    answers = { all: 500, pending: 500, imported: 500 };
    await run(mine, ["--corrected", "none.txt", "--timeout", "5s"]);
    await expect(readFile(join(folders.home, "none.txt"))).rejects.toThrow("ENOENT");
  });
});
