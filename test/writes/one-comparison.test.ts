/**
 * Promise: two texts are the same item for the duplicate guard exactly if a response that gives one
 * of them is an answer to a request with the other.
 */
import type { FormKind } from "../../src/forms/forms.ts";
import { kindOf, operationOf } from "../../src/writes/kinds/kinds.ts";
import { readResponse } from "../../src/writes/kinds/read-response.ts";
import { prepareWrite } from "../../src/writes/prepare.ts";
import * as fc from "../helpers/fast-check.ts";
import { account, request } from "./writing.ts";

/** The body of a request with a text that names its item, and a response that gives the text. */
const named: Readonly<
  Record<FormKind, { readonly body: (text: string) => object; answer: (text: string) => unknown }>
> = {
  notes: {
    body: (body) => ({ ...account, notes: [{ body }] }),
    answer: (body) => [{ status: "NOTE_CREATION_SUCCESS", body }],
  },
  transactions: {
    body: (transaction_id) => ({ ...account, transactions: [{ transaction_id }] }),
    answer: (transaction_id) => ({
      results: [{ status: "TRANSACTION_ADDED_TO_ACCOUNT", transaction_data: { transaction_id } }],
    }),
  },
  statements: {
    body: (statement_id) => ({ ...account, statements: [{ statement_id }] }),
    answer: (statement_id) => [{ statement_id }],
  },
  "payment-instructions": {
    body: (reference) => ({ ...account, vendor: "V", reference, type: "CARD" }),
    answer: (reference) => ({ a_account_number: "A-1", reference }),
  },
  "supply-points": {
    body: (identifier) => ({
      payload: { import_supplier: "ACME", supply_point: { identifier }, accounts: [] },
    }),
    answer: (supply_point_identifier) => ({ supply_point_identifier }),
  },
};

const characters = fc.constantFrom("R", "r", "1", " ", "\t", "\r", "\n", "\r\n", "é", "e\u0301");
const names = fc
  .array(characters, { minLength: 1, maxLength: 6 })
  .map((units) => units.join(""))
  .filter((name) => name.trim() !== "");
const respelled: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => ` ${text}\t`,
  (text) => text.normalize("NFD"),
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => text.replaceAll("\n", " \n"),
  (text) => `${text}\r\n`,
];
/** Two texts, of which the second is often another spelling of the first. */
const pairs = fc
  .tuple(names, names, fc.constantFrom(...respelled), fc.boolean())
  .map(([one, other, spell, isOther]) => [one, isOther ? other : spell(one)] as const);

describe.each(Object.entries(named))("the comparison of %s", (form, { body, answer }) => {
  const operation = operationOf(form as FormKind);

  test("is the same for the guard and for responses", () => {
    fc.assert(
      fc.property(pairs, ([one, other]) => {
        const sent = prepareWrite(request(operation, body(one)));
        const later = prepareWrite(request(operation, body(other)));
        const text = JSON.stringify(answer(other));
        const proof = readResponse(kindOf(operation), sent.facts, 201, text);
        const isSameItem = sent.keys[0]?.content === later.keys[0]?.content;
        expect(proof.kind === "nothing").toBe(!isSameItem);
      }),
      { examples: respelled.map((spell) => [["Ré\n1", spell("Ré\n1")] as const]) as never },
    );
  });
});

test("the spelling of an account does not change the key of its item", () => {
  const keyFor = (accountNumber: string) =>
    prepareWrite(
      request("payment-instructions create", {
        ...named["payment-instructions"].body("R-1"),
        external_account_number: accountNumber,
      }),
    ).keys[0];
  expect(keyFor(" EXT-e\u0301 ")).toEqual({
    ...keyFor("EXT-é"),
    earlierContent: expect.any(String),
  });
  expect(keyFor("EXT-É")?.content).not.toBe(keyFor("EXT-é")?.content);
});

describe("a note is the same", () => {
  const keyOf = (note: object) =>
    prepareWrite(request("notes create", { ...account, notes: [note] })).keys[0]?.content;
  const documents = [{ document_path: "a/one.pdf" }];

  test.each([
    ["pinned", { is_pinned: true }],
    ["with an unpin time", { unpin_at: "2026-01-01T00:00:00Z" }],
  ])("if it is %s", (_how, more) => {
    expect(keyOf({ body: "B", document_paths: documents, ...more })).toBe(
      keyOf({ body: "B", document_paths: documents }),
    );
  });

  test.each([
    ["documents", { document_paths: [{ document_path: "b/two.pdf" }] }],
    ["body", { body: "C" }],
    ["created_at", { created_at: "2026-01-01T00:00:00Z" }],
  ])("but not with another %s", (_field, other) => {
    const note = { body: "B", document_paths: documents };
    expect(keyOf({ ...note, ...other })).not.toBe(keyOf(note));
  });
});
