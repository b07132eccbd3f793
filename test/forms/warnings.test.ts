import { choicesOf, type Enumeration, relevanceOf } from "../../src/forms/fields.ts";
import { type FormKind, forms } from "../../src/forms/forms.ts";
import { fieldAtPath, fieldsOf } from "../../src/forms/payload-places.ts";
import { judge, statement, supplyPoint, transaction } from "./judge.ts";

test("a reason of a supply charge is warned of once", () => {
  const text = transaction(',"reason":"IMPORTED_CHARGE"').replace(
    '"type":"CHARGE"',
    '"type":"SUPPLY_CHARGE"',
  );
  expect(judge("transactions", text).warnings).toEqual([
    "transactions.0.reason: The interface does not show it with SUPPLY_CHARGE.",
  ]);
});

describe("two of the same", () => {
  test("notes are refused: same body, and the same instant or none", () => {
    const at = (text: string) => `{"body":"a","created_at":"${text}"}`;
    const same = "The same note as Note 1: the service keeps one of them.";
    expect(judge("notes", '[{"body":"a"},{"body":"b"},{"body":"a"}]').issues).toEqual([
      `notes.2: ${same}`,
    ]);
    const instants = `[${at("2026-11-20T14:00:00+01:00")},${at("2026-11-20T13:00:00Z")}]`;
    expect(judge("notes", instants).issues).toEqual([`notes.1: ${same}`]);
  });

  test("bodies at different times are two notes", () => {
    const text =
      '[{"body":"a","created_at":"2026-11-20T13:00:00Z"},{"body":"a","created_at":"2026-11-21T13:00:00Z"}]';
    expect(judge("notes", text)).toEqual({ issues: [], warnings: [] });
  });

  test("a body again without a time of its own is warned of", () => {
    const text = '[{"body":"a","created_at":"2026-11-20T13:00:00Z"},{"body":"a"}]';
    const { issues, warnings } = judge("notes", text);
    expect(issues).toEqual([]);
    expect(warnings).toEqual([
      expect.stringMatching(/^notes\.1\.created_at: The same body as Note 1/),
    ]);
    expect(
      judge("notes", '[{"body":"a"},{"body":"a","created_at":"2026-11-20T13:00:00Z"}]').warnings,
    ).toEqual([]);
  });

  test("transaction ids are refused", () => {
    const one = transaction().slice(1, -1);
    expect(judge("transactions", `[${one},${one}]`).issues).toEqual([
      "transactions.1.transaction_id: The same transaction ID as Transaction 1: each can appear once in a request.",
    ]);
  });

  test("statement ids are warned of", () => {
    const one = statement("").slice(1, -1);
    const other = one.replace(/"number":"[^"]*"/, '"number":"other"');
    expect(other).not.toBe(one);
    const { issues, warnings } = judge("statements", `[${one},${other}]`);
    expect(issues).toEqual([]);
    expect(warnings).toEqual([
      expect.stringContaining("statements.1.statement_id: The same statement ID as Statement 1"),
    ]);
  });

  test("statements with the same content are refused", () => {
    const one = statement("").slice(1, -1);
    expect(judge("statements", `[${one},${one}]`).issues).toEqual([
      "statements.1: The same statement as Statement 1: each can appear once.",
    ]);
  });
});

describe("sent with a warning", () => {
  test.each<[FormKind, string, string]>([
    [
      "transactions",
      transaction().replace("1.00", "1.005"),
      "transactions.0.amount: More than 2 decimal places; it is sent unchanged. If the point separates thousands, write 1005.",
    ],
    [
      "transactions",
      transaction().replace("CHARGE", "CHARG"),
      "transactions.0.type: Unknown value, sent as typed. Did you mean CHARGE?",
    ],
    [
      "transactions",
      transaction(',"product_code":"P"'),
      "transactions.0.product_code: The interface does not show it with CHARGE.",
    ],
    [
      "transactions",
      transaction(',"reason":"IMPORTED_CREDIT"'),
      "transactions.0.reason: Seen with CREDIT, not with CHARGE.",
    ],
    [
      "transactions",
      transaction(',"reason":"OTHER"'),
      "transactions.0.reason: Unknown value, sent as typed. Known: IMPORTED_CHARGE, IMPORTED_CREDIT, ACCOUNT_CHARGE_PAYMENT, GENERAL_CREDIT, FULL_CREDIT_REFUND.",
    ],
    [
      "transactions",
      transaction(',"note":"a\\u0007b"'),
      "transactions.0.note: It contains control characters.",
    ],
    [
      "transactions",
      transaction().replace('"T"', '"T "'),
      "transactions.0.transaction_id: It begins or ends with a space.",
    ],
    [
      "notes",
      '[{"body":"a","unpin_at":"2026-12-01T00:00:00Z"}]',
      "notes.0.unpin_at: The note is not pinned; the interface shows an unpin time only for pinned notes.",
    ],
    [
      "notes",
      '[{"body":"a","is_pinned":false,"unpin_at":"2026-12-01T00:00:00Z"}]',
      "notes.0.unpin_at: The note is not pinned; the interface shows an unpin time only for pinned notes.",
    ],
    [
      "statements",
      statement("").replace("2026-09-30", "2026-08-30"),
      "statements.0.bill_period_to_date: The bill period ends before it begins.",
    ],
    [
      "payment-instructions",
      '{"vendor":"V","reference":"R","type":"BANK"}',
      "type: Unknown value, sent as typed. Known: CARD.",
    ],
    [
      "supply-points",
      supplyPoint('{"identifier":"a","supply_type":"ELECTRICITY_DISTRIBUTION"}'),
      ": Accounts is empty; the service may need it.",
    ],
  ])("%s %s", (kind, text, warning) => {
    expect(judge(kind, text)).toEqual({ issues: [], warnings: [warning] });
  });

  test("a type never seen may use any field", () => {
    const text = transaction(',"product_code":"P","reference":"R"').replace("CHARGE", "REBATE");
    expect(judge("transactions", text).warnings).toHaveLength(1);
  });

  test("pinned with an unpin time, two places, a fitting reason: without one", () => {
    expect(
      judge("notes", '[{"body":"a","is_pinned":true,"unpin_at":"2026-12-01T00:00:00Z"}]').warnings,
    ).toEqual([]);
    expect(judge("transactions", transaction(',"reason":"IMPORTED_CHARGE"')).warnings).toEqual([]);
  });
});

describe("values that were seen", () => {
  test("the ones that go with the chosen type come first", () => {
    const reason = fieldAtPath(forms.transactions, ["transactions", 0, "reason"]);
    if (reason?.kind !== "field" || reason.field.type !== "enumeration") throw new Error("none");
    const leaf: Enumeration = reason.field;
    const values = (type?: string) => choicesOf(leaf, () => type);
    expect(values("REPAYMENT")[0]).toBe("FULL_CREDIT_REFUND");
    expect(values("PAYMENT").slice(0, 2)).toEqual(["ACCOUNT_CHARGE_PAYMENT", "GENERAL_CREDIT"]);
    expect(values()).toHaveLength(5);
  });

  test.each([
    ["PAYMENT", "reference", "used"],
    ["PAYMENT", "product_code", "unused"],
    ["SUPPLY_CHARGE", "reason", "unused"],
    ["SUPPLY_CHARGE", "line_items", "used"],
    ["", "reference", "undecided"],
    [undefined, "reference", "undecided"],
    ["", "amount", "used"],
    ["REBATE", "reference", "used"],
  ])("with type %j, %s is %s", (type, name, use) => {
    const row = fieldAtPath(forms.transactions, ["transactions", 0]);
    const fields = row === null ? [] : fieldsOf(row);
    const field = fields.find((one) => one.name === name);
    expect(field && relevanceOf(field, fields, () => type)).toBe(use);
  });
});
