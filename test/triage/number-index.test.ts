import fc from "fast-check";
import { NumberIndex, NumberList } from "../../src/triage/account-numbers.ts";

const number = fc.oneof(
  fc.constantFrom("", "EXT-1", "EXT-01", "1-EXT", "é"),
  fc.integer({ min: 0, max: 900 }).map((n) => `EXT-${String(n).padStart(7, "0")}`),
);
const numbers = fc.array(number, { maxLength: 2_000, size: "max" });

/** An index, and the plain way: by number, the first row with it. */
function indexed(all: readonly string[], expected: number) {
  const list = new NumberList();
  const index = new NumberIndex(list, { expected });
  const first = new Map<string, number>();
  for (const one of all) {
    const bytes = Buffer.from(one);
    const row = list.add(bytes, 0, bytes.length);
    const earlier = first.get(one) ?? -1;
    expect(index.add(row)).toBe(one === "" ? -1 : earlier);
    if (one !== "" && earlier < 0) first.set(one, row);
  }
  return { list, index, first };
}

test("an index finds the first row of each number, as a map does", () => {
  fc.assert(
    fc.property(numbers, numbers, fc.constantFrom(0, 3_000), (all, others, expected) => {
      const { index, first } = indexed(all, expected);
      for (const one of [...all, ...others]) {
        const bytes = Buffer.from(`<${one}>`);
        expect(index.find(bytes, 1, bytes.length - 1)).toBe(first.get(one) ?? -1);
      }
    }),
    { numRuns: 30 },
  );
});

test("many numbers found at once are those found one by one", () => {
  fc.assert(
    fc.property(numbers, numbers, (all, wanted) => {
      const { index } = indexed(all, 0);
      const bytes = Buffer.from(wanted.join(","));
      const found = {
        from: new Uint32Array(wanted.length),
        to: new Uint32Array(wanted.length),
        rows: new Int32Array(wanted.length),
      };
      let from = 0;
      for (const [at, one] of wanted.entries()) {
        found.from[at] = from;
        found.to[at] = from + Buffer.byteLength(one);
        from = (found.to[at] as number) + 1;
      }
      index.findMany(bytes, found, wanted.length, new Int32Array(wanted.length));
      const one = (at: number) =>
        index.find(bytes, found.from[at] as number, found.to[at] as number);
      expect([...found.rows]).toEqual(wanted.map((_, at) => one(at)));
    }),
    { numRuns: 30 },
  );
});

test("an index of all rows so far finds the rows that come later once it is extended", () => {
  const all = Array.from({ length: 5_000 }, (_, at) => `EXT-${at}`);
  const list = new NumberList();
  const index = new NumberIndex(list);
  for (const [at, one] of all.entries()) {
    const bytes = Buffer.from(one);
    list.add(bytes, 0, bytes.length);
    expect(index.find(bytes, 0, bytes.length)).toBe(-1);
    index.extend(list.count);
    expect(index.find(bytes, 0, bytes.length)).toBe(at);
  }
  const other = new NumberIndex(list, { slots: index.slots });
  const bytes = Buffer.from("EXT-4711");
  expect(other.find(bytes, 0, bytes.length)).toBe(4_711);
});

test("numbers that are repeated more often than there are slots do not hide another", () => {
  const all = [...Array.from({ length: 3_000 }, () => "EXT-1"), "EXT-2"];
  const { index } = indexed(all, 0);
  const bytes = Buffer.from("EXT-2");
  expect(index.find(bytes, 0, bytes.length)).toBe(3_000);
});
