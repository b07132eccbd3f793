import { supplyPointPayload } from "../../faults/supply-point-payload.ts";
import { forms } from "../../src/forms/forms.ts";
import { fixedFields, formStateOf } from "../../src/session/draft.ts";
import { draftOf } from "../../src/session/edit-as-new.ts";
import type { ActivityDetail } from "../../src/writes/activity-detail.ts";

const detail: ActivityDetail = {
  journal_id: 12,
  created_at: "2026-11-22T09:00:00.000Z",
  profile: "test",
  operation: "transactions create",
  import_supplier: "ACME",
  external_account_number: "EXT-1",
  outcome: "rejected",
  http_status: 400,
  code: null,
  run: null,
  base_url: "http://127.0.0.1",
  path: "/",
  query: { check_previously_added: "false" },
  sha256: "",
  body: null,
  reason: "answered",
  doubt: "none",
  ended_at: null,
  parent: null,
  attempts: [],
  items: [],
  remarks: [],
};

const body = (transaction: string) =>
  `{"import_supplier":"ACME","external_account_number":"EXT-1","transactions":[${transaction}]}`;

test("a draft holds an entry's payload digit for digit, with its query and its entry", () => {
  const filled = draftOf(detail, body('{"transaction_id":"T-1","amount":12.50}'));
  expect(filled).toMatchObject({
    kind: "transactions",
    supplier: "ACME",
    account: "EXT-1",
    query: { check_previously_added: false },
    fromEntry: 12,
    value: { values: { transactions: [{ transaction_id: "T-1", amount: "12.50" }] } },
  });
  expect(filled).not.toHaveProperty("edited");
});

test("what the form cannot hold waits beside the draft, so that nothing is left out unseen", () => {
  const odd = body('{"transaction_id":"T-1","amount":12.50,"of_another_version":{"a":1}}');
  expect(draftOf(detail, odd)).toMatchObject({ edited: odd });
  expect(draftOf(detail, "not JSON")).toMatchObject({ edited: "not JSON" });
});

test("a supply point comes out of its outer payload", () => {
  const { external_account_number: _, ...rest } = detail;
  const point = { ...rest, operation: "supply-points create", external_identifier: "SP-1" };
  const payload = supplyPointPayload("SP-1", "ACME");
  const filled = draftOf(point, JSON.stringify({ payload }));
  expect(filled).toMatchObject({
    kind: "supply-points",
    account: null,
    value: { values: { supply_point: { identifier: "SP-1" } } },
  });
  expect(filled).not.toHaveProperty("edited");
});

test("without a body there is no draft, and it says why", () => {
  expect(draftOf(detail, null)).toBe("The body of entry 12 has been purged from the journal.");
});

test.each([
  ["rejected", 404, [["external_account_number"]]],
  ["rejected", 400, []],
  ["unknown", 404, []],
] as const)("an entry that is %s with %d begins at %j", (outcome, status, places) => {
  const draft = draftOf({ ...detail, outcome, http_status: status }, body("{}"));
  if (typeof draft === "string") throw new Error(draft);
  expect(draft.refusals.map(({ path }) => path)).toEqual(places);
});

test("the supplier and the account of a form that is filled from an entry can be edited", () => {
  const content = draftOf(detail, body('{"transaction_id":"T-1","amount":1}'));
  if (typeof content === "string") throw new Error(content);
  const draft = { ...content, id: "d", profile: "test", service: null, updatedAt: 0 };
  const form = forms.transactions;
  expect(fixedFields(form, draft)).toEqual({});
  const { fromEntry: _, ...empty } = draft;
  expect(Object.keys(fixedFields(form, empty))).toEqual([
    "import_supplier",
    "external_account_number",
  ]);
  const { values } = formStateOf(form, draft);
  const typed = {
    ...draft,
    value: { ...draft.value, values: { ...values, import_supplier: "NORTH" } },
  };
  expect(formStateOf(form, typed).values).toMatchObject({
    import_supplier: "NORTH",
    external_account_number: "EXT-1",
  });
});
