import {
  agoWords,
  atLeastAge,
  atLeastWords,
  cellAgo,
  checkedWords,
  coarseAge,
  formatAge,
} from "../../src/text/ages.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

describe("an age", () => {
  test.each([
    [9 * second, "a few seconds", "< 1 min"],
    [42 * second, "40 s", "< 1 min"],
    [12 * minute, "12 min", "12 min"],
    [130 * minute, "2 h 10 min", "2 h"],
    [218 * hour, "9 d 2 h", "9 d"],
    [200 * day, "6 mo", "6 mo"],
    [933 * day, "2 y 6 mo", "2 y"],
  ])("of %d ms is said in a sentence in two units and in a cell in one", (ms, words, cell) => {
    expect(formatAge(ms)).toBe(words);
    expect(coarseAge(ms)).toBe(cell);
    const isFew = ms < 10 * second;
    expect(agoWords(now - ms, now)).toBe(isFew ? "just now" : `${words} ago`);
    expect(checkedWords(now - ms, now)).toBe(`checked ${agoWords(now - ms, now)}`);
    expect(cellAgo(now - ms, now)).toBe(ms < minute ? "within 1 min" : `${cell} ago`);
    expect(atLeastAge(ms)).toBe(ms < minute ? "just seen" : `≥ ${cell}`);
    expect(atLeastWords(ms)).toBe(ms < minute ? `≥ ${ms / second} s` : `≥ ${words}`);
  });

  test("of an instant in the future is the shortest", () => {
    expect(agoWords(now + hour, now)).toBe("just now");
    expect(cellAgo(now + hour, now)).toBe("within 1 min");
  });
});
