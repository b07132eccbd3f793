/** Any write with any answer: one changed name, and it proves nothing at any status. */
import type { WriteRequest } from "../../src/writes/prepare.ts";
import * as fc from "../helpers/fast-check.ts";
import { classified } from "./classifying.ts";
import { request } from "./writing.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A write, the answers that are right for it, and every field of them that is compared. */
interface Sample {
  readonly write: WriteRequest;
  readonly success: unknown;
  readonly refusal: unknown;
  /** Each with the path of a field in the answer and a value that was not sent. */
  readonly changes: readonly {
    readonly of: "success" | "refusal";
    readonly path: readonly (string | number)[];
    readonly value: unknown;
  }[];
}

const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 _.-]{0,10}[A-Za-z0-9]$/);
const account = fc.record({ import_supplier: name, external_account_number: name });
const cents = fc.integer({ min: -99_999_999, max: 99_999_999 }).map((units) => units / 100);
const validation = { code: "account_failed_validation", detail: "No.", errors: [] };

/** A name that is not among those that were sent; a number stands for a name as well. */
const strange = fc.oneof(
  name.map((text) => `${text}~`),
  fc.integer({ min: 10 ** 12, max: 10 ** 13 }),
);

const changesOf = (
  of: "success" | "refusal",
  path: readonly (string | number)[],
  values: Fields,
): Sample["changes"] =>
  Object.entries(values).map(([field, value]) => ({ of, path: [...path, field], value }));

const others = fc.record({ import_supplier: strange, external_account_number: strange });

const notes = fc
  .record({
    account,
    others,
    bodies: fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
    other: strange,
    at: fc.nat(),
  })
  .map(({ account, others, bodies, other, at }): Sample => {
    const place = at % bodies.length;
    return {
      write: request("notes create", { ...account, notes: bodies.map((body) => ({ body })) }),
      success: bodies.map((body) => ({ body, status: "NOTE_CREATION_SUCCESS" })),
      refusal: { ...account, ...validation, notes: bodies.map((body) => ({ body })) },
      changes: [
        ...changesOf("success", [place], { body: other, ...others }),
        ...changesOf("refusal", ["notes", place], { body: other }),
        ...changesOf("refusal", [], others),
      ],
    };
  });

const transactions = fc
  .record({
    account,
    others,
    sent: fc.uniqueArray(
      fc.record({
        transaction_id: name,
        amount: cents,
        type: fc.constantFrom("CHARGE", "CREDIT", "PAYMENT"),
      }),
      { minLength: 1, maxLength: 4, selector: (one) => one.transaction_id },
    ),
    other: strange,
    more: fc.integer({ min: 1, max: 1000 }),
    at: fc.nat(),
    reversed: fc.boolean(),
  })
  .map(({ account, others, sent, other, more, at, reversed }): Sample => {
    const results = sent.map(({ amount, ...one }) => ({
      status: "TRANSACTION_ADDED_TO_ACCOUNT",
      transaction_data: { ...one, amount: amount.toFixed(2), status: "TRANSACTION_IMPORT_SUCCESS" },
    }));
    if (reversed) results.reverse();
    const place = at % sent.length;
    const changed = (amount: number) => ({
      transaction_id: other,
      amount: (amount + more).toFixed(2),
      type: "REPAYMENT",
    });
    const [first] = sent;
    if (first === undefined) throw new Error("one at least");
    const named = Number(results[place]?.transaction_data.amount);
    return {
      write: request("transactions create", { ...account, transactions: sent }),
      success: { ...account, results },
      refusal: {
        ...account,
        status: "TRANSACTION_IMPORT_ERROR",
        error_detail: "Not within the open statement period.",
        transaction_data: first,
      },
      changes: [
        ...changesOf("success", ["results", place, "transaction_data"], {
          ...changed(named),
          status: "TRANSACTION_IMPORT_ERROR",
        }),
        ...changesOf("success", [], { ...others, errors: [{ code: "x" }] }),
        ...changesOf("refusal", ["transaction_data"], {
          ...changed(first.amount),
          status: "TRANSACTION_IMPORT_SUCCESS",
        }),
        ...changesOf("refusal", [], others),
      ],
    };
  });

const statements = fc
  .record({
    account,
    others,
    ids: fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
    other: strange,
    at: fc.nat(),
  })
  .map(({ account, others, ids, other, at }): Sample => {
    const list = ids.map((statement_id) => ({ statement_id }));
    const place = at % ids.length;
    return {
      write: request("statements create", { ...account, statements: list }),
      success: { ...account, statements: list },
      refusal: { ...account, ...validation, statements: list },
      changes: (["success", "refusal"] as const).flatMap((of) => [
        ...changesOf(of, ["statements", place], { statement_id: other, ...others }),
        ...changesOf(of, [], others),
      ]),
    };
  });

const payments = fc
  .record({ account, others, reference: name, other: strange })
  .map(({ account, others, reference, other }): Sample => {
    const changed = { reference: other, ...others };
    return {
      write: request("payment-instructions create", {
        ...account,
        vendor: "GOODPAY",
        reference,
        type: "CARD",
      }),
      success: { ...account, service_account_number: "A-1", reference },
      refusal: { ...account, ...validation, reference },
      changes: [...changesOf("success", [], changed), ...changesOf("refusal", [], changed)],
    };
  });

const supplyPoints = fc.record({ import_supplier: name, identifier: name, other: strange }).map(
  ({ import_supplier, identifier, other }): Sample => ({
    write: request("supply-points create", {
      payload: { import_supplier, supply_point: { identifier }, accounts: [] },
    }),
    success: "",
    refusal: {
      non_field_errors: { detail: "Exists.", code: "exists" },
      supply_point_identifier: identifier,
    },
    changes: changesOf("refusal", [], {
      supply_point_identifier: other,
      import_supplier: other,
    }),
  }),
);

/** The answer with one field set. */
function withChange(answer: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const inner = (answer as Record<string | number, unknown>)[step];
  const changed = withChange(inner, rest, value);
  if (!Array.isArray(answer)) return { ...(answer as Fields), [step]: changed };
  return answer.map((one, at) => (at === step ? changed : one));
}

const kinds: readonly [string, fc.Arbitrary<Sample>, readonly number[]][] = [
  ["notes", notes, [200, 201]],
  ["transactions", transactions, [200, 201]],
  ["statements", statements, [200, 201]],
  ["payment instructions", payments, [200, 201]],
  ["supply points", supplyPoints, [201]],
];
const statuses = [200, 201, 400, 404, 409, 422];

describe.each(kinds)("%s", (_kind, samples, successes) => {
  test("an answer with one changed field neither confirms nor refuses, whatever its status", () => {
    fc.assert(
      fc.property(samples, (sample) => {
        for (const { of, path, value } of sample.changes) {
          const body = withChange(sample[of], path, value);
          for (const status of statuses) {
            const { verdict, renewsConnections } = classified(sample.write, status, body);
            expect(verdict, `${of} ${path.join(".")} ${status}`).toMatchObject({
              state: "unknown",
              doubt: "unknown",
              block: false,
            });
            expect(renewsConnections).toBe(true);
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  test("the right answers confirm and refuse", () => {
    fc.assert(
      fc.property(samples, ({ write, success, refusal }) => {
        for (const status of successes) {
          const { verdict, known } = classified(write, status, success);
          expect(verdict).toMatchObject({ state: "confirmed", doubt: "none" });
          expect(known.items).toHaveLength(known.write.facts.items.length);
        }
        for (const status of [400, 404, 422]) {
          const { state, doubt } = classified(write, status, refusal).verdict;
          expect({ state, doubt }).toEqual({ state: "rejected", doubt: "none" });
        }
      }),
      { numRuns: 20 },
    );
  });
});
