import { isAppError } from "../../../src/errors/app-error.ts";
import { changedNumberProblem } from "../../../src/forms/spreadsheet-numbers.ts";
import { readSource } from "../../../src/triage/source/read-source.ts";
import { issueWords, leftOutWords, type Source } from "../../../src/triage/source/source.ts";

const column = "external_account_number";

interface Given {
  readonly name?: string;
  readonly column?: string;
  readonly supplier?: string;
}

function read(content: string, { name = "mine.txt", ...given }: Given = {}): Source {
  return readSource(Buffer.from(content), { name, ...given });
}

const rowsOf = (source: Source) =>
  Array.from({ length: source.rows }, (_, row) => {
    const issue = source.issueOf(row);
    return issue === null ? source.numberOf(row) : issueWords(issue);
  });

function refusal(content: string, given: Given = {}) {
  try {
    return rowsOf(read(content, given));
  } catch (error) {
    if (isAppError(error, "source")) return error;
    throw error;
  }
}

const rows = (separator: string, quote = "") =>
  [
    ["Account Number", "Customer", "Town"],
    ["EXT-1001", "J. Doe", "Ulm"],
    ["EXT-1002", "M. Roe", "Bonn"],
  ].map((cells) => cells.map((cell) => quote + cell + quote).join(separator));

const columns = ["Account Number", "Customer", "Town"];

test.each([",", ";", "\t"])(
  "a table parted by %j without the column is refused, whatever its name",
  (separator) => {
    for (const name of ["mine.txt", "standard input", "mine", "mine.dat", "mine.csv"])
      for (const quote of ["", '"'])
        for (const end of ["\n", "\r\n", "\r"]) {
          const content = rows(separator, quote).join(end);
          expect(refusal(content, { name }), `${name} ${quote}`).toMatchObject({
            facts: { columns },
          });
          // Rows of different width, and a title above.
          expect(refusal(`${content}${end}EXT-1003${end}`, { name })).toMatchObject({
            facts: { columns },
          });
        }
    expect(refusal(`Wave 3\n\n${rows(separator).join("\n")}`)).toMatchObject({
      facts: { columns },
    });
  },
);

test("a plain list may have a number with a comma, and an empty row of a table", () => {
  expect(refusal("EXT-1\nEXT-2,b\nEXT-3\n")).toEqual(["EXT-1", "EXT-2,b", "EXT-3"]);
  expect(refusal("EXT-1\n;;;\n;;;\nEXT-2\n")).toMatchObject(
    ["EXT-1", {}, {}, "EXT-2"].map((one) => (typeof one === "string" ? one : "The row is empty.")),
  );
});

test("a header cell of two lines before the column is read", () => {
  for (const separator of [",", ";"]) {
    const content = `"Name of\ncustomer"${separator}${column}\nDoe${separator}EXT-1001\n`;
    expect(refusal(content, { name: "mine.csv" })).toEqual(["EXT-1001"]);
    expect(refusal(content)).toEqual(["EXT-1001"]);
    expect(refusal(content, { column: "number" })).toMatchObject({
      facts: { columns: ["Name of customer", column] },
    });
  }
});

test.each([
  ["CSV", `${column},${column}\nEXT-1001,EXT-1002\n`],
  ["CSV with an empty last column", `${column},n,${column}\nEXT-1001,1,\n`],
  ["quoted CSV", `"${column}";"${column}"\n"EXT-1001";"EXT-1002"\n`],
  ["JSON lines", `{"${column}":"EXT-1001","${column}":"EXT-1002"}\n`],
  ["a JSON array", `[{"${column}":"EXT-1"},{"${column}":"EXT-1001","${column}":"EXT-1002"}]`],
  ["escaped JSON", `{"${column}":"EXT-1001","external\\u005faccount_number":"EXT-1002"}\n`],
])("a list with the number twice is refused: %s", (_, content) => {
  expect(refusal(content)).toMatchObject({ message: expect.stringContaining("twice") });
});

test("a list with the supplier twice is refused if the supplier matters", () => {
  const csv = `import_supplier,import_supplier,${column}\nACME,EAST,EXT-1\n`;
  const json = `{"import_supplier":"ACME","import_supplier":"EAST","${column}":"EXT-1"}\n`;
  for (const content of [csv, json])
    expect(refusal(content, { supplier: "ACME" })).toMatchObject({
      message: expect.stringContaining("import_supplier"),
    });
  expect(refusal(csv)).toEqual(["EXT-1"]);
});

const changed = ["7.22E+13", "1.20006E+12", "7e+13", "1200060254372.0"];

test.each(changed)(
  "%s is malformed in every layout, and an apostrophe in front sends it",
  (number) => {
    const words = changedNumberProblem(number);
    const layouts = (text: string) => [
      `${text}\nEXT-1001\n`,
      `${column},n\n${text},1\nEXT-1001,2\n`,
      `${column};n\n"${text}";1\n"EXT-1001";2\n`,
      JSON.stringify([text, "EXT-1001"]),
      JSON.stringify([{ [column]: text }, { [column]: "EXT-1001" }]),
      `${JSON.stringify({ [column]: text })}\n"EXT-1001"\n`,
    ];
    for (const content of layouts(number)) expect(refusal(content)).toEqual([words, "EXT-1001"]);
    for (const content of layouts(`'${number}`))
      expect(refusal(content)).toEqual([number, "EXT-1001"]);
  },
);

test("a list of numbers with decimal commas is a list of shortened numbers, not a table", () => {
  const numbers = ["7,22E+13", "1,20006E+12", "5,5E+12"];
  expect(refusal(`${numbers.join("\n")}\n`)).toEqual(numbers.map(changedNumberProblem));
});

test.each<[string, string]>([
  [
    "CSV",
    `import_supplier,${column}\nACME,EXT-1\nEAST,0000123\n,EXT-2\n ACME ,EXT-3\nEAST,EXT-4\n`,
  ],
  [
    "quoted CSV, the supplier last",
    `"${column}";"import_supplier"\n"EXT-1";"ACME"\n"0000123";"EAST"\n"EXT-2";""\n"EXT-3";" ACME "\n"EXT-4";"EAST"\n`,
  ],
  [
    "a JSON array",
    JSON.stringify([
      { import_supplier: "ACME", [column]: "EXT-1" },
      { import_supplier: "EAST", [column]: "0000123" },
      { [column]: "EXT-2" },
      "EXT-3",
      { import_supplier: "EAST", [column]: "EXT-4" },
    ]),
  ],
])("rows of another supplier are left out and counted: %s", (_, content) => {
  const source = read(content, { supplier: "ACME" });
  expect(rowsOf(source)).toEqual(["EXT-1", "EXT-2", "EXT-3"]);
  expect([...source.otherSuppliers]).toEqual([["EAST", 2]]);
  expect(leftOutWords(source)).toMatch(/^2 rows .*EAST/);
  expect([source.lineOf(1), source.lineOf(2)]).not.toContain(source.lineOf(0) + 1);
  const all = read(content);
  expect(all.rows).toBe(5);
  expect(leftOutWords(all)).toBeNull();
});

test("a list in which every row names another supplier is refused with that supplier", () => {
  const content = `import_supplier,${column}\nEAST,EXT-1\nWEST,EXT-2\n`;
  expect(refusal(content, { supplier: "ACME" })).toMatchObject({
    message: expect.stringContaining("EAST, WEST"),
  });
});
