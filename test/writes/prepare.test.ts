import { prepareWrite } from "../../src/writes/prepare.ts";

function transactions(rows: readonly object[], query: Record<string, string> = {}) {
  const body = { import_supplier: "ACME", external_account_number: "EXT-1", transactions: rows };
  return prepareWrite({
    operation: "transactions create",
    query,
    body: new TextEncoder().encode(JSON.stringify(body)),
  });
}

test.each<[string, readonly object[], Record<string, string>, boolean]>([
  ["each with an ID", [{ transaction_id: "T-1" }, { transaction_id: "T-2" }], {}, true],
  ["one without an ID", [{ transaction_id: "T-1" }, { amount: 1 }], {}, false],
  ["one with an empty ID", [{ transaction_id: "" }], {}, false],
  [
    "sent without the check",
    [{ transaction_id: "T-1" }],
    { check_previously_added: "false" },
    false,
  ],
])("transactions %s: whether the service recognizes a resend", (_, rows, query, deduplicated) => {
  expect(transactions(rows, query).deduplicated).toBe(deduplicated);
});

test("two equal notes are refused by their numbers from 1", () => {
  const body = {
    import_supplier: "ACME",
    external_account_number: "EXT-1",
    notes: [{ body: "a" }, { body: "b" }, { body: "a" }],
  };
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  expect(() => prepareWrite({ operation: "notes create", body: bytes })).toThrow(
    "Note 3: The same note as Note 1: the service keeps one of them.",
  );
});

test.each([
  ["amount", '{"statement_id":"S","gross_amount":10}', '{"gross_amount":10.00,"statement_id":"S"}'],
  ["amount of a part", '{"parts":[{"a":1.5}]}', '{"parts":[{"a":1.50}]}'],
])("two equal statements are refused, however the %s is written", (_what, one, other) => {
  const text = `{"import_supplier":"ACME","external_account_number":"EXT-1","statements":[${one},{},${other}]}`;
  const body = new TextEncoder().encode(text);
  expect(() => prepareWrite({ operation: "statements create", body })).toThrow(
    "Statement 3: The same statement as Statement 1: each can appear once.",
  );
});
