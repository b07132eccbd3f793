/** An answer proves something only about the item that it names, whatever its status. */
import type { WriteRequest } from "../../src/writes/prepare.ts";
import { type DetailFacts, detailOf } from "../../src/writes/words/detail.ts";
import { classified } from "./classifying.ts";
import {
  account,
  instruction,
  notes,
  request,
  statement,
  supplyPoint,
  transaction,
  transactions,
} from "./writing.ts";

const mine = instruction("GOODPAY", "REF-MINE");
const charge = transactions(["T-1"]);
const numbered = transactions(["999"]);
const importError = (data: unknown, more: object = {}) => ({
  status: "TRANSACTION_IMPORT_ERROR",
  error_detail: "Not within the open statement period.",
  transaction_data: data,
  ...more,
});
const duplicate = (identifier: unknown) => ({
  non_field_errors: {
    detail: "Already imported.",
    code: "supply_point_import_process_already_imported",
  },
  supply_point_identifier: identifier,
});
const added = (data: unknown, status = "TRANSACTION_ADDED_TO_ACCOUNT", more: object = {}) => ({
  results: [{ status, transaction_data: data }],
  ...more,
});
const paid = (more: object = {}) => ({
  service_account_number: "A-1",
  reference: "REF-MINE",
  ...more,
});
const noted = [{ body: "mine", status: "NOTE_CREATION_SUCCESS" }];

/** The situation and the reason of an answer that proves nothing, or the outcome of one that does. */
function outcome(write: WriteRequest, httpStatus: number, body: unknown) {
  const { known, verdict, attempt, renewsConnections } = classified(write, httpStatus, body);
  return {
    state: verdict.state,
    doubt: verdict.doubt,
    detail: attempt.detail,
    renewed: renewsConnections,
    blocked: verdict.block,
    kind: known.error?.kind,
  };
}

describe("a refusal that names another item refuses nothing", () => {
  test.each<[string, WriteRequest, unknown, string]>([
    [
      "transaction",
      charge,
      importError({ transaction_id: "T-B" }),
      "The response names transaction T-B, not T-1.",
    ],
    [
      "transaction beside the error",
      charge,
      { code: "account_failed_validation", transaction_id: "T-B" },
      "The response names transaction T-B, not T-1.",
    ],
    [
      "transaction of several",
      transactions(["T-1", "T-2"]),
      importError({ transaction_id: "T-B" }),
      "The response names transaction T-B, not T-1.",
    ],
    [
      "amount",
      charge,
      importError({ transaction_id: "T-1", amount: "99.00" }),
      "The response gives the amount 99.00 for transaction T-1, not 12.5.",
    ],
    [
      "type",
      charge,
      importError({ transaction_id: "T-1", type: "CREDIT" }),
      "The response gives the type CREDIT for transaction T-1, not CHARGE.",
    ],
    [
      "statement",
      statement(),
      { statements: [{ statement_id: "ST-9" }] },
      "The response names statement ST-9, not ST-1.",
    ],
    [
      "payment",
      mine,
      { code: "account_failed_validation", reference: "REF-B" },
      "The response names payment instruction REF-B, not REF-MINE.",
    ],
    ["note", notes("mine"), [{ body: "another" }], "The response names note another, not mine."],
    [
      "supply point",
      supplyPoint("SP-1"),
      duplicate("SP-2"),
      "The response names supply point SP-2, not SP-1.",
    ],
    [
      "account",
      mine,
      { detail: "No.", external_account_number: "EXT-9" },
      "The response names account EXT-9, not EXT-0000001.",
    ],
    [
      "import supplier",
      notes("mine"),
      { detail: "No.", import_supplier: "OTHER" },
      "The response names import supplier OTHER, not ACME.",
    ],
  ])("another %s, at every status", (_what, write, body, detail) => {
    for (const status of [400, 401, 403, 404, 409, 422, 429, 500]) {
      expect(outcome(write, status, body), String(status)).toEqual({
        state: "unknown",
        doubt: "unknown",
        detail,
        renewed: true,
        blocked: false,
        kind: "other-item",
      });
    }
  });

  test.each<[string, WriteRequest, unknown]>([
    ["the same transaction", charge, importError({ transaction_id: "T-1", amount: "12.50" })],
    ["the transaction as a number", numbered, importError({ transaction_id: 999 })],
    ["the same supply point", supplyPoint("SP-1"), duplicate("SP-1")],
    ["messages for the fields", mine, { reference: ["Not found."], type: "validation_error" }],
    ["a problem document", charge, { type: "about:blank", title: "Bad Request", status: 400 }],
  ])("%s counts as the same item", (_what, write, body) => {
    expect(outcome(write, 400, body)).toMatchObject({ state: "rejected", doubt: "none" });
  });
});

describe("a success confirms only what was sent", () => {
  test.each<[string, WriteRequest, unknown, string]>([
    [
      "a payment on another account",
      mine,
      paid({ external_account_number: "EXT-9" }),
      "The response names account EXT-9, not EXT-0000001.",
    ],
    [
      "a payment without a service account",
      mine,
      paid({ service_account_number: "" }),
      "The response has an empty service_account_number.",
    ],
    [
      "a blank account number",
      mine,
      paid({ service_account_number: " " }),
      "The response has an empty service_account_number.",
    ],
    [
      "another amount beside the submitted transaction",
      charge,
      {
        results: [
          { ...added({}).results[0], amount: "99.00", transaction_data: transaction("T-1") },
        ],
      },
      "The response gives the amount 99.00 for transaction T-1, not 12.5.",
    ],
    [
      "a transaction whose ID is another number",
      charge,
      added({ transaction_id: 999 }),
      "The response names transaction 999, not T-1.",
    ],
    [
      "another type",
      charge,
      added({ transaction_id: "T-1", type: "CREDIT" }),
      "The response gives the type CREDIT for transaction T-1, not CHARGE.",
    ],
    [
      "an error inside an added transaction",
      charge,
      added({ transaction_id: "T-1", status: "TRANSACTION_IMPORT_ERROR" }),
      "The response contradicts itself: a success has the status TRANSACTION_IMPORT_ERROR.",
    ],
    [
      "an error around added transactions",
      charge,
      added({}, undefined, { status: "TRANSACTION_IMPORT_ERROR" }),
      "The response contradicts itself: a success has the status TRANSACTION_IMPORT_ERROR.",
    ],
    [
      "errors beside results",
      charge,
      added({}, undefined, { errors: [{ code: "x" }] }),
      "The response contradicts itself: a success has the field errors.",
    ],
    [
      "errors beside a payment",
      mine,
      paid({ errors: { reference: ["No."] } }),
      "The response contradicts itself: a success has the field errors.",
    ],
    [
      "a statement on another account",
      statement(),
      [{ statement_id: "ST-1", external_account_number: "EXT-9" }],
      "The response names account EXT-9, not EXT-0000001.",
    ],
    [
      "a field that is repeated",
      mine,
      '{"service_account_number":"A-1","reference":"REF-B","reference":"REF-MINE"}',
      "The response has the field reference twice.",
    ],
    [
      "a field that is repeated in a result",
      charge,
      '{"results":[{"status":"TRANSACTION_IMPORT_ERROR","status":"TRANSACTION_ADDED_TO_ACCOUNT"}]}',
      "The response has the field results.0.status twice.",
    ],
  ])("%s", (_what, write, body, detail) => {
    for (const status of [200, 201]) {
      expect(outcome(write, status, body)).toMatchObject({
        state: "unknown",
        doubt: "unknown",
        detail,
        renewed: true,
        blocked: false,
      });
    }
  });

  test.each<[string, WriteRequest, unknown]>([
    ["an object for the text of a note", notes("mine"), [{ ...noted[0], body: {} }]],
    ["note results inside an object", notes("mine"), { notes: noted }],
    ["a list for a transaction", charge, added(["T-1"])],
    ["an object for an amount", charge, added({ transaction_id: "T-1", amount: {} })],
    ["a list for the ID of a statement", statement(), [{ statement_id: [] }]],
    ["a number for a statement", statement(), [7]],
    ["a list for a reference", mine, paid({ reference: [] })],
    ["an object for a service account", mine, paid({ service_account_number: {} })],
  ])("%s confirms nothing", (_what, write, body) => {
    expect(outcome(write, 201, body)).toMatchObject({ state: "unknown", kind: "unreadable" });
  });

  test("a payment needs the number of its account at the service", () => {
    const only = { external_account_number: "EXT-0000001", reference: "REF-MINE" };
    expect(outcome(mine, 201, only).state).toBe("unknown");
  });

  test.each<[string, WriteRequest, unknown]>([
    ["identifiers as numbers", numbered, added({ transaction_id: 999, amount: 12.5 })],
    ["a service account as a number", mine, paid({ service_account_number: 123 })],
    ["the documented inner status", charge, added({ status: "TRANSACTION_IMPORT_SUCCESS" })],
    ["fields that are not documented", mine, paid({ errors: [], warnings: ["x"], type: "DEBIT" })],
    ["the account that was sent to", mine, paid(account)],
    [
      "results beside an echo",
      charge,
      added({}, undefined, { transactions: [{ type: "CHARGE" }] }),
    ],
    ["empty error fields", charge, added({}, undefined, { errors: null, error_detail: "" })],
  ])("%s confirm", (_what, write, body) => {
    expect(outcome(write, 201, body)).toMatchObject({ state: "confirmed", doubt: "none" });
  });
});

describe("a refusal that contradicts itself refuses nothing", () => {
  test.each<[string, WriteRequest, unknown, string]>([
    [
      "an added transaction in a refusal",
      charge,
      added({ transaction_id: "T-1" }),
      "The response contradicts itself: a refusal has the status TRANSACTION_ADDED_TO_ACCOUNT.",
    ],
    [
      "an imported transaction in an import error",
      charge,
      importError({ transaction_id: "T-1", status: "TRANSACTION_IMPORT_SUCCESS" }),
      "The response contradicts itself: a refusal has the status TRANSACTION_IMPORT_SUCCESS.",
    ],
    [
      "an added note in a refusal",
      notes("mine"),
      noted,
      "The response contradicts itself: a refusal has the status NOTE_CREATION_SUCCESS.",
    ],
    [
      "a field that is repeated",
      supplyPoint("SP-1"),
      '{"supply_point_identifier":"SP-2","supply_point_identifier":"SP-1"}',
      "The response has the field supply_point_identifier twice.",
    ],
  ])("%s", (_what, write, body, detail) => {
    expect(outcome(write, 400, body)).toMatchObject({ state: "unknown", detail, renewed: true });
  });
});

/** The body of a success of each kind that has one. */
const successes: readonly (readonly [string, WriteRequest, object])[] = [
  ["a payment", mine, paid()],
  ["a statement", statement(), { statements: [{ statement_id: "ST-1" }] }],
  ["a transaction", charge, added({ transaction_id: "T-1" })],
];

describe("a success beside an error proves nothing", () => {
  const errors: readonly (readonly [string, unknown])[] = [
    ["detail", "The vendor refused it."],
    ["code", "vendor_refused"],
    ["code", 7],
    ["error", "vendor said no"],
    ["error", true],
    ["error", { message: "no" }],
    ["errors", ["no"]],
    ["errors", { reference: ["no"] }],
    ["messages", ["no"]],
    ["error_code", "E7"],
    ["error_message", "no"],
    ["error_description", "no"],
    ["errorCode", "E7"],
    ["vendor_error", "no"],
    ["latest_error", { code: "x" }],
    ["non_field_errors", { detail: "no", code: "x" }],
    ["exception", "java.lang.Exception"],
  ];
  describe.each(successes)("%s", (_what, write, success) => {
    test.each(errors)("%s: %j", (field, value) => {
      for (const status of [200, 201])
        expect(outcome(write, status, { ...success, [field]: value })).toEqual({
          state: "unknown",
          doubt: "unknown",
          detail: `The response contradicts itself: a success has the field ${field}.`,
          renewed: true,
          blocked: false,
          kind: "unreadable",
        });
    });

    test.each(errors)("%s without content reports no error", (field) => {
      for (const empty of [null, "", false, 0, [], {}, { notes: [] }])
        expect(outcome(write, 201, { ...success, [field]: empty }).state).toBe("confirmed");
    });
  });

  test.each([
    ...["DECLINED", "denied", "REFUSED", "INVALID", "CANCELLED", "canceled", "FAILED", "Rejected"],
    ...[400, "400", 422, 503],
  ])("with the status %j", (status) => {
    for (const [, write, success] of successes)
      expect(outcome(write, 201, { ...success, status })).toMatchObject({
        state: "unknown",
        detail: `The response contradicts itself: a success has the status ${status}.`,
        kind: "unreadable",
      });
  });

  test.each(["success", "ok", "accepted"])("that says no in the field %s", (field) => {
    for (const [, write, success] of successes) {
      expect(outcome(write, 201, { ...success, [field]: false })).toMatchObject({
        state: "unknown",
        detail: `The response contradicts itself: a success has the field ${field}, which is false.`,
        kind: "unreadable",
      });
      expect(outcome(write, 201, { ...success, [field]: true }).state).toBe("confirmed");
    }
  });

  test("is not one with a message for people, a status of its own, or a number that is no error", () => {
    for (const more of [{ message: "declined" }, { status: "ACTIVE" }, { status: 201 }])
      expect(outcome(mine, 201, paid(more)).state).toBe("confirmed");
  });

  test("also inside a result", () => {
    expect(outcome(charge, 201, added({ transaction_id: "T-1", error: "no" })).state).toBe(
      "unknown",
    );
    expect(outcome(notes("mine"), 201, [{ ...noted[0], detail: "no" }]).state).toBe("unknown");
  });
});

describe("a refusal with exactly the body of a success", () => {
  const bodies = [
    ...successes,
    ["statements in a list", statement(), [{ statement_id: "ST-1" }]] as const,
    ["a note", notes("mine"), noted] as const,
  ];
  test.each(bodies)("refuses nothing: %s", (_what, write, success) => {
    for (const status of [400, 403, 404, 409, 422, 500])
      expect(outcome(write, status, success)).toMatchObject({
        state: "unknown",
        renewed: true,
        blocked: false,
        kind: "unreadable",
      });
  });

  test.each<[string, WriteRequest, unknown]>([
    ["an error beside the success of a payment", mine, paid({ detail: "No.", code: "refused" })],
    ["messages for a field of a statement", statement(), { statements: [{ number: ["No."] }] }],
    ["messages for its ID", statement(), { statements: [{ statement_id: ["No."] }] }],
    ["an empty list", statement(), []],
    ["an empty object", statement(), { statements: [{}] }],
    ["an empty body", supplyPoint(), ""],
  ])("is not one with %s", (_what, write, body) => {
    expect(outcome(write, 400, body)).toMatchObject({ state: "rejected", doubt: "none" });
  });
});

describe("a success that is not whole says what is wrong with it", () => {
  const incomplete = "The response does not include every item that was sent.";
  test.each([
    ["<html>Sign in</html>", "The response is not JSON."],
    ['{"service_account_number":"A-1","reference":"REF-MINE"} ok', "The response is not JSON."],
    ["\u0000\u0000", "The response is not JSON."],
    ["", incomplete],
    ["{}", incomplete],
  ])("%j", (body, detail) => {
    expect(outcome(mine, 201, body)).toMatchObject({ state: "unknown", detail });
  });
});

test("of several transactions one can be named in place of the others by its amount alone", () => {
  const two = request("transactions create", {
    ...account,
    transactions: [transaction("T-1", { amount: 1 }), transaction("T-2", { amount: 2 })],
  });
  expect(outcome(two, 400, importError({ amount: "3.00" })).kind).toBe("other-item");
  expect(outcome(two, 400, importError({ amount: "2.00" })).kind).toBe("rejected");
});

test("a confirmed entry has the message for people that stands beside its success", () => {
  const facts: Omit<DetailFacts, "response"> = {
    ...{ outcome: "confirmed", operation: "payment-instructions create", position: 0 },
    ...{ itemOutcome: "created", reason: "answered", doubt: "none", httpStatus: 201, note: null },
  };
  const wordsFor = (response: unknown) =>
    detailOf({ ...facts, response: JSON.stringify(response) }).words;
  expect(wordsFor(paid({ message: "declined by the vendor" }))).toBe(
    "The service says: declined by the vendor",
  );
  for (const more of [{}, { message: "" }, { message: null }, { note: "message" }])
    expect(wordsFor(paid(more))).toBeNull();
});
