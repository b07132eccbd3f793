import { compactJson } from "../../src/text/shown-json.ts";
import { widthOf } from "../../src/text/width.ts";
import * as fc from "../helpers/fast-check.ts";

const linesOf = (json: string, columns: number) =>
  compactJson(json, columns).map((parts) => parts.map(({ text }) => text).join(""));

describe("compact JSON", () => {
  const note = (body: string) =>
    JSON.stringify({
      import_supplier: "ACME",
      external_account_number: "EXT-0000007",
      notes: [{ body, is_pinned: true }],
    });

  test("puts as many members on a line as fit, and opens nested brackets on one line", () => {
    expect(linesOf(note("Called"), 78)).toEqual([
      '{ "import_supplier": "ACME", "external_account_number": "EXT-0000007",',
      '  "notes": [{ "body": "Called", "is_pinned": true }] }',
    ]);
    expect(linesOf(note("Called"), 200)).toHaveLength(1);
  });

  test("continues a long string below its opening quote", () => {
    expect(
      linesOf(note("Called the customer, who moves in on Friday and calls again"), 60),
    ).toEqual([
      '{ "import_supplier": "ACME",',
      '  "external_account_number": "EXT-0000007",',
      '  "notes": [{ "body": "Called the customer, who moves in on',
      '                      Friday and calls again",',
      '              "is_pinned": true }] }',
    ]);
  });

  test("begins a long value below its name where little room is left beside it", () => {
    const lines = linesOf('{"a_name_of_many_cells_in_all":"some words that go on"}', 40);
    expect(lines).toEqual(['{ "a_name_of_many_cells_in_all": ', '    "some words that go on" }']);
  });

  test("separates names from values", () => {
    expect(compactJson('{"a":[1.50,"x"],"b":{}}', 60)).toEqual([
      [
        { text: '{ "a": [', isValue: false },
        { text: "1.50", isValue: true },
        { text: ", ", isValue: false },
        { text: '"x"', isValue: true },
        { text: '], "b": {} }', isValue: false },
      ],
    ]);
  });

  test("spells every token as it was, in any number of columns", () => {
    const raw = '{"b":1e400,"a":12345678901234567890,"a":-0.10,"s":"\\u001b[1m","n":[[],[{}]]}';
    for (const columns of [1, 20, 40, 200])
      expect(linesOf(raw, columns).join("").replaceAll(" ", "")).toBe(raw);
  });

  test("breaks within the columns wherever the text has a place to break", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5 }),
        fc.integer({ min: 30, max: 120 }),
        (value, columns) => {
          const text = JSON.stringify(value);
          if (/[^\x20-\x7e]/.test(text)) return;
          const lines = linesOf(text, columns);
          expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
          // A name is not broken.
          if (/"[^"]{10,}":/.test(text)) return;
          for (const line of lines) expect(widthOf(line.trimEnd())).toBeLessThanOrEqual(columns);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("hostile nesting stays within the columns", () => {
    const deep = linesOf("[".repeat(2000) + "]".repeat(2000), 60);
    expect(deep.join("").replaceAll(" ", "")).toHaveLength(4000);
  });

  test("what a terminal would act on is shown as a sign", () => {
    expect(linesOf('{"a":"x\u009b31m"}', 60).join("")).toContain("⟨U+009B⟩");
  });
});
