import { listedFields } from "../../src/accounts/account-fields.ts";
import { rowOfBatch } from "../../src/accounts/ingest/batch.ts";
import { BatchBuilder } from "../../src/accounts/ingest/batch-builder.ts";
import { batchBytes } from "../../src/commands/accounts/batch-bytes.ts";
import { rowWriter } from "../../src/commands/rows/row-writer.ts";

type Row = readonly [external: string, service: string | null, created: string | null];
type Written = "jsonl" | "json" | "csv";
const formats: readonly Written[] = ["jsonl", "json", "csv"];

function batchOf(rows: readonly Row[]) {
  const builder = new BatchBuilder();
  for (const row of rows) builder.addTexts(...row);
  const batch = builder.take();
  if (batch === null) throw new Error("no row");
  return batch;
}

/** The rows by the writer of rows alone, and as bytes with it for those that are unusual. */
function bothWays(format: Written, rows: readonly Row[]) {
  const first: Row = ["E-0", null, null];
  const batch = batchOf(rows);
  const items = rows.map((_, at) => rowOfBatch(batch, at));
  const slow = rowWriter(format, listedFields);
  slow.rows([rowOfBatch(batchOf([first]), 0)]);
  const fast = rowWriter(format, listedFields);
  fast.rows([rowOfBatch(batchOf([first]), 0)]);
  let careful = 0;
  const bytes = batchBytes(format)?.(batch, (at) => {
    careful += 1;
    return fast.rows([rowOfBatch(batch, at)]);
  });
  return { slow: slow.rows(items), fast: Buffer.from(bytes ?? []).toString(), careful };
}

const plain: readonly Row[] = [
  ["EXT-0000001", "A-2FEF5C8F", "2026-11-19T13:42:26Z"],
  ["EXT-0000002", null, null],
  ["EXT-0000003", "", "2026-11-19T13:42:26+01:00"],
  ["EXT-0000004", null, "2026-11-19"],
  ["EXT 0000010", "A-1", null],
];

describe.each(formats)("as %s", (format) => {
  test("the fast path writes plain rows with the bytes of the row writer", () => {
    const { slow, fast, careful } = bothWays(format, plain);
    expect(fast).toBe(slow);
    expect(careful).toBe(0);
  });

  test("every byte at every place of a row comes out the same", () => {
    const odd = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code));
    const texts = odd.flatMap((character) => [character, `${character}a`, `a${character}b`]);
    const rows = texts.flatMap((text): Row[] => [
      [text, "A-1", null],
      ["E-1", text, "2026-11-19T13:42:26Z"],
      ["E-2", null, text],
    ]);
    const { slow, fast } = bothWays(format, rows);
    expect(fast).toBe(slow);
  });

  test("texts of any kind, drawn at random, come out the same", () => {
    let seed = 7;
    const draw = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      return seed % below;
    };
    const pieces = ["E-", "0", "=", "+", "-", "@", '"', ",", "\\", "\n", "\r", "\t", " ", "'", "é"];
    const more = ["日本", "\u202e", "\u{1f680}", "\u0000", "\u007f", "\u2028", "A".repeat(300)];
    const all = [...pieces, ...pieces, ...more];
    const text = () => Array.from({ length: 1 + draw(6) }, () => all[draw(all.length)]).join("");
    const maybe = () => (draw(4) === 0 ? null : draw(2) === 0 ? "A-1" : text());
    for (let round = 0; round < 200; round++) {
      const rows = Array.from(
        { length: 1 + draw(40) },
        (): Row => [draw(3) === 0 ? text() : `EXT-${round}`, maybe(), maybe()],
      );
      const { slow, fast } = bothWays(format, rows);
      expect(fast).toBe(slow);
    }
  });

  test("the output buffer fits one long unusual row among short rows", () => {
    const rows: readonly Row[] = [...plain, ["é".repeat(100_000), "A-1", null], ...plain];
    const { slow, fast, careful } = bothWays(format, rows);
    expect(fast).toBe(slow);
    expect(careful).toBe(1);
  });
});

test("a cell of CSV that begins like a formula is left to the writer of rows", () => {
  const { fast, careful } = bothWays("csv", [
    ["=1+1", "A-1", null],
    ["E-1", "-2", null],
    ["E-2", "A-1", "@x"],
    ["E-3", "+4", null],
    ["E=4", "A-1", null],
  ]);
  expect(careful).toBe(4);
  expect(fast.split("\n").slice(0, 2)).toEqual(["'=1+1,A-1,", "E-1,'-2,"]);
});

test("other formats have no fast path", () => {
  for (const format of ["table", "md", "tsv"] as const) expect(batchBytes(format)).toBeNull();
});
