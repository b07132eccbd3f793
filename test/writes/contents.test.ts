import type { FormKind } from "../../src/forms/forms.ts";
import { operationOf } from "../../src/writes/kinds/kinds.ts";
import { prepareWrite } from "../../src/writes/prepare.ts";
import { bodyWords, Contents, writeWords } from "../../src/writes/words/contents.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** The words for a body of an account, written as JSON text so that digits stay. */
function goesOut(kind: FormKind, fields: string): string {
  const body = `{"import_supplier":"ACME","external_account_number":"EXT-17",${fields}}`;
  return writeWords(prepareWrite({ operation: operationOf(kind), body: bytes(body) }));
}

const transaction = (amount: string, type = "CHARGE") =>
  `{"transaction_id":"T","transaction_date":"2026-11-10","amount":${amount},"type":"${type}"}`;

describe("what goes out is said in words:", () => {
  test.each<[FormKind, string, string]>([
    [
      "transactions",
      `"transactions":[${transaction("99.50")}]`,
      "CHARGE 99.50 on 2026-11-10, T, for EXT-17 of ACME",
    ],
    [
      "transactions",
      `"transactions":[${transaction("0.10")},${transaction("0.20")}]`,
      "2 CHARGE of 0.30 in all for EXT-17 of ACME",
    ],
    [
      "transactions",
      `"transactions":[${transaction("10")},${transaction("-2.5", "CREDIT")},${transaction("1")}]`,
      "3 transactions (2 CHARGE, 1 CREDIT) of 8.5 in all for EXT-17 of ACME",
    ],
    [
      "transactions",
      `"transactions":[{"transaction_id":"T"}]`,
      "1 transaction without an amount, T, for EXT-17 of ACME",
    ],
    [
      "transactions",
      '"transactions":[{"type":"CREDIT"}]',
      "CREDIT without an amount for EXT-17 of ACME",
    ],
    ["notes", '"notes":[{"body":"a"},{"body":"b"}]', "2 notes for EXT-17 of ACME"],
    [
      "statements",
      '"statements":[{"statement_id":"S","issued_date":"2026-10-02","gross_amount":120.00}]',
      "1 statement of 120.00 on 2026-10-02, S, for EXT-17 of ACME",
    ],
    [
      "payment-instructions",
      '"vendor":"v","reference":"R-1","type":"CARD"',
      "1 payment instruction, R-1, for EXT-17 of ACME",
    ],
  ])("%s %s", (kind, fields, words) => {
    expect(goesOut(kind, fields)).toBe(words);
  });

  test("a supply point by its identifier", () => {
    const body = '{"payload":{"import_supplier":"ACME","supply_point":{"identifier":"SP-1"}}}';
    const write = { operation: operationOf("supply-points"), body: bytes(body) };
    expect(writeWords(prepareWrite(write))).toBe("1 supply point, SP-1 of ACME");
  });
});

test("the contents of many requests count types and add up exactly", () => {
  const contents = new Contents("transactions create");
  for (const type of ["CHARGE", "CHARGE", "CREDIT", "PAYMENT", "REPAYMENT", "OTHER"])
    contents.add([{ type }], 2);
  expect(contents.words()).toBe(
    "12 transactions (4 CHARGE, 2 CREDIT, 2 PAYMENT, 2 more types) without an amount",
  );
  expect(new Contents("notes create").words()).toBe("0 notes");
});

describe("the contents of a sent entry in words:", () => {
  const sent = (kind: FormKind, fields: string) =>
    bodyWords(
      operationOf(kind),
      `{"import_supplier":"ACME","external_account_number":"EXT-17",${fields}}`,
    );
  const long = "The customer moves in on Friday and calls again. ".repeat(4).trim();

  test.each<[FormKind, string, string]>([
    ["notes", `"notes":[{"body":"${long}"}]`, `"${long}"`],
    ["notes", '"notes":[{"body":"a"},{"documents":[]}]', '"a", (documents only)'],
    ["transactions", `"transactions":[${transaction("99.50")}]`, "CHARGE 99.50 on 2026-11-10, T"],
    [
      "transactions",
      `"transactions":[${transaction("0.10")},${transaction("0.20")}]`,
      "2 CHARGE of 0.30 in all",
    ],
    ["payment-instructions", '"vendor":"v","reference":"R-1","type":"CARD"', "R-1"],
  ])("%s %s", (kind, fields, words) => {
    expect(sent(kind, fields)).toBe(words);
  });

  test("a body that was purged or cannot be read has no contents, nor has an unknown operation", () => {
    expect(bodyWords("notes create", null)).toBe("");
    expect(bodyWords("notes create", "{")).toBe("");
    expect(bodyWords("meters create", "{}")).toBe("");
  });
});
