import { AccountRowReader } from "../../src/accounts/ingest/reader.ts";
import { AccountTable } from "../../src/accounts/table.ts";
import * as fc from "../helpers/fast-check.ts";
import { batchOf, manyRows, type Row, tableOf } from "./rows.ts";

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 });
const row = fc.tuple(
  text,
  fc.option(text),
  fc.option(fc.oneof(text, fc.constant("2026-01-01T00:00:00Z"))),
);

function rowsOf(table: AccountTable): Row[] {
  return Array.from({ length: table.rows }, (_, at): Row => {
    const { external, service, created } = table.row(at);
    return [external, service, created];
  });
}

describe("the account table", () => {
  test("gives back every row unchanged, whatever the batches", () => {
    fc.assert(
      fc.property(fc.array(fc.array(row, { maxLength: 20 }), { maxLength: 8 }), (batches) => {
        const table = new AccountTable();
        for (const rows of batches) table.append(batchOf(rows));
        expect(rowsOf(table)).toEqual(batches.flat());
        expect(table.pending).toBe(batches.flat().filter((one) => !one[1]).length);
      }),
    );
  });

  test("holds more rows than a block, across its edge", () => {
    const rows = manyRows(40_000);
    const table = new AccountTable();
    for (let at = 0; at < rows.length; at += 7001) table.append(batchOf(rows.slice(at, at + 7001)));
    expect(table.rows).toBe(40_000);
    for (const at of [0, 16_383, 16_384, 32_767, 32_768, 39_999]) {
      expect(table.externalAt(at)).toBe(rows[at]?.[0]);
      expect(table.row(at).service).toBe(rows[at]?.[1] ?? null);
      expect(table.row(at).created).toBe(rows[at]?.[2] ?? null);
    }
    expect(() => table.externalAt(40_000)).toThrow(RangeError);
  });

  test("keeps the raw JSON of unusual rows with their rows", () => {
    const reader = new AccountRowReader();
    const odd = '{"external_account_number":"E2","stage":"x"}';
    const table = tableOf([["E0"]]);
    const batch = reader.push(Buffer.from(`[{"external_account_number":"E1"},${odd}]`));
    if (batch) table.append(batch);
    expect([0, 1, 2].map((at) => table.row(at).extras)).toEqual([null, null, odd]);
  });

  test("an empty service account number counts as pending, as INTERFACE has it for 4.8", () => {
    expect(
      tableOf([
        ["E1", ""],
        ["E2", null],
        ["E3", "A"],
      ]).pending,
    ).toBe(2);
  });

  test("the table stops at its memory cap and reports the position", () => {
    const table = new AccountTable({ maxBytes: 100_000 });
    for (let at = 0; at < 5; at++) table.append(batchOf(manyRows(500)));
    expect(table.truncatedAt).toBe(table.rows);
    expect(table.rows).toBeGreaterThan(500);
    expect(table.rows).toBeLessThan(1500);
    expect(table.bytes).toBeLessThanOrEqual(100_000);
    expect(table.externalAt(table.rows - 1)).toBe(manyRows(500)[(table.rows - 1) % 500]?.[0]);
  });

  test("a table within its memory cap reports no cap", () => {
    expect(tableOf(manyRows(100)).truncatedAt).toBeNull();
  });
});

describe("looking up an account", () => {
  test("finds the first row of an identity, with the index at any stage", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "b", "é", "EXT-1", "EXT-10", "EXT-2", "x y", "😀"), {
          minLength: 1,
          maxLength: 30,
        }),
        fc.nat({ max: 40 }),
        (externals, indexed) => {
          const all: readonly string[] = externals;
          const table = tableOf(externals.map((external) => [external]));
          const half = new AccountTable();
          half.append(batchOf(externals.slice(0, 5).map((external) => [external])));
          half.indexMore(indexed);
          half.append(batchOf(externals.slice(5).map((external) => [external])));
          half.indexMore(indexed);
          for (const external of ["a", "b", "é", "EXT-1", "EXT-10", "EXT-2", "x y", "😀", "none"]) {
            expect(table.rowOf(external)).toBe(all.indexOf(external));
            expect(half.rowOf(external)).toBe(all.indexOf(external));
          }
        },
      ),
    );
  });

  test("grows with the table", () => {
    const rows = manyRows(30_000);
    const table = new AccountTable();
    for (let at = 0; at < rows.length; at += 1000) {
      table.append(batchOf(rows.slice(at, at + 1000)));
      expect(table.indexMore(5000)).toBe(true);
    }
    for (let at = 0; at < rows.length; at += 997) {
      expect(table.rowOf(rows[at]?.[0] ?? "")).toBe(at);
    }
    expect(table.rowOf("EXT-none")).toBe(-1);
  });
});
