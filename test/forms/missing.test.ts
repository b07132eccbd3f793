import { type FormKind, forms } from "../../src/forms/forms.ts";
import { validateJson } from "../../src/forms/parse-json.ts";
import { validateValues } from "../../src/forms/validate.ts";
import { account, transaction } from "./judge.ts";
import { typedAt } from "./payloads.ts";

const expects =
  "supplyline expects this field; the interface does not say whether it can be left out.";

/** The paths of what stops a file, and of what it is warned of, with and without the override. */
function checked(kind: FormKind, text: string, allowMissing: boolean) {
  const said = validateJson(forms[kind], text, account, { allowMissing });
  const paths = (issues: typeof said.warnings) =>
    issues.map(({ path, message, about }) => `${about} ${path.join(".")}: ${message}`);
  return { stops: said.ok ? [] : paths(said.issues), warns: paths(said.warnings) };
}

describe("a field that the interface does not call required", () => {
  const left = '[{"transaction_id":"T","amount":1}]';
  const both = [
    `missing transactions.0.transaction_date: ${expects}`,
    `missing transactions.0.type: ${expects}`,
  ];

  test("stops the request while the user has not allowed it to be missing", () => {
    expect(checked("transactions", left, false)).toEqual({ stops: both, warns: [] });
  });

  test("is a warning once the user has allowed it, and the rest is sent as it is", () => {
    expect(checked("transactions", left, true)).toEqual({ stops: [], warns: both });
    expect(validateJson(forms.transactions, left, account, { allowMissing: true })).toMatchObject({
      ok: true,
      body: { transactions: [{ transaction_id: "T" }] },
    });
  });

  test.each<[FormKind, string, number]>([
    ["statements", '[{"number":"1"}]', 5],
    ["payment-instructions", "{}", 3],
    ["transactions", "[{}]", 4],
  ])("%s %s lacks %i of them, each reported once", (kind, text, count) => {
    const { stops } = checked(kind, text, false);
    expect(stops).toHaveLength(count);
    expect(stops.every((one) => one.startsWith("missing "))).toBe(true);
  });
});

test.each<[FormKind, string, string]>([
  ["transactions", "[]", "transactions: At least one transaction is needed."],
  ["transactions", "[{}]", "transactions.0: This is empty: fill it in or remove it."],
  ["notes", "[{}]", "notes.0.body: One of these is needed: body, document_paths."],
  ["supply-points", '{"import_supplier":"ACME"}', "supply_point: This field is required."],
  [
    "supply-points",
    '{"import_supplier":"ACME","supply_point":{}}',
    "supply_point.identifier: This field is required.",
  ],
])("%s %s cannot be sent, whatever the user allows", (kind, text, issue) => {
  expect(checked(kind, text, true).stops).toEqual([`undefined ${issue}`]);
});

test("a value that is wrong is not allowed by allowing what is missing", () => {
  const text = transaction().replace("1.00", '"1.00"').replace(',"type":"CHARGE"', "");
  expect(checked("transactions", text, true).stops).toEqual([
    "undefined transactions.0.amount: A number is expected here, without quotes.",
  ]);
});

test("an empty field of a form is missing in the same way", () => {
  const row = { transaction_id: "T", transaction_date: "today", amount: "", type: "CHARGE" };
  const values = { import_supplier: "A", external_account_number: "E", transactions: [row] };
  expect(validateValues(forms.transactions, values, typedAt)).toMatchObject({
    ok: false,
    issues: [{ path: ["transactions", 0, "amount"], message: expects, about: "missing" }],
  });
  expect(validateValues(forms.transactions, values, typedAt, { allowMissing: true }).ok).toBe(true);
});
