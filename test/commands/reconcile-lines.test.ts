import { BatchBuilder } from "../../src/accounts/ingest/batch-builder.ts";
import { plainLines, rowJson } from "../../src/commands/reconcile/print.ts";
import { toJson } from "../../src/json/exact.ts";
import { csvRow, tsvRow } from "../../src/rows/csv.ts";
import { RowBytes } from "../../src/rows/line-bytes.ts";
import { fieldCell } from "../../src/text/fields.ts";
import type { Ages } from "../../src/triage/observations/observations.ts";
import { reconcile } from "../../src/triage/reconcile/reconcile.ts";
import { reconciledFields, rowFields } from "../../src/triage/reconcile/row-fields.ts";
import { readSource } from "../../src/triage/source/read-source.ts";
import * as fc from "../helpers/fast-check.ts";

type Item = readonly [number: string, service: string | null, created: string | null];

async function* listOf(items: readonly Item[]) {
  const builder = new BatchBuilder();
  for (const item of items) builder.addTexts(...item);
  const batch = builder.take();
  if (batch !== null) yield batch;
  return { rows: items.length, listedAt: 0 };
}

/** Every account is pending since the same time, and known from then on. */
const ages = {
  find: () => 0,
  pendingSince: () => Date.parse("2026-11-20T08:00:05Z"),
} as unknown as Ages;

const text = fc.oneof(
  fc.constantFrom("EXT-1", "=1", "-4711", 'say "A"', "a,b", "a\\b", "é", "日本", "\u202e", "a\tb"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }).map((some) => `N${some}`),
);
const item = fc.tuple(text, fc.option(text), fc.option(fc.constant("2026-11-20T08:00:00Z")));

test("rows written from their bytes are those of the careful writer", async () => {
  const context = () => ({ doing: "a test" });
  const columns = fc.shuffledSubarray([...rowFields], { minLength: 1 });
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(item), fc.array(text), columns, async (items, others, fields) => {
      const numbers = [...items.map(([number]) => number), ...others];
      const result = await reconcile({
        source: readSource(Buffer.from(JSON.stringify(numbers)), { name: "mine" }),
        list: listOf(items),
        lookups: null,
        ages: async () => ages,
        others: { suppliers: [], agesOf: async () => null },
        extraFacts: false,
        signal: new AbortController().signal,
      });
      for (let row = 0; row < result.source.rows; row++) {
        const careful = result.row(row);
        const texts = fields.map((field) => fieldCell(field, careful));
        const expected = {
          json: toJson(rowJson(careful, { fields, supplier: "ACME", context })),
          csv: csvRow(texts),
          tsv: tsvRow(texts),
        };
        for (const format of ["json", "csv", "tsv"] as const) {
          const lines = plainLines(fields, format, "");
          const bytes = new RowBytes();
          if (!result.readBytes(row, bytes) || !lines.take(bytes)) continue;
          expect(Buffer.from(lines.taken()).toString()).toBe(expected[format]);
          taken += 1;
        }
      }
    }),
  );
  expect(taken).toBeGreaterThan(100);
});

test("a row has room for a column that is asked for thousands of times", async () => {
  const { account } = reconciledFields;
  const fields = Array.from({ length: 20_000 }, () => account);
  const result = await reconcile({
    source: readSource(Buffer.from("EXT-0000001\n"), { name: "mine" }),
    list: listOf([["EXT-0000001", "A-1", null]]),
    lookups: null,
    ages: async () => null,
    others: { suppliers: [], agesOf: async () => null },
    extraFacts: false,
    signal: new AbortController().signal,
  });
  const lines = plainLines(fields, "csv", "");
  const bytes = new RowBytes();
  expect(result.readBytes(0, bytes) && lines.take(bytes)).toBe(true);
  const expected = csvRow(fields.map(() => fieldCell(account, result.row(0))));
  expect(Buffer.from(lines.taken()).toString()).toBe(expected);
});
