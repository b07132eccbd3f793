import { IssueCollector } from "../../../src/bulk/input/issues.ts";
import { readPlanned } from "../../../src/bulk/input/read-planned.ts";
import type { FormKind } from "../../../src/forms/forms.ts";
import { inPieces, options } from "./inputs.ts";

async function issuesOf(kind: FormKind, input: string) {
  const issues = new IssueCollector();
  for await (const planned of readPlanned(inPieces(input), options(kind)))
    if (planned.kind !== "request") issues.add(planned.issue, planned.ofInput);
  return issues.result();
}

const header =
  "import_supplier,external_account_number,transaction_id,transaction_date,amount,type\n";
const row = (n: number, amount: string, date = "2026-11-20") =>
  `ACME,EXT-${n},T-${n},${date},${amount},CHARGE\n`;

test("issues with one field and the same words are one cause, whatever value is wrong", async () => {
  const rows = [row(1, "1.00"), row(2, "12,50"), row(3, "abc"), row(4, "x1"), row(5, "1", "soon")];
  const { causes, rows: wrong } = await issuesOf(
    "transactions",
    header.replaceAll(",", ";") + rows.join("").replaceAll("12,50", "12x50").replaceAll(",", ";"),
  );
  const errors = causes.filter(({ severity }) => severity === "error");
  expect(errors.map(({ column, count }) => [column, count])).toEqual([
    ["amount", 3],
    ["transaction_date", 1],
  ]);
  expect(wrong).toBe(4);
  expect(errors[0]?.issues.map(({ line, account }) => [line, account])).toEqual([
    [3, "EXT-2"],
    [4, "EXT-3"],
    [5, "EXT-4"],
  ]);
});

test("the number of causes and of listed issues stays small, and everything is counted", async () => {
  const words = (n: number) =>
    String.fromCodePoint(97 + (n % 26), 97 + (Math.floor(n / 26) % 26), 97 + Math.floor(n / 676));
  const many = Array.from({ length: 30_000 }, (_, n) => ({
    severity: "error" as const,
    line: n + 2,
    supplier: null,
    account: null,
    column: null,
    message: `Wrong: ${words(n)}.`,
    about: null,
  }));
  const issues = new IssueCollector();
  for (const one of many) issues.add(one, false);
  const { causes, first, count, rows } = issues.result();
  expect(causes.length).toBeLessThanOrEqual(501);
  expect(causes.reduce((sum, one) => sum + one.count, 0)).toBe(30_000);
  expect(causes.reduce((sum, one) => sum + one.issues.length, 0)).toBeLessThanOrEqual(
    20_000 + 500 * 20,
  );
  expect(first.length).toBe(5_000);
  expect([count, rows]).toEqual([30_000, 30_000]);
});
