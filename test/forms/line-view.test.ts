import { lineView, masked, rowAt, rowsOf, toColumn } from "../../src/forms/line-view.ts";
import { safe } from "../../src/text/sanitize.ts";
import { widthOf } from "../../src/text/width.ts";
import * as fc from "../helpers/fast-check.ts";

/** Texts with every kind of width: none to see, one cell, two, and stand-ins of many. */
const someText = fc
  .array(
    fc.constantFrom(
      ..."abcXYZ019 -_./",
      "e\u0301",
      "漢",
      "हिन्दी",
      "ที่",
      "👩🏽‍🚀",
      "❤\ufe0f",
      "🇩🇪",
      "\u202e",
      "\t",
      "\n",
    ),
    { maxLength: 120 },
  )
  .map((parts) => parts.join(""));

const aPlace = fc.record({ text: someText, part: fc.double({ min: 0, max: 1, noNaN: true }) });

function cursorIn({ text, part }: { readonly text: string; readonly part: number }): number {
  const starts = [...new Intl.Segmenter().segment(text)].map(({ index }) => index);
  const all = [...starts, text.length];
  return all[Math.floor(part * (all.length - 1))] ?? 0;
}

describe("a field of one line, in every width from 1 to 200", () => {
  const widths = Array.from({ length: 200 }, (_, at) => at + 1);

  test("shows whole characters, never more cells than it has, and the cursor among them", () => {
    fc.assert(
      fc.property(aPlace, fc.nat(200), (place, offset) => {
        const cursor = cursorIn(place);
        const before = cursorIn({ text: place.text, part: offset / 200 });
        for (const width of widths) {
          const view = lineView(place.text, cursor, { width, from: before });
          const left = view.before ? 1 : 0;
          expect(left + widthOf(view.shown) + (view.after ? 1 : 0)).toBeLessThanOrEqual(width);
          expect(view.column).toBeGreaterThanOrEqual(0);
          expect(view.column).toBeLessThan(width);
          expect(view.from).toBeLessThanOrEqual(cursor);
          expect(view.column).toBe(left + widthOf(safe(place.text.slice(view.from, cursor))));
          const rest = safe(place.text.slice(view.from));
          expect(rest.startsWith(view.shown)).toBe(true);
          if (view.before) expect(view.from).toBeGreaterThan(0);
          if (view.after) expect(view.shown).not.toBe(rest);
          if (!view.after && width >= 8) expect(view.shown).toBe(rest);
          if (!view.before && width >= 8) expect(view.from).toBe(0);
        }
      }),
      { numRuns: 25 },
    );
  });

  test("shows a text that fits whole, without marks, as wide as it is", () => {
    fc.assert(
      fc.property(aPlace, (place) => {
        const width = widthOf(safe(place.text)) + 1;
        const cursor = cursorIn(place);
        expect(lineView(place.text, cursor, { width, from: place.text.length })).toEqual({
          from: 0,
          before: false,
          after: false,
          shown: safe(place.text),
          column: widthOf(safe(place.text.slice(0, cursor))),
        });
      }),
    );
  });
});

describe("a text that is longer than its field", () => {
  const text = "0123456789abcdefghijklmnop";

  test("is marked where it goes on", () => {
    expect(lineView(text, 0, { width: 10 })).toMatchObject({
      before: false,
      shown: "012345678",
      after: true,
    });
    expect(lineView(text, text.length, { width: 10 })).toMatchObject({
      before: true,
      shown: "jklmnop",
      after: false,
      column: 8,
    });
  });

  test("scrolls only when the cursor would leave the part that is shown", () => {
    const end = lineView(text, text.length, { width: 10 });
    const back = lineView(text, text.length - 3, { width: 10, from: end.from });
    expect(back.from).toBe(end.from);
    const far = lineView(text, 5, { width: 10, from: end.from });
    expect([far.from, far.column]).toEqual([5, 1]);
  });

  test("has no marks in a field that is too narrow for them", () => {
    expect(lineView(text, 3, { width: 4 })).toMatchObject({ before: false, after: false });
  });

  test("is not measured beyond what is shown", () => {
    const long = "漢".repeat(50_000);
    const view = lineView(long, 25_000, { width: 20, from: 24_998 });
    expect([view.from, view.column]).toEqual([24_998, 5]);
  });
});

test("a secret is shown as one sign for each character", () => {
  expect(masked("pa\u0301ß🇩🇪", 3, "•")).toEqual({ text: "••••", cursor: 2 });
});

describe("a text in rows, in every width", () => {
  test("keeps every character, in order, with a cell left for the cursor", () => {
    fc.assert(
      fc.property(someText, fc.integer({ min: 1, max: 200 }), (text, width) => {
        const rows = rowsOf(text, width);
        let rest = "";
        for (const [at, { start, end }] of rows.entries()) {
          rest += text.slice(start, end);
          const gap = text.slice(end, rows[at + 1]?.start ?? end);
          expect(["", "\n"]).toContain(gap);
          rest += gap;
          const row = text.slice(start, end);
          const isOne = [...new Intl.Segmenter().segment(row)].length === 1;
          if (!isOne) expect(widthOf(safe(row))).toBeLessThan(Math.max(2, width));
        }
        expect(rest).toBe(text);
      }),
    );
  });

  test("breaks behind a space where a line is too long", () => {
    const text = "one two three\nfour";
    const rows = rowsOf(text, 9).map(({ start, end }) => text.slice(start, end));
    expect(rows).toEqual(["one two ", "three", "four"]);
    expect(rowsOf("", 9)).toEqual([{ start: 0, end: 0 }]);
    expect(rowsOf("a\n", 9)).toHaveLength(2);
    expect(rowsOf("ab\r\nc", 9)).toEqual([
      { start: 0, end: 2 },
      { start: 4, end: 5 },
    ]);
  });

  test("finds the row and the cell of an index, and the index of a cell", () => {
    const text = "漢字 ab\ncd";
    const rows = rowsOf(text, 20);
    expect(rowAt(rows, text, 4)).toEqual({ row: 0, column: 6 });
    expect(rowAt(rows, text, 7)).toEqual({ row: 1, column: 1 });
    const [first] = rows;
    if (!first) throw new Error("no row");
    expect(toColumn(first, rows[1], text, 3)).toBe(1);
    expect(toColumn(first, rows[1], text, 99)).toBe(5);
  });
});
