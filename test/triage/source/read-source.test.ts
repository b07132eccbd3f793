import { AppError, isAppError } from "../../../src/errors/app-error.ts";
import { readingSource, readSource } from "../../../src/triage/source/read-source.ts";
import * as fc from "../../helpers/fast-check.ts";

type Row = readonly [line: number, numberOrIssue: string];

function rowsOf(content: string | Uint8Array, name = "mine.txt", column?: string): Row[] {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const source = readSource(bytes, { name, column });
  return Array.from({ length: source.rows }, (_, row) => {
    const issue = source.issueOf(row);
    return [source.lineOf(row), issue === null ? source.numberOf(row) : `(${issue.kind})`];
  });
}

function refusalOf(
  content: string | Uint8Array,
  name = "mine.txt",
  column?: string,
): AppError<"source"> {
  try {
    rowsOf(content, name, column);
  } catch (error) {
    if (isAppError(error, "source")) return error;
    throw error;
  }
  throw new Error("the list was read");
}

const column = "external_account_number";

test.each<[string, string, Row[]]>([
  [
    "one number per line",
    "A\nB\n",
    [
      [1, "A"],
      [2, "B"],
    ],
  ],
  [
    "lines that end in CR LF, CR and nothing",
    "A\r\nB\rC",
    [
      [1, "A"],
      [2, "B"],
      [3, "C"],
    ],
  ],
  [
    "blank lines",
    "\nA\n \t\n\u00a0\nB\n\n",
    [
      [2, "A"],
      [5, "B"],
    ],
  ],
  ["white space around numbers", "\u2003 A B\u3000\n", [[1, "A B"]]],
  [
    "a byte order mark",
    "\ufeffA\nB",
    [
      [1, "A"],
      [2, "B"],
    ],
  ],
  [
    "a JSON array, by position",
    '\ufeff["A",\n\n" B ", ""]',
    [
      [1, "A"],
      [2, "B"],
      [3, "(empty)"],
    ],
  ],
  [
    "JSON values that are no strings",
    '["A", 12, null, ["B"]]',
    [
      [1, "A"],
      [2, "(no-number)"],
      [3, "(no-number)"],
      [4, "(no-number)"],
    ],
  ],
  [
    "an array of objects, as lists are printed",
    `[{"${column}":"A"},{"x":1}]`,
    [
      [1, "A"],
      [2, "(no-number)"],
    ],
  ],
  [
    "half a surrogate pair",
    '["\\ud800", "\\ud83d\\ude00"]',
    [
      [1, "(not-utf8)"],
      [2, "😀"],
    ],
  ],
  [
    "JSON lines of strings",
    '"A"\n\n"B"\r\n"',
    [
      [1, "A"],
      [3, "B"],
      [4, "(unreadable)"],
    ],
  ],
  [
    "JSON lines of objects",
    `{"${column}":"A","x":[1]}\n{"x":2}\n{"${column}":"B"`,
    [
      [1, "A"],
      [2, "(no-number)"],
      [3, "(unreadable)"],
    ],
  ],
  [
    "CSV",
    `${column}\nA\nB\n`,
    [
      [2, "A"],
      [3, "B"],
    ],
  ],
  [
    "CSV with semicolons",
    `name;${column}\nx;A\ny; B \n`,
    [
      [2, "A"],
      [3, "B"],
    ],
  ],
  ["CSV with tabs", `${column}\tname\nA\tx\n`, [[2, "A"]]],
  [
    "empty cells and empty rows of CSV",
    `${column},n\n,x\n\n,\n" ",y\n`,
    [
      [2, "(empty)"],
      [4, "(blank)"],
      [5, "(empty)"],
    ],
  ],
  [
    "line ends in quotes",
    `n,"${column}"\n"a\nb",A\nc,B\n`,
    [
      [2, "A"],
      [4, "B"],
    ],
  ],
  [
    "rows of another width",
    `${column},n\nA\nB,x,y\nC,z\n`,
    [
      [2, "(unreadable)"],
      [3, "(unreadable)"],
      [4, "C"],
    ],
  ],
  [
    "the apostrophe of an export",
    `${column},n\n'-47,x\n"'=1",y\n'A,z\n`,
    [
      [2, "-47"],
      [3, "=1"],
      [4, "'A"],
    ],
  ],
])("%s", (_what, content, rows) => {
  expect(rowsOf(content, content.startsWith(column) ? "mine.csv" : "mine.txt")).toEqual(rows);
});

test("bytes that are not UTF-8 make their row malformed, and no other", () => {
  const bad = (text: string) => Buffer.from(text, "latin1");
  expect(rowsOf(bad("A\n\xff\nB\n"))).toEqual([
    [1, "A"],
    [2, "(not-utf8)"],
    [3, "B"],
  ]);
  expect(rowsOf(bad(`${column},n\n\xff,A\nB,x\n`))).toEqual([
    [2, "(not-utf8)"],
    [3, "B"],
  ]);
  expect(rowsOf(bad(`${column},n\n"\xff","A"\n"B","x"\n`))).toEqual([
    [2, "(not-utf8)"],
    [3, "B"],
  ]);
  expect(rowsOf(bad('"A"\n"\xff"\n'))).toEqual([
    [1, "A"],
    [2, "(not-utf8)"],
  ]);
});

test("names of another encoding in other columns leave the numbers readable", () => {
  const spreadsheet = (text: string) => Buffer.from(text, "latin1");
  const rows = [
    [2, "EXT-1"],
    [3, "EXT-2"],
  ];
  expect(rowsOf(spreadsheet("Straße;nr\nKöln;EXT-1\nBonn;EXT-2\n"), "x.csv", "nr")).toEqual(rows);
  expect(
    rowsOf(spreadsheet('"Straße";"nr"\n"Köln;\xff";"EXT-1"\n"Bonn";"EXT-2"\n'), "x.csv", "nr"),
  ).toEqual(rows);
});

test.each([",", ";", "\t"])("a header in quotes, its cells parted by %j, is read", (separator) => {
  const lines = ['"customer","nr"', '"a, b; c","EXT-1"', '"d ""e""","EXT-2"'];
  const content = lines.map((line) => line.replace('","', `"${separator}"`)).join("\n");
  expect(rowsOf(content, "x.csv", "nr")).toEqual([
    [2, "EXT-1"],
    [3, "EXT-2"],
  ]);
});

test("a file called CSV that has a number on each line and no header is a list", () => {
  expect(rowsOf("EXT-0000001\r\n\r\n EXT-17 \r\nx\r\n", "mine.csv")).toEqual([
    [1, "EXT-0000001"],
    [3, "EXT-17"],
    [4, "x"],
  ]);
  expect(refusalOf("Account 2\nEXT-1\n", "mine.csv").facts.columns).toEqual(["Account 2"]);
  expect(refusalOf("EXT-1,a\nEXT-2,b\n", "mine.csv").facts.columns).toEqual(["EXT-1", "a"]);
  expect(refusalOf("EXT-1\n", "mine.csv").facts.columns).toEqual(["EXT-1"]);
});

test("--column names the column of CSV and the key of JSON lines", () => {
  expect(rowsOf("old,new\nA,B\n", "x", "new")).toEqual([[2, "B"]]);
  expect(rowsOf('{"new":"B"}\n', "x", "new")).toEqual([[1, "B"]]);
});

test("an unknown column is refused with the columns of the list", () => {
  const csv = refusalOf("old;new\nA;B\n", "mine.csv");
  expect(csv.message).toBe(`mine.csv has no column named ${column} in its first line`);
  expect(csv.facts.columns).toEqual(["old", "new"]);
  expect(refusalOf("old\nA\n", "mine.txt", "new").facts.columns).toEqual(["old"]);
  expect(refusalOf('{"old":"A","b":1}\n', "mine.txt", "new").facts.columns).toEqual(["old", "b"]);
});

test.each<[layout: string, content: string, name: string, samples: string[]]>([
  ["commas", "old,new\nA,B\nC,D\n", "mine.csv", ["A", "B"]],
  ["quotes and semicolons", '"old ; one";new\r\n"A;1";B\r\n', "mine.csv", ["A;1", "B"]],
  ["a blank line above", "\n\nold\tnew\n\nA\tB\n", "mine.tsv", ["A", "B"]],
  ["a row that is too short", "old,new\nA\n", "mine.csv", ["A", ""]],
  ["no row", "old,new\n", "mine.csv", ["", ""]],
  ["JSON lines", '{"old":"A","b":1,"c":[2]}\n', "mine.jsonl", ["A", "1", ""]],
])(
  "an unknown column is refused with the values of the first row: %s",
  (_, content, name, samples) => {
    expect(refusalOf(content, name, "number").facts.samples).toEqual(samples);
  },
);

test.each<[layout: string, content: string, name: string, text: string]>([
  ["text", "A\n,,;\n", "mine.txt", ",,;"],
  ["CSV", `${column},x\nA,1\n,two\n`, "mine.csv", ",two"],
  ["quoted CSV", `${column},x\n"A",1\n"B"C,2\n`, "mine.csv", '"B"C,2'],
  ["JSON lines", '"A"\nnot JSON\n', "mine.jsonl", "not JSON"],
  ["a JSON array", '["A", 12]', "mine.json", "12"],
])("a malformed row has its text, and a number has none: %s", (_, content, name, text) => {
  const source = readSource(Buffer.from(content), { name });
  expect([source.textOf(0), source.textOf(1)]).toEqual([null, text]);
});

test("the text of a malformed row is cut, and only that of the first is stored", () => {
  const long = readSource(Buffer.from(`"A"\n${"x".repeat(1_000)}\n`), { name: "mine.jsonl" });
  expect(long.textOf(1)).toBe("x".repeat(240));
  const many = readSource(Buffer.from(`"A"\n${"x\n".repeat(10_001)}`), { name: "mine.jsonl" });
  expect([many.textOf(10_000), many.textOf(10_001)]).toEqual(["x", null]);
});

test.each([
  ["UTF-16 with a mark", new Uint8Array([0xff, 0xfe, 0x41, 0]), /is UTF-16 text/],
  ["an Excel workbook", Buffer.from("PK\x03\x04\x14\0", "latin1"), /a workbook such as \.xlsx/],
  ["an old Excel workbook", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]), /a workbook such as/],
  ["UTF-16 without one", new Uint8Array([0x41, 0, 0x0a, 0]), /has a NUL byte/],
  ["a JSON array in another encoding", Buffer.from('["\xff"]', "latin1"), /not UTF-8 text/],
  ["Excel's hint about the separator", Buffer.from("sep=;\nn;m\n"), /begins with sep=;, a hint/],
  ["a JSON array that is cut off", Buffer.from('["A",\n"B"'), /line 2, column 4.*not JSON/],
])("%s is refused as a whole", (_what, bytes, message) => {
  expect(refusalOf(bytes).message).toMatch(message);
});

test.each(["", "\ufeff\r\n"])("a CSV file with nothing in it, as in %j, has no row", (content) => {
  expect(rowsOf(content, "empty.csv", column)).toEqual([]);
});

test("a row that cannot be a number is none, in each layout", () => {
  expect(rowsOf("EXT-1\n,,\n\x1a\nE\x85X\n")).toEqual([
    [1, "EXT-1"],
    [2, "(blank)"],
    [3, "(unusable)"],
    [4, "(unusable)"],
  ]);
  expect(rowsOf(`${column},n\nEXT-1,1\n,\n"\x1a",2\n`)).toEqual([
    [2, "EXT-1"],
    [3, "(blank)"],
    [4, "(unusable)"],
  ]);
  expect(rowsOf('["EXT-1", "\\u001a"]')).toEqual([
    [1, "EXT-1"],
    [2, "(unusable)"],
  ]);
});

test("a JSON array that is cut off at any byte is refused as a whole", () => {
  const json = Buffer.from(
    `[ "Ä-1", {"${column}": "B\\u00e9", "x": [1, {}]} ,-1.5e3, null, true ]`,
  );
  expect(rowsOf(json)).toHaveLength(5);
  for (let end = 1; end < json.length; end++)
    expect(() => rowsOf(json.subarray(0, end))).toThrow(AppError);
  expect(() => rowsOf(Buffer.from('["A"] ["B"]'))).toThrow(AppError);
});

test("a JSON array is read in slices", () => {
  const numbers = Array.from({ length: 20_000 }, (_, at) => `EXT-${at}`);
  const reading = readingSource(Buffer.from(JSON.stringify(numbers)), { name: "mine.json" });
  let slices = 0;
  for (let step = reading.next(); ; step = reading.next()) {
    if (step.done) {
      expect(step.value.rows).toBe(numbers.length);
      break;
    }
    slices += 1;
  }
  expect(slices).toBe(4);
});

test("a list that is cut off at any byte misreads no row but the last", () => {
  const csv = Buffer.from(`n,${column}\r\n"x, ""y""",Ä-1\r\nz,"B\nC"\r\nw,日本\r\n`);
  const whole = rowsOf(csv);
  expect(whole).toHaveLength(3);
  for (let end = csv.indexOf("\n") + 1; end < csv.length; end++) {
    const read = rowsOf(csv.subarray(0, end)).filter(([, found]) => !found.startsWith("("));
    for (const [at, row] of read.slice(0, -1).entries()) expect(row).toEqual(whole[at]);
    const [line, number = ""] = read.at(-1) ?? [];
    const same = whole.find((row) => row[0] === line);
    if (line !== undefined) expect(same?.[1].startsWith(number)).toBe(true);
  }
});

test("numbers of any text come back trimmed, whatever the format", () => {
  const number = fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((text) => text.trim() !== "" && text.isWellFormed() && !/\p{Cc}/u.test(text))
    .map((text) => `N${text}`);
  fc.assert(
    fc.property(fc.array(number, { minLength: 1 }), (numbers) => {
      const trimmed = numbers.map((text) => text.trim());
      const read = (content: string) => rowsOf(content).map(([, found]) => found);
      expect(read(`${numbers.join("\n")}\n`)).toEqual(trimmed);
      expect(read(JSON.stringify(numbers))).toEqual(trimmed);
      const cells = numbers.map((text) => `"${text.replaceAll('"', '""')}",x`);
      expect(read(`${column},n\n${cells.join("\n")}`)).toEqual(trimmed);
      const objects = numbers.map((text) => JSON.stringify({ [column]: text }));
      expect(read(objects.join("\n"))).toEqual(trimmed);
    }),
  );
});
