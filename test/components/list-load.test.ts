import { changesWords } from "../../src/components/list-load.tsx";
import { fittingParts } from "../../src/components/text.tsx";

test("changes are shown without zeros, removals first", () => {
  const counts = { added: 0, changed: 5, removed: 0 };
  expect(changesWords({ ...counts })).toBe("~5 changed");
  expect(changesWords({ added: 2, changed: 0, removed: 3 })).toBe("-3 left, +2 new");
  expect(changesWords({ added: 0, changed: 0, removed: 0 })).toBe("");
  expect(changesWords(null)).toBe("");
});

test("what does not fit below a list is left out whole, least important first, and never cut", () => {
  const part = (text: string, drop: number) => ({ piece: { text }, drop });
  const parts = [
    part("1 of 20,000", 0),
    part("-3 left, ~5 changed", 2),
    part("loaded just now", 3),
    part("every 30 s", 4),
  ];
  const at = (width: number) => fittingParts(parts, width).map(({ piece }) => piece.text);
  expect(at(80)).toHaveLength(4);
  expect(at(58)).toEqual(["1 of 20,000", "-3 left, ~5 changed", "loaded just now"]);
  expect(at(40)).toEqual(["1 of 20,000", "-3 left, ~5 changed"]);
  expect(at(5)).toEqual(["1 of 20,000"]);
});
