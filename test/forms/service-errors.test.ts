import { readErrorBody } from "../../src/api/error-body.ts";
import { type FormKind, forms } from "../../src/forms/forms.ts";
import { validateJson } from "../../src/forms/parse-json.ts";
import { placeServiceIssues } from "../../src/forms/service-errors.ts";
import { samples } from "../helpers/kinds.ts";

function sent(kind: FormKind, text = samples[kind].documented) {
  const validation = validateJson(forms[kind], text);
  if (!validation.ok) throw new Error(JSON.stringify(validation.issues));
  return validation.body;
}

/** The issues a form shows for a 400 with that body. */
function told(kind: FormKind, answer: unknown, body = sent(kind)) {
  const raw = JSON.stringify(answer);
  const { placed, above } = placeServiceIssues(forms[kind], body, {
    ...readErrorBody(raw),
    body: raw,
  });
  return {
    placed: placed.map(({ path, message }) => `${path.join(".")}: ${message}`),
    above: above.map(({ code, detail }) => `${code}: ${detail}`),
  };
}

const listed = (attr: string | null, detail = "Wrong.") => ({
  errors: [{ detail, code: "invalid", attr }],
});

describe("attr", () => {
  test.each<[FormKind, string, string]>([
    ["notes", "notes.0.body", "notes.0.body"],
    ["notes", "notes.1", "notes.1"],
    ["notes", "notes", "notes"],
    ["notes", "notes[0].document_paths[1].document_path", "notes.0.document_paths.1.document_path"],
    ["notes", "external_account_number", "external_account_number"],
    ["notes", "payload.notes.1.body", "notes.1.body"],
    ["notes", "notes.0.non_field_errors", "notes.0"],
    ["transactions", "transactions.2.line_items.0.units.1", "transactions.2.line_items.0.units.1"],
    ["transactions", "transactions.2.tax_items.rate", "transactions.2.tax_items.0.rate"],
    ["transactions", "check_previously_added", "check_previously_added"],
    ["statements", "statements.statement_path", "statements.0.statement_path"],
    ["payment-instructions", "vendor", "vendor"],
    ["supply-points", "supply_point.identifier", "supply_point.identifier"],
    ["supply-points", "payload.accounts.0.customers.0.landline", "accounts.0.customers.0.landline"],
    [
      "supply-points",
      "accounts.0.customers.0.account_roles.0",
      "accounts.0.customers.0.account_roles.0",
    ],
    ["supply-points", "customers.0.landline", "accounts.0.customers.0.landline"],
    ["supply-points", "outage_contact.phone_1.number", "accounts.0.outage_contact.phone_1.number"],
    ["supply-points", "identifier", "supply_point.identifier"],
    ["supply-points", "email_address", "accounts.0.outage_contact.email_address"],
  ])("%s %s is at %s", (kind, attr, path) => {
    expect(told(kind, listed(attr))).toEqual({ placed: [`${path}: Wrong.`], above: [] });
  });

  test.each<[FormKind, string, string]>([
    ["notes", "notes.0.body.length", "notes.0.body: length: Wrong."],
    ["notes", "notes.7.body", "notes: Note 8 › Body: Wrong."],
    ["notes", "notes.0.colour", "notes.0: colour: Wrong."],
    ["notes", "notes.body", "notes: body: Wrong."],
  ])("%s %s goes as far as the form does", (kind, attr, placed) => {
    expect(told(kind, listed(attr)).placed).toEqual([placed]);
  });

  test.each<[FormKind, string | null, string]>([
    ["notes", null, "invalid: Wrong."],
    ["notes", "colour", "invalid: colour: Wrong."],
    ["supply-points", "postal_address.country", "invalid: postal_address.country: Wrong."],
    ["supply-points", "payload", "invalid: Wrong."],
    ["notes", "__proto__", "invalid: __proto__: Wrong."],
  ])("%s %s, whose place is unknown, stands above the form", (kind, attr, above) => {
    expect(told(kind, listed(attr))).toEqual({ placed: [], above: [above] });
  });

  test("without words of its own the code is said", () => {
    expect(told("notes", listed("notes.0.body", "")).placed).toEqual(["notes.0.body: invalid"]);
  });
});

describe("messages that mirror the payload", () => {
  const messages = { identifier: ["Taken."] };
  test.each([
    ["as it is", { supply_point: messages }],
    ["with its outer key", { payload: { supply_point: messages } }],
    ["below errors", { errors: { supply_point: messages } }],
  ])("%s", (_, answer) => {
    expect(told("supply-points", answer)).toEqual({
      placed: ["supply_point.identifier: Taken."],
      above: [],
    });
  });

  test.each([
    ["arrays as arrays", { accounts: [{ customers: [{ landline: ["Bad.", "Short."] }] }] }],
    [
      "arrays by number",
      { accounts: { "0": { customers: { "0": { landline: ["Bad.", "Short."] } } } } },
    ],
  ])("%s", (_, answer) => {
    const at = "accounts.0.customers.0.landline";
    expect(told("supply-points", answer).placed).toEqual([`${at}: Bad.`, `${at}: Short.`]);
  });

  test("come in the order of the form, so that the cursor goes to the first", () => {
    const answer = { type: ["Last."], reference: ["Second."], import_supplier: ["First."] };
    expect(told("payment-instructions", answer).placed).toEqual([
      "import_supplier: First.",
      "reference: Second.",
      "type: Last.",
    ]);
  });
});

describe("errors of a whole request", () => {
  test("a supply point imported before stands above the form", () => {
    const answer = {
      non_field_errors: { detail: "Exists.", code: "supply_point_import_process_already_imported" },
      supply_point_identifier: "SP-1",
    };
    expect(told("supply-points", answer)).toEqual({
      placed: [],
      above: ["supply_point_import_process_already_imported: Exists."],
    });
  });

  test("a general word stands above, its fields at their places", () => {
    const answer = {
      detail: "Invalid.",
      code: "account_failed_validation",
      ...listed("vendor", "Unknown."),
    };
    expect(told("payment-instructions", answer)).toEqual({
      placed: ["vendor: Unknown."],
      above: ["account_failed_validation: Invalid."],
    });
  });

  test("a body that is no JSON says nothing", () => {
    expect(placeServiceIssues(forms.notes, sent("notes"), { body: "<html>" })).toEqual({
      placed: [],
      above: [],
    });
  });
});

describe("TRANSACTION_IMPORT_ERROR", () => {
  const answer = (id?: string) => ({
    status: "TRANSACTION_IMPORT_ERROR",
    error_detail: "Not within the open statement period.",
    ...(id === undefined ? {} : { transaction_data: { transaction_id: id, amount: "-0.50" } }),
  });
  const above = ["TRANSACTION_IMPORT_ERROR: Not within the open statement period."];

  test("is reported at its transaction", () => {
    expect(told("transactions", answer("T-2"))).toEqual({
      placed: ["transactions.1: Not within the open statement period."],
      above: [],
    });
  });

  test("of one transaction can mean no other", () => {
    const row = '{"transaction_id":"T","transaction_date":"2026-11-01","amount":1,"type":"CHARGE"}';
    const text = `{"import_supplier":"A","external_account_number":"E","transactions":[${row}]}`;
    expect(told("transactions", answer(), sent("transactions", text)).placed).toHaveLength(1);
  });

  test("stands above the form when it names none of them", () => {
    expect(told("transactions", answer("T-9"))).toEqual({ placed: [], above });
    expect(told("transactions", answer())).toEqual({ placed: [], above });
  });
});
