import { parse } from "csv-parse/sync";
import { csvCell, csvRow } from "../../src/rows/csv.ts";
import * as fc from "../helpers/fast-check.ts";
import { FORBIDDEN, HOSTILE, mixes } from "../text/hostile.ts";

describe("CSV", () => {
  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])(
    "%j is text to a spreadsheet, not a formula",
    (text) => {
      expect(csvCell(text).replace(/^"/, "")).toMatch(/^'/);
    },
  );

  test("quotes what must be quoted and nothing else", () => {
    expect(csvRow(["EXT-1", null, 12, -3, 'say "hi"', "a,b", "a\r\nb", " x "])).toBe(
      'EXT-1,,12,-3,"say ""hi""","a,b","a\r\nb", x ',
    );
  });

  test.each(Object.entries(HOSTILE))("%s leaves no control character behind", (_, text) => {
    expect(csvCell(text).replaceAll("\r\n", "")).not.toMatch(FORBIDDEN);
  });

  test("ordinary text reads back the same", () => {
    const ordinary = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", " ", "é", "日", "1") });
    fc.assert(
      fc.property(fc.array(ordinary, { minLength: 2, maxLength: 5 }), (cells) => {
        expect(parse(`${csvRow(cells)}\n`, { relax_column_count: true })).toEqual([cells]);
      }),
    );
  });

  test("any row is one record with its cells", () => {
    fc.assert(
      fc.property(fc.array(mixes, { minLength: 2, maxLength: 4 }), (cells) => {
        const records: string[][] = parse(`${csvRow(cells)}\r\n`, { record_delimiter: "\r\n" });
        expect(records).toHaveLength(1);
        expect(records[0]).toHaveLength(cells.length);
        for (const cell of records[0] ?? []) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
      }),
      { numRuns: 300 },
    );
  });
});
