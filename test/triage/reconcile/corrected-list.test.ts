import { expect, test } from "vitest";
import { correctedList } from "../../../src/triage/reconcile/corrected-list.ts";
import type { SourceLayout } from "../../../src/triage/source/source.ts";

const correct = (
  text: string,
  layout: SourceLayout,
  corrections: Readonly<Record<number, readonly [from: string, to: string]>>,
  column = "external_account_number",
) => {
  const { bytes, replaced } = correctedList(
    Buffer.from(text),
    { layout, column },
    new Map(Object.entries(corrections).map(([line, [from, to]]) => [Number(line), { from, to }])),
  );
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
