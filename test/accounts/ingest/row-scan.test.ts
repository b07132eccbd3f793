import { readFile } from "node:fs/promises";
import { rowScanCode as translated } from "../../../scripts/row-scan.ts";
import { type AccountBatch, rowOfBatch } from "../../../src/accounts/ingest/batch.ts";
import { AccountRowReader } from "../../../src/accounts/ingest/reader.ts";
import { openRowScan } from "../../../src/accounts/ingest/row-scan.ts";
import * as fc from "../../helpers/fast-check.ts";

test("the bytes are what the source says", async () => {
  const code = new URL("../../../src/accounts/ingest/row-scan-code.ts", import.meta.url);
  expect(await readFile(code, "utf8")).toBe(await translated());
});

interface Options {
  readonly brand?: string;
  readonly imported?: boolean;
  readonly withoutSimd?: boolean;
}

/** Returns the rows of a body that arrives in these pieces. */
function said(body: Uint8Array, cuts: readonly number[], options: Options) {
  const reader = new AccountRowReader(options);
  const batches: (AccountBatch | null)[] = [];
  let at = 0;
  for (const cut of [...cuts, body.length]) {
    const to = Math.min(body.length, Math.max(at, cut));
    if (to > at) batches.push(reader.push(body.subarray(at, to)));
    at = to;
  }
  const { batch, ...end } = reader.end();
  const rows = [...batches, batch].flatMap((one) =>
    one === null
      ? []
      : Array.from({ length: one.count }, (_, row) => ({
          ...rowOfBatch(one, row),
          flags: one.flags[row],
          createdAt: one.createdAt[row],
          extras: one.extras.get(row) ?? null,
        })),
  );
  return { ...end, count: end.rows, rows };
}

function both(body: Uint8Array, cuts: readonly number[], options: Options = {}) {
  return [said(body, cuts, options), said(body, cuts, { ...options, withoutSimd: true })] as const;
}

const common = (at: number, brand = "service") =>
  JSON.stringify(
    at % 3 === 0
      ? {
          external_account_number: `EXT-${at}`,
          [`${brand}_account_number`]: null,
          account_created_at: null,
        }
      : {
          external_account_number: `EXT-${at}`.padEnd(at % 70, "x"),
          [`${brand}_account_number`]: `A-${at}`.repeat(at % 5),
          account_created_at: new Date(at * 1e9).toISOString().slice(0, at % 25),
        },
  );

describe("rows of the common form", () => {
  test.each(["service", "acme", "a", "b".repeat(64)])(
    "are the same with and without SIMD, with the brand %s",
    (brand) => {
      const body = Buffer.from(
        `[${Array.from({ length: 3000 }, (_, at) => common(at, brand)).join(",")}]`,
      );
      for (const imported of [false, true]) {
        const [simd, scalar] = both(body, [1, 70_000, 70_001, 150_000], { brand, imported });
        expect(simd.rows).toHaveLength(3000);
        expect(simd).toEqual(scalar);
      }
    },
  );

  test("are the same when they are cut anywhere", () => {
    const body = Buffer.from(`[${[1, 2, 3, 4].map((at) => common(at)).join(",")}]`);
    for (let cut = 1; cut < body.length; cut++) {
      const [simd, scalar] = both(body, [cut]);
      expect(simd).toEqual(scalar);
      expect(simd.rows).toHaveLength(4);
    }
  });

  test("are taken by it", () => {
    const scan = openRowScan("service_account_number", 0);
    const body = Buffer.from(`${common(1)},${common(2)},${common(3)}]`);
    let count = 0;
    const end = scan?.take(body, 0, body.length, (rows) => {
      count += rows.count;
    });
    expect({ count, end }).toEqual({ count: 3, end: body.length - 1 });
  });
});

test("a list is the same where any one byte of it is another", () => {
  const row = common(1);
  for (let at = 0; at < row.length; at++) {
    for (const byte of [0, 0x0a, 0x20, 0x22, 0x2c, 0x41, 0x5c, 0x7d, 0x7f, 0x80, 0xc3, 0xff]) {
      const body = Buffer.from(`[${common(2)},${row},${common(4)}]`);
      body[1 + common(2).length + 1 + at] = byte;
      const [simd, scalar] = both(body, []);
      expect(JSON.stringify(simd)).toBe(JSON.stringify(scalar));
    }
  }
});

test("a mixture of common and other rows is the same, in pieces of any size", () => {
  const other = fc.oneof(
    fc.record({ external_account_number: fc.string({ unit: "binary" }) }),
    fc.record({
      account_created_at: fc.option(fc.string()),
      external_account_number: fc.string({ minLength: 1 }),
      service_account_number: fc.option(fc.string()),
      more: fc.jsonValue(),
    }),
    fc.record({
      external_account_number: fc.string({ unit: "grapheme", minLength: 1 }),
      service_account_number: fc.option(fc.string({ unit: "grapheme" })),
      account_created_at: fc.option(fc.constantFrom("2026-11-19T13:42:26Z", "", "then")),
    }),
    fc.string(),
  );
  const row = fc.oneof(
    { weight: 8, arbitrary: fc.nat(1000).map((at) => common(at)) },
    { weight: 1, arbitrary: other.map((one) => JSON.stringify(one)) },
    { weight: 1, arbitrary: other.map((one) => JSON.stringify(one, null, 1)) },
  );
  const rows = fc.array(row, { maxLength: 40 });
  fc.assert(
    fc.property(rows, fc.array(fc.nat(6000), { maxLength: 6 }), (list, cuts) => {
      const body = Buffer.from(`[${list.join(",")}]`);
      const [simd, scalar] = both(
        body,
        cuts.toSorted((a, b) => a - b),
      );
      expect(simd).toEqual(scalar);
    }),
    { numRuns: 100, seed: 14 },
  );
});

test("many rows of another form cost no more than a few tries", () => {
  const scan = openRowScan("service_account_number", 0);
  const body = Buffer.from('{"external_account_number":7}');
  const ends = Array.from({ length: 10_000 }, () => scan?.take(body, 0, body.length, () => {}));
  expect(new Set(ends)).toEqual(new Set([0]));
});
