import { parse } from "csv-parse/sync";
import { AccountListStore } from "../../src/accounts/account-list.ts";
import type { AccountListSnapshot } from "../../src/accounts/account-list-snapshot.ts";
import { exportView, isWhole } from "../../src/accounts/export.ts";
import type { RecordFormat } from "../../src/rows/csv.ts";
import { batchOf, manyRows, type Row, tableOf } from "./rows.ts";

const rows: Row[] = [
  ["EXT-1", "A-1", "2026-01-01T00:00:00Z"],
  ["=SUM(A1)", "+1", null],
  ['a,"b"', "-x", "@y"],
  ["\tz", "\u009b31m\u007f", "\r1"],
  ["é😀", "", null],
];

function textOf(format: RecordFormat, of: readonly Row[] = rows): string {
  const table = tableOf(of);
  const view = { table, length: table.rows, rowAt: (position: number) => position };
  return [...exportView(view, format)].join("");
}

const items = rows.map(([external, service, created]) => ({
  external_account_number: external,
  service_account_number: service ?? null,
  account_created_at: created ?? null,
}));

describe("export", () => {
  test("rows of an incomplete list are no JSON document", () => {
    const table = tableOf(rows);
    for (const length of [0, rows.length]) {
      const view = { table, length, rowAt: (position: number) => position };
      const text = [...exportView(view, "json", { isComplete: false })].join("");
      expect(() => JSON.parse(text)).toThrow(SyntaxError);
    }
  });

  test("a list is whole when it was loaded to its end, every row was readable and all are kept", () => {
    const loaded = { kind: "loaded", rows: 1, at: 1, tookMs: 1, unreadableRows: 0 } as const;
    const snapshot = { load: loaded, loadedAt: 1, truncatedAt: null } as AccountListSnapshot;
    expect(isWhole(snapshot)).toBe(true);
    expect(isWhole({ ...snapshot, load: { ...loaded, unreadableRows: 1 } })).toBe(false);
    expect(isWhole({ ...snapshot, truncatedAt: 5 })).toBe(false);
    const failed = { kind: "failed", error: null, rows: 1, at: 1 } as const;
    expect(isWhole({ ...snapshot, load: failed, loadedAt: null })).toBe(false);
    // A load that failed later leaves the rows of the one that was complete.
    expect(isWhole({ ...snapshot, load: failed })).toBe(true);
  });

  test("JSON Lines and JSON lose nothing, and hold no DEL and no C1", async () => {
    const lines = textOf("jsonl");
    expect(
      lines
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(items);
    const array = textOf("json");
    expect(JSON.parse(array)).toEqual(items);
    expect(lines + array).not.toMatch(/[\u007f-\u009f]/);
    expect(lines).toContain("\\u009b31m\\u007f");
    expect(JSON.parse(textOf("json", []))).toEqual([]);
  });

  test("CSV has the wire's names and no formula", async () => {
    const text = textOf("csv");
    expect(text).not.toMatch(/[\u007f-\u009f]/);
    const cells = parse(text) as string[][];
    expect(cells[0]).toEqual([
      "external_account_number",
      "service_account_number",
      "account_created_at",
    ]);
    expect(cells.slice(1, 4)).toEqual([
      ["EXT-1", "A-1", "2026-01-01T00:00:00Z"],
      ["'=SUM(A1)", "'+1", ""],
      ['a,"b"', "'-x", "'@y"],
    ]);
    expect(cells[4]?.[0]?.startsWith("'")).toBe(true);
    expect(cells[4]?.[2]?.startsWith("'")).toBe(true);
    expect(cells[5]).toEqual(["é😀", "", ""]);
  });

  test("TSV keeps every row on one line and every cell in its column", async () => {
    const lines = textOf("tsv").slice(0, -1).split("\n");
    expect(lines.length).toBe(rows.length + 1);
    expect(lines.every((line) => line.split("\t").length === 3)).toBe(true);
    expect(lines[2]).toBe("'=SUM(A1)\t'+1\t");
    expect(lines[4]).toMatch(/^'/);
  });

  test("an export has the rows and the order of the view when it started", async () => {
    const store = new AccountListStore();
    await store.load(async function* source() {
      yield batchOf(manyRows(5000));
      return { rows: 5000, unreadableRows: 0, bytes: 0, receivedAt: 0 };
    });
    store.setFilter("pending");
    store.setSort("external", true);
    await store.settled();
    const wanted = store.slice(0, 5000).map((row) => row.external);
    const pieces = exportView(store.viewRows(), "jsonl");
    let text = pieces.next().value ?? "";
    store.setFilter("");
    store.setSort("wire", false);
    await store.settled();
    for (const piece of pieces) text += piece;
    const found = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).external_account_number);
    expect(found).toEqual(wanted);
  });

  test("an export reads no rows ahead of its consumer", () => {
    const table = tableOf(manyRows(5000));
    let asked = 0;
    const rowAt = (position: number) => {
      asked += 1;
      return position;
    };
    const pieces = exportView({ table, length: 5000, rowAt }, "csv");
    pieces.next();
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(4000);
    pieces.return();
    expect([...pieces]).toEqual([]);
  });

  test("a table's own rows are left as they are", () => {
    expect(tableOf(rows).row(1).external).toBe("=SUM(A1)");
  });
});
