import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { AccountListStore } from "../../src/accounts/account-list.ts";
import { type ExportFormat, exportBatches, exportView } from "../../src/accounts/export.ts";
import { batchOf, manyRows, type Row, tableOf } from "./rows.ts";

const rows: Row[] = [
  ["EXT-1", "A-1", "2026-01-01T00:00:00Z"],
  ["=SUM(A1)", "+1", null],
  ['a,"b"', "-x", "@y"],
  ["\tz", "\u009b31m\u007f", "\r1"],
  ["é😀", "", null],
];

async function textOf(format: ExportFormat, of: readonly Row[] = rows): Promise<string> {
  async function* batches() {
    yield batchOf(of.slice(0, 2));
    yield batchOf(of.slice(2));
  }
  let text = "";
  for await (const piece of exportBatches(batches(), format)) text += piece;
  return text;
}

const items = rows.map(([external, service, created]) => ({
  external_account_number: external,
  service_account_number: service ?? null,
  account_created_at: created ?? null,
}));

describe("export", () => {
  test("JSON Lines and JSON lose nothing, and hold no DEL and no C1", async () => {
    const lines = await textOf("jsonl");
    expect(
      lines
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(items);
    const array = await textOf("json");
    expect(JSON.parse(array)).toEqual(items);
    expect(lines + array).not.toMatch(/[\u007f-\u009f]/);
    expect(lines).toContain("\\u009b31m\\u007f");
    expect(JSON.parse(await textOf("json", []))).toEqual([]);
  });

  test("CSV has the wire's names and no formula", async () => {
    const text = await textOf("csv");
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
    const lines = (await textOf("tsv")).slice(0, -1).split("\n");
    expect(lines.length).toBe(rows.length + 1);
    expect(lines.every((line) => line.split("\t").length === 3)).toBe(true);
    expect(lines[2]).toBe("'=SUM(A1)\t'+1\t");
    expect(lines[4]).toMatch(/^'/);
  });

  test("a view exports what it shows, in its order, whatever happens to it meanwhile", async () => {
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
    let text = (await pieces.next()).value ?? "";
    store.setFilter("");
    store.setSort("wire", false);
    await store.settled();
    for await (const piece of pieces) text += piece;
    const found = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).external_account_number);
    expect(found).toEqual(wanted);
  });

  test("nothing is read ahead of what is asked for, and stopping stops the source", async () => {
    let given = 0;
    let stopped = false;
    async function* batches() {
      try {
        for (;;) {
          given += 1;
          yield batchOf(manyRows(1000));
        }
      } finally {
        stopped = true;
      }
    }
    const pieces = exportBatches(batches(), "csv");
    await pieces.next();
    const before = given;
    await pieces.next();
    expect(before).toBeLessThan(4);
    expect(given).toBeLessThan(8);
    await pieces.return();
    expect(stopped).toBe(true);
  });

  test("a table's own rows are left as they are", () => {
    expect(tableOf(rows).row(1).external).toBe("=SUM(A1)");
  });
});
