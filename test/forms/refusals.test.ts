import { type FormKind, forms } from "../../src/forms/forms.ts";
import { validateJson } from "../../src/forms/parse-json.ts";
import { validateValues } from "../../src/forms/validate.ts";
import { account, judge, statement, supplyPoint, transaction } from "./judge.ts";
import { typedAt } from "./payloads.ts";

describe("refused, saying where and what", () => {
  test.each<[FormKind, string, string]>([
    ["notes", "[]", "notes: At least one note is needed."],
    ["notes", "{}", "notes: This field is required."],
    ["notes", '"text"', ": An object in { } is expected here."],
    ["notes", "[{}]", "notes.0.body: One of these is needed: body, document_paths."],
    ["notes", '[{"body":""}]', "notes.0.body: One of these is needed: body, document_paths."],
    ["notes", '[{"body":"  "}]', "notes.0.body: This must not be only spaces."],
    ["notes", '[{"body":null}]', "notes.0.body: null is never sent: leave the field out."],
    ["notes", '[{"body":5}]', "notes.0.body: Text in quotes is expected here."],
    ["notes", '["text"]', "notes.0: An object in { } is expected here."],
    ["notes", "[1]", "notes.0: An object in { } is expected here."],
    [
      "notes",
      '[{"body":"a","document_paths":["a.pdf"]}]',
      "notes.0.document_paths.0: An object in { } is expected here.",
    ],
    [
      "notes",
      '[{"body":"a","document_paths":"a.pdf"}]',
      "notes.0.document_paths: An array in [ ] is expected here.",
    ],
    [
      "notes",
      '[{"document_paths":[{"document_path":"../a.pdf"}]}]',
      "notes.0.document_paths.0.document_path: The path stays below the supplier's document root: no .. in it.",
    ],
    [
      "notes",
      '[{"body":"a","created_at":"2026-11-20T14:00:00"}]',
      "notes.0.created_at: Name the time zone: Z, or an offset such as +01:00.",
    ],
    [
      "notes",
      '[{"body":"a","created_at":"2026-02-30T14:00:00Z"}]',
      "notes.0.created_at: There is no 2026-02-30: the month has fewer days.",
    ],
    [
      "notes",
      '[{"body":"a","is_pinned":"true"}]',
      "notes.0.is_pinned: true or false is expected here, without quotes.",
    ],
    [
      "notes",
      '[{"bdy":"a","body":"a"}]',
      "notes.0.bdy: This field is not documented and is never sent. Did you mean body?",
    ],
    [
      "notes",
      '{"notes":[{"body":"a"}],"is_pinned":true}',
      "is_pinned: This field is not documented and is never sent. is_pinned belongs in notes[].",
    ],
    [
      "notes",
      '[{"body":"a","import_supplier":"ACME"}]',
      "notes.0.import_supplier: This field is not documented and is never sent. import_supplier belongs at the top level.",
    ],
    [
      "notes",
      '[{"body":"a","__proto__":{"x":1}}]',
      "notes.0.__proto__: This field is not documented and is never sent. Documented here: body, document_paths, created_at, is_pinned, unpin_at.",
    ],
    [
      "transactions",
      transaction(',"line_items":[{"net":1}]'),
      "transactions.0.line_items.0.net: This field is not documented and is never sent. Did you mean net_amount?",
    ],
    [
      "transactions",
      transaction(',"line_items":[{}]'),
      "transactions.0.line_items.0: This is empty: fill it in or remove it.",
    ],
    [
      "transactions",
      transaction(',"line_items":[{"units":["4"]}]'),
      "transactions.0.line_items.0.units.0: A number is expected here, without quotes.",
    ],
    [
      "transactions",
      transaction().replace("1.00", '"1.00"'),
      "transactions.0.amount: A number is expected here, without quotes.",
    ],
    [
      "transactions",
      transaction().replace("1.00", "1e2"),
      "transactions.0.amount: Write the number out, without an exponent.",
    ],
    [
      "transactions",
      transaction().replace("2026-11-01", "2026-02-29"),
      "transactions.0.transaction_date: There is no 2026-02-29: the month has fewer days.",
    ],
    [
      "transactions",
      transaction().replace("2026-11-01", "yesterday"),
      "transactions.0.transaction_date: A date such as 2026-11-20 is expected here.",
    ],
    [
      "transactions",
      transaction(',"status":"X"'),
      "transactions.0.status: This field is not documented and is never sent. Documented here: transaction_id, transaction_date, amount, type, reason, display_note, note, reference, payment_type, product_code, line_items, tax_items.",
    ],
    [
      "statements",
      statement("").replace('"number":"1",', ""),
      "statements.0.number: supplyline expects this field; the interface does not say whether it can be left out.",
    ],
    [
      "statements",
      statement(',"statement_path":"file:///etc/x.pdf"'),
      "statements.0.statement_path: The path is relative to the supplier's document root: no scheme and no drive.",
    ],
    [
      "payment-instructions",
      '{"vendor":"V","type":"CARD"}',
      "reference: supplyline expects this field; the interface does not say whether it can be left out.",
    ],
    [
      "payment-instructions",
      '{"vendor":"V","type":"CARD","reference":""}',
      "reference: This must not be empty.",
    ],
    ["supply-points", supplyPoint("{}"), "supply_point.identifier: This field is required."],
    [
      "supply-points",
      supplyPoint('{"identifier":".."}'),
      "supply_point.identifier: This must not be . or .., which would change the path.",
    ],
    [
      "supply-points",
      supplyPoint('{"identifier":"a\\u0007"}'),
      "supply_point.identifier: This must not contain control characters.",
    ],
    [
      "supply-points",
      supplyPoint('{"identifier":"a\\ud800"}'),
      "supply_point.identifier: This is not well-formed text.",
    ],
    [
      "supply-points",
      supplyPoint(
        '{"identifier":"a"}',
        ',"accounts":[{"account_type":"X","outage_contact":{"email":"a@b.org"}}]',
      ),
      "accounts.0.outage_contact.email: This field is not documented and is never sent. Did you mean email_address?",
    ],
    [
      "supply-points",
      `{"payload":${supplyPoint('{"identifier":"a"}')},"dry_run":true}`,
      "dry_run: This field is not documented and is never sent. Documented here: import_supplier, supply_point, accounts.",
    ],
  ])("%s %s", (kind, text, issue) => {
    expect(judge(kind, text).issues).toEqual([issue]);
  });

  test("a brand word in a request, which has none", () => {
    const [issue] = judge(
      "payment-instructions",
      '{"vendor":"V","reference":"R","type":"CARD","acme_account_number":"1"}',
    ).issues;
    expect(issue).toContain("acme_account_number: This field is not documented");
  });

  test("everything that is wrong at once, in the order of the text", () => {
    const text = '[{"body":5,\n"pinned":true},\n{"body":"a"},\n{"body":"a"}]';
    const said = validateJson(forms.notes, text, account);
    const lines = said.ok
      ? []
      : said.issues.map(({ line, column, path }) => [line, column, path.join(".")]);
    expect(lines).toEqual([
      [1, 10, "notes.0.body"],
      [2, 1, "notes.0.pinned"],
      [4, 1, "notes.3".replace("3", "2")],
    ]);
  });
});

describe("whom a file names", () => {
  const body =
    '{"import_supplier":"ACME","external_account_number":"EXT-1","notes":[{"body":"a"}]}';

  test("the command line's account fills in what the file leaves out", () => {
    expect(validateJson(forms.notes, '[{"body":"a"}]', account)).toMatchObject({
      ok: true,
      body: { import_supplier: "ACME", external_account_number: "EXT-1", notes: [{ body: "a" }] },
    });
    expect(validateJson(forms.notes, body, account).ok).toBe(true);
    expect(validateJson(forms.notes, body).ok).toBe(true);
    expect(validateJson(forms.notes, '[{"body":"a"}]').ok).toBe(false);
  });

  test.each([
    ["ACME", "Ext-1", "import_supplier", 20],
    ["EXT-1", "EXT-2", "external_account_number", 53],
  ])("another %s than the command line is refused at its place", (was, is, field, column) => {
    const said = validateJson(forms.notes, body.replace(was, is), account);
    expect(said).toMatchObject({ ok: false, issues: [{ path: [field], line: 1, column }] });
  });

  test("a supply point stands with or without its outer key", () => {
    const bare = supplyPoint('{"identifier":"a"}');
    for (const text of [bare, `{"payload":${bare}}`]) {
      expect(validateJson(forms["supply-points"], text)).toMatchObject({
        ok: true,
        body: { payload: { supply_point: { identifier: "a" } } },
      });
    }
  });
});

describe("typed into a form", () => {
  const form = forms.transactions;
  const typed = (fields: object) => {
    const row = { transaction_id: "T", transaction_date: "today", amount: "+1.10", type: "CHARGE" };
    const values = { import_supplier: "ACME", external_account_number: " EXT-1 " };
    return validateValues(form, { ...values, transactions: [{ ...row, ...fields }] }, typedAt);
  };

  test("dates become exact, a plus is dropped, blanks around identifiers too", () => {
    const said = typed({});
    expect(JSON.stringify(said.ok && said.body)).toBe(
      '{"import_supplier":"ACME","external_account_number":"EXT-1","transactions":[{"transaction_id":"T","transaction_date":"2026-11-20","amount":1.10,"type":"CHARGE"}]}',
    );
  });

  test.each([
    [{ amount: "1,5" }, "amount", /point before the decimals/],
    [{ amount: "" }, "amount", /^supplyline expects this field; the interface does not say/],
    [{ transaction_date: "30.02.2026" }, "transaction_date", /no such day/],
  ])("%o is reported once, at its field", (fields, field, message) => {
    const said = typed(fields);
    expect(said.ok ? [] : said.issues).toMatchObject([
      { path: ["transactions", 0, field], message: expect.stringMatching(message) },
    ]);
  });

  test("an empty entry keeps its number and is refused", () => {
    const said = typed({ line_items: [{ units: ["1", "", "x"] }] });
    const at = said.ok ? [] : said.issues.map(({ path }) => path.slice(2).join("."));
    expect(at).toEqual(["line_items.0.units.1", "line_items.0.units.2"]);
  });
});
