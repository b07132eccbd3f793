import { batchFilter, FilterRun } from "../../src/accounts/filter.ts";
import { parseFilter } from "../../src/accounts/filter-query.ts";
import { FilterCache } from "../../src/accounts/filter-word.ts";
import { AccountTable } from "../../src/accounts/table.ts";
import * as fc from "../helpers/fast-check.ts";
import { batchOf, manyRows, type Row, shown, shownAs, tableOf } from "./rows.ts";

const newWords = () => new FilterCache(shownAs(shown));

function run(table: AccountTable, text: string, known = newWords()): FilterRun {
  const found = new FilterRun(table, parseFilter(text), known);
  while (!found.caughtUp) found.advance();
  return found;
}

const rowsOf = (found: FilterRun) =>
  Array.from({ length: found.count }, (_, position) => found.rows.at(position));
const matches = (rows: readonly Row[], text: string) =>
  rowsOf(run(tableOf(rows), text)).map((at) => rows[at]?.[0]);

const few: readonly Row[] = [
  ["EXT-001", "A-77", "2026-03-04T05:06:07Z"],
  ["ext-002", null, null],
  ["B 77", "svc-1", "2026-11-20T14:00:05Z"],
  ["Straße-É", "K-9", "someday"],
];

describe("what a filter means", () => {
  test.each<[string, string[]]>([
    ["", ["EXT-001", "ext-002", "B 77", "Straße-É"]],
    ["ext-00", ["EXT-001", "ext-002"]],
    ["77", ["EXT-001", "B 77"]],
    ["!77", ["ext-002", "Straße-É"]],
    ["ext:77", ["B 77"]],
    ["svc:77", ["EXT-001"]],
    ["SVC:a-", ["EXT-001"]],
    ["!svc:77", ["ext-002", "B 77", "Straße-É"]],
    ["ext 1 a-", ["EXT-001"]],
    ["ext !001", ["ext-002"]],
    // As on the wire, and as shown.
    ["created:T14", ["B 77"]],
    ["2026-11-20t14:00:05z", ["B 77"]],
    ["created:2026-11", ["B 77"]],
    ["14:00", ["B 77"]],
    ["created:someday", ["Straße-É"]],
    ["pending", ["ext-002"]],
    ["IMPORTED", ["EXT-001", "B 77", "Straße-É"]],
    ["!imported", ["ext-002"]],
    // A match does not reach from one column into the next.
    ["001A", []],
    ["77s", []],
    // Fuzzy.
    ["~x1", ["EXT-001"]],
    ["~et02", ["ext-002"]],
    ["!~et0", ["B 77", "Straße-É"]],
    ["ext:~b7", ["B 77"]],
    ["svc:~b7", []],
    ["~stré", ["Straße-É"]],
    ["~érts", []],
    // Beyond ASCII, by Unicode's simple folding.
    ["é", ["Straße-É"]],
    ["STRAẞE", ["Straße-É"]],
    ["\u212a-9", ["Straße-É"]],
    ["\u017fvc", ["B 77"]],
    ["日", []],
  ])("%s", (text, externals) => {
    expect(parseFilter(text).problem).toBeNull();
    expect(matches(few, text)).toEqual(externals);
  });

  test("a word that makes no sense is reported, and the others still hold", () => {
    for (const [text, words] of [
      ["ext:", '"ext:" has no search text'],
      ["!", '"!" has no search text'],
      ["~", '"~" has no search text'],
      ["!svc:~", '"!svc:~" has no search text'],
      ["state:pending", 'Unknown prefix "state"'],
    ] as const) {
      const query = parseFilter(`77 ${text}`);
      expect(query.problem).toContain(words);
      expect(query.words.length).toBe(1);
      expect(matches(few, `77 ${text}`)).toEqual(["EXT-001", "B 77"]);
    }
  });

  test("text with a colon can be looked for in a named column", () => {
    expect(matches([["urn:x:1"], ["urn-x-1"]], "ext:urn:x")).toEqual(["urn:x:1"]);
    expect(parseFilter("urn:x").problem).toContain("as in ext:urn:x");
  });

  test("the filter searches raw times if no display format is given", () => {
    const batch = batchOf(few);
    expect(batchFilter(parseFilter("20T14"))(batch)).toEqual([2]);
    expect(batchFilter(parseFilter("14:00:05"), () => "XYZ")(batch)).toEqual([2]);
    expect(batchFilter(parseFilter("xyz"), () => "XYZ")(batch)).toEqual([0, 2]);
    expect(batchFilter(parseFilter("xyz"))(batch)).toEqual([]);
  });

  test("a fuzzy word takes no longer on a long text that almost matches", () => {
    const long = `é${"a".repeat(50_000)}`;
    expect(matches([[long]], `~${"a".repeat(30)}b`)).toEqual([]);
    expect(matches([[long]], `~é${"a".repeat(30)}`)).toEqual([long]);
  });
});

const knownTexts = new WeakMap<Row, ReturnType<typeof textsToMatch>>();

/** The texts of a row, which are formatted once: many filters are held against the same rows. */
function textsOf(row: Row) {
  const texts = knownTexts.get(row) ?? textsToMatch(row);
  knownTexts.set(row, texts);
  return texts;
}

function textsToMatch([external, service, created]: Row) {
  const time = Date.parse(created ?? "");
  const times = [created ?? "", Number.isNaN(time) ? "" : shown(time)];
  return {
    external: [external],
    service: [service ?? ""],
    created: times,
    any: [external, service ?? "", ...times, service ? "imported" : "pending"],
  };
}

/** The same, said slowly with strings. */
function expected(rows: readonly Row[], text: string): number[] {
  const words = parseFilter(text).words.map((word) => {
    if (word.kind !== "text") throw new Error("words about facts have a test file of their own");
    const { column, negated, fuzzy } = word;
    const whole = new RegExp(RegExp.escape(word.text), "iu");
    const characters = [...word.text].map((one) => new RegExp(`^${RegExp.escape(one)}$`, "iu"));
    return { column, negated, fuzzy, whole, characters };
  });
  return rows.flatMap((row, at) => {
    const texts = textsOf(row);
    const all = words.every((word) => {
      const found = texts[word.column].some((one) => {
        if (!word.fuzzy) return word.whole.test(one);
        let rest = [...one];
        return word.characters.every((same) => {
          const place = rest.findIndex((other) => same.test(other));
          rest = rest.slice(place + 1);
          return place >= 0;
        });
      });
      return found !== word.negated;
    });
    return all ? [at] : [];
  });
}

const piece = fc.oneof(
  fc.constantFrom(
    "e",
    "x",
    "1",
    "12",
    "EXT",
    "a-",
    "2026",
    ":0",
    "T0",
    "é",
    "ß",
    "k",
    "\u212a",
    "s",
  ),
  fc.stringMatching(/^[a-z0-9:-]{1,3}$/),
);
const word = fc
  .tuple(
    fc.constantFrom("", "", "!"),
    fc.constantFrom("", "", "", "ext:", "svc:", "created:"),
    fc.constantFrom("", "", "~"),
    piece,
  )
  .map((parts) => parts.join(""));
const query = fc.array(word, { maxLength: 3 }).map((words) => words.join(" "));

describe("all ways to find rows agree", () => {
  const field = fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9-]{1,8}$/),
    fc.constantFrom("EXT-12", "ext-21", "Straße", "STRASSE", "ÉXT-1", "\u212a1", "ſx", "kK"),
  );
  const time = fc.oneof(fc.constantFrom("2026-01-12T10:00:12Z", "2026-12-01T00:00:00Z", "12 soon"));
  const row = fc.tuple(field, fc.option(field), fc.option(time));

  test("row by row, against strings", () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), query, (rows, text) => {
        expect(rowsOf(run(tableOf(rows), text))).toEqual(expected(rows, text));
        expect(batchFilter(parseFilter(text), shown)(batchOf(rows))).toEqual(expected(rows, text));
      }),
      { numRuns: 500 },
    );
  });

  const mixed = manyRows(20_000).map((one, at): Row => {
    if (at > 16_384 && at % 1000 === 7) return [`${one[0]}-É\u212a`, one[1], one[2]];
    return at % 700 === 3 ? [one[0].toLowerCase(), one[1], one[2]] : one;
  });
  const large = tableOf(mixed);

  test.each([
    "1",
    "12",
    "e",
    "ext-00",
    "EXT-9 a-",
    "svc:f",
    "created:2026-01-0",
    "!1",
    "~e9z",
    "!~99",
    "9 !8 !7",
    "pending 5",
    "imp 00:0",
    "10:1",
    "é",
    "k",
    "ext:\u212a",
    "zzz",
    "svc:~a1",
    "2026 !created:08",
    "a-",
    "!svc:a-",
    "202",
    "!2026-0 3",
    "created:~221",
    "~a2",
  ])("block by block, against strings: %s", (text) => {
    expect(rowsOf(run(large, text))).toEqual(expected(mixed, text));
  });

  test.each(["é-", "É-00", "-0", "~é0", "!-", "ext:-1 !9", "straße"])(
    "block search agrees with row search for a common non-ASCII prefix: %s",
    (text) => {
      const rows = manyRows(17_000).map(([external, service, created], at): Row => {
        if (at % 3 === 0) return [external.replace("EXT", "É"), "", created ?? null];
        return [external.replace("EXT", "É"), service ? `Straße${service}` : null, null];
      });
      expect(rowsOf(run(tableOf(rows), text))).toEqual(expected(rows, text));
    },
  );

  test("cached matches do not change the result of a filter", () => {
    fc.assert(
      fc.property(
        fc.array(query, { minLength: 2, maxLength: 6 }),
        fc.nat({ max: 3 }),
        (texts, steps) => {
          const known = newWords();
          for (const [at, text] of texts.entries()) {
            const left = new FilterRun(large, parseFilter(`${text}${texts[at + 1] ?? ""}`), known);
            for (let step = 0; step < steps; step++) left.advance();
            expect(rowsOf(run(large, text, known)), text).toEqual(rowsOf(run(large, text)));
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  test("a text typed letter by letter, forward and back", () => {
    const known = newWords();
    const typed = ["EXT-01 !79", "~E17", "svc:a1", "2026-01-0 10:", "É\u212a k"];
    for (const whole of typed) {
      const parts = Array.from(whole, (_, at) => whole.slice(0, at + 1));
      const found = parts.map((text) => rowsOf(run(large, text, known)));
      for (const [at, text] of parts.entries()) {
        expect(found[at], text).toEqual(expected(mixed, text));
      }
      for (const [at, text] of [...parts.entries()].toReversed()) {
        expect(rowsOf(run(large, text, known)), text).toEqual(found[at]);
      }
    }
  });

  test("more words than are kept", () => {
    const known = newWords();
    for (let turn = 0; turn < 2; turn++) {
      for (let number = 10; number < 60; number++) {
        const text = `${number}`;
        expect(rowsOf(run(large, text, known)), text).toEqual(rowsOf(run(large, text)));
      }
    }
  });

  test("each filter word tests only the rows that the word before left", () => {
    for (const text of ["EXT-00001 9", "ext:EXT-012345 !created:2026-01", "zzz é"]) {
      expect(rowsOf(run(large, text)), text).toEqual(expected(mixed, text));
    }
  });

  test("times shown in another zone than the wire's are found as they are shown", () => {
    const elsewhere = (ms: number) => shown(ms + 10.5 * 3_600_000);
    const known = new FilterCache(shownAs(elsewhere));
    const table = tableOf(mixed);
    for (const text of ["created:10:3", "10:", "~1:30", "2026-01-02"]) {
      const wanted = batchFilter(parseFilter(text), elsewhere)(batchOf(mixed));
      expect(rowsOf(run(table, text, known)), text).toEqual(wanted);
      expect(wanted).not.toEqual(expected(mixed, text));
    }
  });

  test("a filter finds rows that arrive while it runs", () => {
    const table = new AccountTable();
    const found = new FilterRun(table, parseFilter("9 !8"), newWords());
    for (let at = 0; at < mixed.length; at += 3000) {
      table.append(batchOf(mixed.slice(at, at + 3000)));
      found.advance();
    }
    while (!found.caughtUp) found.advance();
    expect(rowsOf(found)).toEqual(expected(mixed, "9 !8"));
  });
});
