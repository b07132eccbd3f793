import { jsonErrorAt } from "../../src/json/scan.ts";
import * as fc from "../helpers/fast-check.ts";

test.each([
  ['{\n  "a": 1,\n  "b": x\n}', 3, 8],
  ['{"a": 1,}', 1, 9],
  ['{"a" 1}', 1, 6],
  ['{"a": 1', 1, 8],
  ["[1, 2,]", 1, 7],
  ['{"a": "never ended', 1, 7],
  ["{} {}", 1, 4],
  ["", 1, 1],
  ["{'a': 1}", 1, 2],
  ["[1}", 1, 3],
])("%j stops being JSON at line %i, column %i", (text, line, column) => {
  expect(jsonErrorAt(text)).toEqual({ line, column });
});

test("finds a fault exactly where JSON.parse finds one", () => {
  const parses = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const broken = fc
    .tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom("", ",", "}", "]", '"', ":", "\\", "0", "-", "e", "\n", "\u0001"),
    )
    .map(([json, at, insert]) => {
      const cut = at % (json.length + 1);
      return json.slice(0, cut) + insert + json.slice(cut + (at % 2));
    });
  fc.assert(
    fc.property(broken, (text) => {
      expect(jsonErrorAt(text) === null).toBe(parses(text));
    }),
    { numRuns: 3_000 },
  );
});
