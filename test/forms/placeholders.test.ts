import { forms } from "../../src/forms/forms.ts";
import {
  accountPlaceholder,
  fillBody,
  fillText,
  placeholderIssues,
  placeholderProblem,
} from "../../src/forms/placeholders.ts";
import { validateForSeveral } from "../../src/forms/validate.ts";
import { jsonNumber } from "../../src/json/exact.ts";

const values = { import_supplier: "ACME", external_account_number: "EXT/{1}" };

test("a text gets the account's own values, once: what stands in them is not filled again", () => {
  expect(fillText("{import_supplier}: {external_account_number}!", values)).toBe("ACME: EXT/{1}!");
  expect(fillText("{{import_supplier} }", values)).toBe("{import_supplier} }");
  expect(fillText("{{{import_supplier}}", values)).toBe("{ACME}");
});

test("a name that is no placeholder, and a brace left open, are reported with the known names", () => {
  const known = "there are {external_account_number} and {import_supplier}; write {{ for a brace.";
  expect(placeholderProblem("Dear {name}")).toBe(`There is no {name}: ${known}`);
  expect(placeholderProblem("a { b")).toBe(`This { is not closed: ${known}`);
  expect(placeholderProblem("{}")).toContain("There is no {}");
  expect(placeholderProblem("{External_Account_Number}")).not.toBeNull();
  expect(placeholderProblem("{{name} and {import_supplier}}")).toBeNull();
});

test("mistakes are reported at their field, in texts and document paths, however deep", () => {
  const notes = [
    { body: "{who}", document_paths: [{ document_path: "{what}/a.pdf" }], created_at: "{when}" },
  ];
  const issues = placeholderIssues(forms.notes, {
    import_supplier: "ACME",
    external_account_number: "{external_account_number}",
    notes,
  });
  expect(issues.map(({ path }) => path.join("."))).toEqual([
    "notes.0.body",
    "notes.0.document_paths.0.document_path",
  ]);
});

test("a body is filled in its texts alone: amounts keep their digits, choices what they hold", () => {
  const body = {
    import_supplier: "ACME",
    external_account_number: "{external_account_number}",
    transactions: [
      { transaction_id: "T-{external_account_number}", amount: jsonNumber("12.50"), type: "{x}" },
    ],
  };
  expect(JSON.stringify(fillBody(forms.transactions, body, values))).toBe(
    '{"import_supplier":"ACME","external_account_number":"EXT/{1}","transactions":[{"transaction_id":"T-EXT/{1}","amount":12.50,"type":"{x}"}]}',
  );
});

test("one transaction ID for all accounts is warned about, one of each account's own is not", () => {
  const typedAt = { now: Date.parse("2026-11-21T12:00:00Z"), timeZone: "UTC" };
  const warned = (id: string) =>
    validateForSeveral(
      forms.transactions,
      {
        import_supplier: "ACME",
        external_account_number: accountPlaceholder,
        transactions: [
          { transaction_id: id, transaction_date: "today", amount: "1.00", type: "CREDIT" },
        ],
      },
      typedAt,
    ).warnings.map(({ path }) => path.join("."));
  expect(warned("REFUND")).toEqual(["transactions.0.transaction_id"]);
  expect(warned("{import_supplier}")).toEqual(["transactions.0.transaction_id"]);
  expect(warned("R-{external_account_number}")).toEqual([]);
});

test("a slip keeps the form from being reviewed, beside whatever else is wrong", () => {
  const typedAt = { now: 0, timeZone: "UTC" };
  const checked = validateForSeveral(
    forms.notes,
    {
      import_supplier: "ACME",
      external_account_number: accountPlaceholder,
      notes: [{ body: "{who}", created_at: "soon" }],
    },
    typedAt,
  );
  expect(checked.ok ? [] : checked.issues.map(({ path }) => path.join("."))).toEqual([
    "notes.0.body",
    "notes.0.created_at",
  ]);
});
