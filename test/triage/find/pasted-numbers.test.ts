import { runToEnd } from "../../../src/accounts/slices.ts";
import { NumberShapes } from "../../../src/triage/find/number-shapes.ts";
import { numbersIn } from "../../../src/triage/find/pasted-numbers.ts";
import * as fc from "../../helpers/fast-check.ts";

const listed = [
  ...Array.from({ length: 40 }, (_, at) => `EXT-${1001 + at}`),
  "EXT-STUCK",
  "EXT 0000010",
  "EXT/0000011",
  "EXT%0000012",
  "EXT-Ωé-0000013",
  "NO-0000941",
  "0000123",
  "-4711",
];

/** Returns the numbers in a text, where these numbers are known. */
function read(
  text: string,
  known: readonly string[] = listed,
  suppliers: readonly string[] = [],
): readonly string[] {
  const shapes = new NumberShapes();
  for (const number of known) shapes.learn(number);
  const set = new Set(known);
  return runToEnd(numbersIn(text, { has: (number) => set.has(number), shapes, suppliers }));
}

test.each<[string, string, readonly string[]]>([
  ["lines", "EXT-1001\nEXT-1002\r\n\r\nEXT-1001\n", ["EXT-1001", "EXT-1002"]],
  ["commas", "EXT-1001, EXT-1002,EXT-1003,", ["EXT-1001", "EXT-1002", "EXT-1003"]],
  ["a comma behind each line", "EXT-1001,\nEXT-1002,\n", ["EXT-1001", "EXT-1002"]],
  ["semicolons and pipes", "EXT-1001; EXT-1002|EXT-1003", ["EXT-1001", "EXT-1002", "EXT-1003"]],
  ["a row of a spreadsheet", "ACME\tEXT-1001\t2026-11-28\tMiller", ["EXT-1001"]],
  ["a supplier and a blank", "ACME EXT-1001", ["EXT-1001"]],
  ["a supplier and a slash", "ACME/EXT-1001\nNORTH/NO-0000941", ["EXT-1001", "NO-0000941"]],
  ["straight quotes", `"EXT-1001" 'EXT-1002'`, ["EXT-1001", "EXT-1002"]],
  ["smart quotes", "“EXT-1001” ‘EXT-1002’ «EXT-1003»", ["EXT-1001", "EXT-1002", "EXT-1003"]],
  ["backticks", "`EXT-1001` and ```EXT-1002```", ["EXT-1001", "EXT-1002"]],
  ["bullets", "• EXT-1001\n- EXT-1002\n* EXT-1003", ["EXT-1001", "EXT-1002", "EXT-1003"]],
  ["a numbered list", "1. EXT-1001\n2) EXT-1002", ["EXT-1001", "EXT-1002"]],
  ["brackets", "(EXT-1001) [EXT-1002] {EXT-1003} <EXT-1004>", listed.slice(0, 4)],
  ["Markdown", "> **EXT-1001** | _EXT-1002_ | [EXT-1003](https://x/y)", listed.slice(0, 3)],
  [
    "a sentence",
    "EXT-1001 is stuck, please check EXT-STUCK. And EXT-1002?",
    ["EXT-1001", "EXT-STUCK", "EXT-1002"],
  ],
  [
    "a URL",
    "https://h.example/v1/data-import/account-transfer-status/ACME/EXT-1001/?a=2",
    ["EXT-1001"],
  ],
  [
    "an encoded URL",
    "https://h/ACME/EXT%2F0000011/ https://h/ACME/EXT%250000012/",
    ["EXT/0000011", "EXT%0000012"],
  ],
  [
    "a log line",
    '03:12:01 level=warn account=EXT-1001 other="EXT-1002" took=12ms',
    ["EXT-1001", "EXT-1002"],
  ],
  [
    "JSON",
    '{"rows": [{"external_account_number": "EXT-1001", "n": 7}, "EXT/0000011"]}',
    ["EXT-1001", "EXT/0000011"],
  ],
  [
    "characters without a width",
    "EXT\u200b-1001 \u2060EXT-1002\u200b\u202c EXT-\u00ad9999",
    ["EXT-1001", "EXT-1002", "EXT-9999"],
  ],
  ["dashes of an editor", "EXT\u20111001 and EXT\u20131002", ["EXT\u20111001", "EXT\u20131002"]],
  ["JSON lines", '{"a": "EXT-1002"}\n{"a": "EXT 0000010"}', ["EXT-1002", "EXT 0000010"]],
  ["JSON that was cut off", '[{"account": "EXT-1001"}, {"account": "EXT-1', ["EXT-1001", "EXT-1"]],
  [
    "CSV with the column",
    "name,external_account_number\nMiller 1002,EXT-1001\nX,ZZ9",
    ["EXT-1001", "ZZ9"],
  ],
  [
    "CSV with another header",
    "name;account\nMiller;EXT-1001\nMeier;EXT-1002",
    ["EXT-1001", "EXT-1002"],
  ],
  [
    "numbers with separators of their own",
    "EXT 0000010\nEXT/0000011\nEXT%0000012\n-4711",
    ["EXT 0000010", "EXT/0000011", "EXT%0000012", "-4711"],
  ],
  [
    "a number with a blank in a sentence",
    "both EXT 0000010 and 0000123 wait",
    ["EXT 0000010", "0000123"],
  ],
  ["letters of other alphabets", "see EXT-Ωé-0000013!", ["EXT-Ωé-0000013"]],
])("numbers are found in %s", (_what, text, expected) => {
  expect(read(text)).toEqual(expected);
});

test.each<[string, string, readonly string[]]>([
  ["a number of the same shape", "EXT-9999 and NO-0000001", ["EXT-9999", "NO-0000001"]],
  ["a number that begins like the known ones", "EXT-1O01 EXT-99", ["EXT-1O01", "EXT-99"]],
  ["digits of the same length", "0000124 00001234", ["0000124", "00001234"]],
])("an unknown token counts: %s", (_what, text, expected) => {
  expect(read(text)).toEqual(expected);
});

test("words, times, small figures and versions are no numbers", () => {
  const text = "On 2026-11-28 at 03:12 line 12 of v2 had 17 errors in UTF-8 (wave-3), see §4.";
  expect(read(text)).toEqual([]);
});

test("while nothing is known, each word with a digit counts", () => {
  expect(read("see A-17, X9Z; then go", [])).toEqual(["A-17", "X9Z"]);
});

const number = fc.constantFrom(...listed.filter((one) => !/[ /%]/.test(one)));
const wrapper = fc.constantFrom(
  ["", ""],
  ['"', '"'],
  ["“", "”"],
  ["`", "`"],
  ["(", ")"],
  ["- ", ""],
  ["**", "**"],
  ["account=", ""],
  ["ACME/", ""],
  ["", ":"],
);
const gap = fc.constantFrom("\n", ", ", ",", ";", "\t", " | ", " and ", "\r\n", " waits; ");

test("every known number is found, in its order and once, whatever is around it", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(number, wrapper, gap), { maxLength: 20 }), (tokens) => {
      const text = tokens.map(([one, [a, b], after]) => `${a}${one}${b}${after}`).join("");
      expect(read(text)).toEqual([...new Set(tokens.map(([one]) => one))]);
    }),
  );
});

test("any text is read to its end, and each number is a part of the text", () => {
  const piece = fc.oneof(fc.string({ unit: "binary" }), number, gap, fc.json());
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      for (const one of read(pieces.join(""), [])) expect(one).toMatch(/\d/);
      expect(new Set(read(pieces.join(" "))).size).toBe(read(pieces.join(" ")).length);
    }),
    { numRuns: 60 },
  );
});

test("the code of a supplier is no number, even if it looks like one", () => {
  const lines = "DE-0000001 EXT-1001\nDE-0000001/EXT-7\nW2,EXT-1002";
  const numbers = ["EXT-1001", "EXT-7", "EXT-1002"];
  expect(read(lines, listed, ["DE-0000001", "W2"])).toEqual(numbers);
  expect(read(lines, [], ["DE-0000001", "W2"])).toEqual(numbers);
});

test("a paste of 100,000 lines, or of one very long line, is read in small slices", () => {
  const numbers = Array.from({ length: 100_000 }, (_, at) => `EXT-${at}`);
  const shapes = new NumberShapes();
  shapes.learn("EXT-1");
  for (const text of [numbers.join("\n"), numbers.join(",")]) {
    const work = numbersIn(text, { has: () => false, shapes, suppliers: [] });
    let steps = 0;
    for (;;) {
      const step = work.next();
      if (step.done) {
        expect(step.value).toEqual(numbers);
        break;
      }
      steps += 1;
    }
    expect(steps).toBeGreaterThan(1_000);
  }
});
