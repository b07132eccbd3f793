import { parse } from "csv-parse/sync";
import type { InputFormat } from "../../src/rows/layout.ts";
import { maxRecordBytes, RecordCutter } from "../../src/rows/record-cutter.ts";
import { cellsOf, cellText as cellTextOf, textOf } from "../../src/rows/record-text.ts";
import { bytesOf, cell, inPieces } from "../bulk/input/inputs.ts";
import * as fc from "../helpers/fast-check.ts";

interface Cut {
  readonly line: number;
  readonly text: string | null;
  readonly cells: readonly (string | null)[];
  readonly bytes: string;
  readonly fault: string | null;
}

async function cut(
  input: string | Uint8Array,
  format: InputFormat,
  sizes?: readonly number[],
): Promise<Cut[]> {
  const cutter = new RecordCutter(format);
  const records: Cut[] = [];
  const drain = () => {
    for (let record = cutter.take(); record !== null; record = cutter.take()) {
      records.push({
        line: record.line,
        text: record.issue === null ? textOf(record) : null,
        cells: Array.from({ length: record.cellCount }, (_, at) => cellTextOf(record, at)),
        bytes: record.bytes.toString("latin1"),
        fault: record.issue?.message ?? null,
      });
    }
  };
  for await (const piece of inPieces(input, sizes)) {
    cutter.append(piece);
    drain();
  }
  cutter.finish();
  drain();
  return records;
}

const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });
const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
const separator = fc.constantFrom(",", ";", "\t");
/** Text rich in what CSV must get right, and in characters of several bytes. */
const cellText = fc
  .array(fc.constantFrom("a", " ", "é", "宽", "😀", '"', ",", ";", "\t", "\n", "\r", "\r\n", "'"), {
    maxLength: 8,
  })
  .map((parts) => parts.join(""));

function lineEnds(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

describe("cutting CSV", () => {
  test("gives the cells that were written, and the line on which each row begins", async () => {
    const table = fc.record({
      separator,
      lineEnd,
      mark: fc.constantFrom("", "\ufeff"),
      rows: fc.array(fc.array(cellText, { minLength: 3, maxLength: 3 }), { maxLength: 6 }),
      sizes,
    });
    await fc.assert(
      fc.asyncProperty(table, async ({ separator, lineEnd, mark, rows, sizes }) => {
        const header = ["one", "two", "three"];
        const written = [header, ...rows].map((row) => {
          const cells = row.map((text) => (/^[a-z]*$/.test(text) ? text : cell(text)));
          return `${cells.join(separator)}${lineEnd}`;
        });
        const records = await cut(mark + written.join(""), "csv", sizes);
        expect(records.map(({ text }) => text && cellsOf(text, separator))).toEqual([
          header,
          ...rows,
        ]);
        expect(records.map(({ cells }) => cells)).toEqual([header, ...rows]);
        let line = 1;
        for (const [at, record] of records.entries()) {
          expect(record.line).toBe(line);
          line += lineEnds(written[at] ?? "");
        }
        expect(records.map(({ bytes }) => bytes).join("")).toBe(
          Buffer.from(mark + written.join("")).toString("latin1"),
        );
      }),
      { numRuns: 300 },
    );
  });

  test("reads what csv-parse reads, where csv-parse reads it", async () => {
    const piece = fc.constantFrom("a", "é", ",", ",", '"', '""', '"x"', '"x\n', "\n", "\r\n");
    const text = fc.array(piece, { maxLength: 25 }).map((parts) => `a,b\n${parts.join("")}`);
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(text, async (csv) => {
        let expected: string[][];
        try {
          expected = parse(csv, {
            relax_column_count: true,
            skip_empty_lines: true,
            record_delimiter: ["\r\n", "\n", "\r"],
          });
        } catch {
          return;
        }
        compared += 1;
        const records = await cut(csv, "csv");
        expect(records.map(({ fault }) => fault)).toEqual(expected.map(() => null));
        expect(records.map((one) => cellsOf(one.text ?? "", ","))).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
    expect(compared).toBeGreaterThan(100);
  });

  test("is valid for csv-parse wherever the cutter reports no issue", async () => {
    const piece = fc.constantFrom("a", ",", '"', '""', "\n", "\r");
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (parts) => {
        const csv = `a,b\n${parts.join("")}`;
        const records = await cut(csv, "csv");
        if (records.some(({ fault }) => fault !== null)) return;
        const expected = parse(csv, {
          relax_column_count: true,
          skip_empty_lines: true,
          record_delimiter: ["\r\n", "\n", "\r"],
        });
        expect(records.map((one) => cellsOf(one.text ?? "", ","))).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });
});

describe.each(["csv", "jsonl", "detect"] as const)("any bytes at all, read as %s", (format) => {
  const byte = fc.oneof(
    fc.constantFrom(...[0x22, 0x2c, 0x0a, 0x0d, 0x7b, 0xef, 0xbb, 0xbf, 0xff, 0x00, 0x20]),
    fc.integer({ min: 0, max: 255 }),
  );
  const garbage = fc.array(byte, { maxLength: 60 }).map((all) => Uint8Array.from(all));

  test("are cut alike however they come in pieces", async () => {
    await fc.assert(
      fc.asyncProperty(garbage, sizes, async (bytes, pieces) => {
        expect(await cut(bytes, format, pieces)).toEqual(await cut(bytes, format));
      }),
      { numRuns: 500 },
    );
  });

  test("lose nothing but empty lines, and lines only rise", async () => {
    await fc.assert(
      fc.asyncProperty(garbage, async (bytes) => {
        const records = await cut(bytes, format);
        const kept = records.map((record) => record.bytes).join("");
        const without = (text: string) =>
          text.replace(/[\r\n]/g, "").replace(/^\u00ef\u00bb\u00bf/, "");
        expect(without(kept)).toBe(without(Buffer.from(bytes).toString("latin1")));
        const lines = records.map(({ line }) => line);
        expect(lines).toEqual([...new Set(lines)].sort((a, b) => a - b));
      }),
      { numRuns: 500 },
    );
  });
});

describe("records longer than the limit", () => {
  const long = "x".repeat(maxRecordBytes + 10);

  test.each([[[65_536]], [[1_000_003]], [[8_000_000]]])(
    "one without an end is reported, and the next is read (pieces of %s bytes)",
    async (pieces) => {
      const records = await cut(`a,b\n1,2\n${long},2\r\n3,4\n`, "csv", pieces);
      expect(records.map(({ line, text, fault }) => [line, text, fault])).toEqual([
        [1, "a,b", null],
        [2, "1,2", null],
        [3, null, "This row is longer than 1 MiB."],
        [4, "3,4", null],
      ]);
    },
  );

  test.each([[[65_536]], [[8_000_000]]])(
    "an open quote ends with its line (pieces of %s bytes)",
    async (pieces) => {
      const rows = "1,2\n".repeat(maxRecordBytes / 4 + 10);
      const records = await cut(`a,b\n"open,2\n${rows}3,"x"\n`, "csv", pieces);
      expect(records[1]).toMatchObject({
        line: 2,
        fault:
          "The quote that opens on line 2 is not closed within 1 MiB. Close it, or write a quote in a text twice.",
      });
      expect(records[2]).toMatchObject({ line: 3, text: "1,2" });
      expect(records.at(-1)).toMatchObject({ line: maxRecordBytes / 4 + 13, text: '3,"x"' });
    },
  );

  test("a line of JSONL too", async () => {
    const records = await cut(`{}\n"${long}"\n{}`, "jsonl");
    expect(records.map(({ line, fault }) => [line, fault !== null])).toEqual([
      [1, false],
      [2, true],
      [3, false],
    ]);
  });

  test("a record of exactly the maximum length is read", async () => {
    const text = "x".repeat(maxRecordBytes - 1);
    expect((await cut(`a\n${text}\nb`, "csv")).map((record) => record.text)).toEqual([
      "a",
      text,
      "b",
    ]);
  });
});

describe("detecting the layout", () => {
  const layout = (input: string, format: InputFormat = "detect") => {
    const cutter = new RecordCutter(format);
    cutter.append(bytesOf(input));
    cutter.finish();
    cutter.take();
    return cutter.layout;
  };

  test.each([
    ['{"a":1}', "jsonl", undefined],
    ['\ufeff \r\n\t{"a":1}', "jsonl", undefined],
    ["[1]", "jsonl", undefined],
    ["a,b;c,d", "csv", ","],
    ["a;b;c,d", "csv", ";"],
    ["a\tb\tc", "csv", "\t"],
    ['"x,y,z";b\n1,2', "csv", ";"],
    ["a\n1;2", "csv", ","],
    ["", "csv", ","],
  ])("%j is %s", (input, kind, separator) => {
    const found = layout(input);
    expect(found?.kind).toBe(kind);
    const code = found?.kind === "csv" ? String.fromCharCode(found.separator) : undefined;
    expect(code).toBe(separator);
  });

  test("an explicit format overrides the detected layout", () => {
    expect(layout("{a,b}", "csv")?.kind).toBe("csv");
    expect(layout("a,b", "jsonl")?.kind).toBe("jsonl");
  });
});
