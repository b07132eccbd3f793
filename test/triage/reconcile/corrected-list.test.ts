import { editedList, type RowEdit } from "../../../src/triage/reconcile/corrected-list.ts";
import { readSource } from "../../../src/triage/source/read-source.ts";
import type { SourceLayout } from "../../../src/triage/source/source.ts";

type Edits = Readonly<Record<number, readonly [from: string, to: string] | "remove">>;

const correct = (
  text: string,
  layout: SourceLayout,
  edits: Edits,
  column = "external_account_number",
) => {
  const byLine = Object.entries(edits).map(([line, edit]): [number, RowEdit] => [
    Number(line),
    edit === "remove" ? { kind: edit } : { kind: "replace", from: edit[0], to: edit[1] },
  ]);
  const { bytes, replaced } = editedList(Buffer.from(text), { layout, column }, new Map(byLine));
  return [bytes.toString(), replaced];
};

test("a CSV keeps its other columns, quotes and line ends", () => {
  const text =
    '\uFEFFname;Vertragskonto;Welle\r\n"a;""b""";EXT-1;3\r\n"two\r\nlines";"EXT 2";EXT 2\r\nc;EXT-3;1';
  expect(
    correct(text, "csv", { 3: ["EXT 2", "EXT-2"], 5: ["EXT-3", "EXT-30"] }, "Vertragskonto"),
  ).toEqual([text.replace('"EXT 2"', "EXT-2").replace("EXT-3", "EXT-30"), 2]);
});

test("a list of lines and JSON lines are corrected on these lines alone", () => {
  expect(
    correct("A-1\r\n\r\n  A-2 \nA-1\n", "text", { 1: ["A-1", "A1"], 3: ["A-2", "A2"] }),
  ).toEqual(["A1\r\n\r\n  A2 \nA-1\n", 2]);
  const lines = '{"external_account_number": "A-1", "old": "A-1", "n": 1.0}\n"A-2"\n';
  expect(correct(lines, "jsonl", { 1: ["A-1", "A1"], 2: ["A-2", "A2"] })).toEqual([
    lines.replace('"A-1"', '"A1"').replace("A-2", "A2"),
    2,
  ]);
});

test("a row that has another number stays, and is not counted", () => {
  const text = "external_account_number\nA-1\n";
  expect(correct(text, "csv", { 2: ["B-1", "B1"] })).toEqual([text, 0]);
});

test("a cell is quoted for the separator of its list", () => {
  expect(correct("n\tk\nA,1\tx\n", "csv", { 2: ["A,1", "A;1"] }, "n")).toEqual([
    "n\tk\nA;1\tx\n",
    1,
  ]);
  expect(correct("n;k\nA1;x\n", "csv", { 2: ["A1", "A;1"] }, "n")).toEqual(['n;k\n"A;1";x\n', 1]);
});

/** One list in each layout, with the line of each of its rows A, B, C and D. */
const layouts: Readonly<
  Record<SourceLayout, { readonly text: string; readonly lines: readonly number[] }>
> = {
  csv: {
    text: '\uFEFFk;external_account_number\r\n\r\n1;A\r\n"2\r\n";"B"\r\n\r\n3;C\r\n4;D',
    lines: [3, 4, 7, 8],
  },
  text: { text: "\uFEFFA\r\n\r\n B \r\nC\r\nD", lines: [1, 3, 4, 5] },
  jsonl: {
    text: '\uFEFF{"external_account_number":"\\u0041"}\n\n"B"\n"C"\n{"external_account_number" : "D", "n": 1.0}',
    lines: [1, 3, 4, 5],
  },
  json: {
    text: '\uFEFF[ "A",\n  {"n":1.0,"external_account_number":"\\u0042"} ,"C"\n,"D" ]\n',
    lines: [1, 2, 3, 4],
  },
};
const letters = ["A", "B", "C", "D"];

/** Every choice of rows that stay, are replaced or are removed. */
const choices = Array.from({ length: 3 ** 4 }, (_, n) =>
  letters.map((_, at) => (["stay", "replace", "remove"] as const)[Math.floor(n / 3 ** at) % 3]),
);

test.each(Object.keys(layouts) as SourceLayout[])(
  "a list as %s is read again as exactly the rows that were meant, for every choice of rows",
  (layout) => {
    const { text, lines } = layouts[layout];
    // A separator in a plain line makes it a line of a table.
    const other = (letter: string) => (layout === "text" ? `=${letter} 1` : `=${letter};"1`);
    for (const choice of choices) {
      const edits: Edits = Object.fromEntries(
        letters.flatMap((letter, at): [number, Edits[number]][] => {
          const line = lines[at] ?? 0;
          if (choice[at] === "remove") return [[line, "remove"]];
          return choice[at] === "replace" ? [[line, [letter, other(letter)]]] : [];
        }),
      );
      const meant = letters.flatMap((letter, at) =>
        choice[at] === "remove" ? [] : choice[at] === "replace" ? [other(letter)] : [letter],
      );
      const [corrected, replaced] = correct(text, layout, edits);
      const name = `list.${layout === "text" ? "txt" : layout}`;
      const source = readSource(Buffer.from(String(corrected)), { name });
      const numbers = Array.from({ length: source.rows }, (_, row) => source.numberOf(row));
      expect([choice, numbers, replaced]).toEqual([
        choice,
        meant,
        choice.filter((what) => what === "replace").length,
      ]);
      if (Object.keys(edits).length === 0) expect(corrected).toBe(text);
    }
  },
);

test("a number that looks shortened is written so that it is read as this number", () => {
  const [corrected] = correct("A1\n", "text", { 1: ["A1", "1200060254372.0"] });
  const source = readSource(Buffer.from(String(corrected)), { name: "list" });
  expect(source.numberOf(0)).toBe("1200060254372.0");
});
