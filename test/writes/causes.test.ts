import { commonWords } from "../../src/writes/cause-text.ts";
import { causeCounter, causeKey, type Failure } from "../../src/writes/causes.ts";
import * as fc from "../helpers/fast-check.ts";
import { mixes } from "../text/hostile.ts";

function failure(over: Partial<Failure> = {}): Failure {
  return {
    operation: "notes create",
    outcome: "rejected",
    httpStatus: 400,
    code: null,
    errorCodes: [],
    message: null,
    ownValues: () => [],
    sample: 1,
    ...over,
  };
}

function groupCauses(failures: Iterable<Failure>) {
  const counter = causeCounter();
  for (const failure of failures) counter.add(failure);
  return counter.causes();
}

const keyOf = (over: Partial<Failure>) => causeKey(failure(over));

test("failures with the same code are one cause even if their texts differ", () => {
  const causes = groupCauses([
    failure({ code: "body_too_long", message: "This is too long.", sample: 2 }),
    failure({ code: "body_too_long", message: "Der Text passt nicht", sample: 3 }),
  ]);
  expect(causes).toEqual([
    {
      key: "notes-create:400:body_too_long",
      operation: "notes create",
      httpStatus: 400,
      code: "body_too_long",
      errorCodes: [],
      count: 2,
      retryable: 0,
      inDoubt: 0,
      message: "This is too long.",
      sample: [2, 3],
    },
  ]);
});

test.each<[string, Partial<Failure>]>([
  ["code", { code: "b" }],
  ["status", { httpStatus: 409 }],
  ["operation", { operation: "transactions create" }],
  ["errors", { errorCodes: ["required"] }],
])("one text is two causes when the %s differs", (_, over) => {
  const one = { code: "a", message: "It failed." };
  expect(keyOf({ ...one, ...over })).not.toBe(keyOf(one));
});

test("failures with a general code differ by the codes of their errors, in any order", () => {
  const code = "account_failed_validation";
  const phone = keyOf({ code, errorCodes: ["invalid_phone_number"] });
  expect(phone).toBe("notes-create:400:account_failed_validation+invalid_phone_number");
  expect(keyOf({ code, errorCodes: ["b", "a", "b"] })).toBe(
    keyOf({ code, errorCodes: ["a", "b"] }),
  );
});

test("a refused transaction has no code of its own, so its words count", () => {
  const refused = (message: string) =>
    keyOf({ operation: "transactions create", code: "TRANSACTION_IMPORT_ERROR", message });
  const outside = refused("2026-11-20 is not within the open statement period.");
  expect(refused("2025-01-02 is not within the open statement period.")).toBe(outside);
  expect(refused("The account is closed.")).not.toBe(outside);
});

test("the largest cause is first, equal ones in the order of their first failure", () => {
  const rows = ["b", "c", "a", "c", "b", "c"].map((code, at) => failure({ code, sample: at }));
  expect(groupCauses(rows).map(({ code, count }) => [code, count])).toEqual([
    ["c", 3],
    ["b", 2],
    ["a", 1],
  ]);
  const equal = ["z", "y", "x"].map((code) => failure({ code }));
  expect(groupCauses(equal).map(({ code }) => code)).toEqual(["z", "y", "x"]);
});

test("a cause counts what can be sent again and what might have taken effect, and has five samples", () => {
  const outcomes = [
    "unknown",
    "retryable",
    "rejected",
    "unknown",
    "retryable",
    "retryable",
  ] as const;
  const [cause] = groupCauses(
    outcomes.map((outcome, at) => failure({ code: "x", outcome, sample: at })),
  );
  expect(cause).toMatchObject({ count: 6, retryable: 3, inDoubt: 2, sample: [0, 1, 2, 3, 4] });
});

describe("the words that failures share", () => {
  test.each<[string, string, string, readonly string[]]>([
    ["numbers", "Row 17 has 3 errors", "Row … has … errors", []],
    ["dates and times", "Not before 2026-11-22T09:14:02Z, please", "Not before … please", []],
    [
      "a date in words",
      "Closed since Monday, November 22, 2026 at noon",
      "Closed since … at noon",
      [],
    ],
    ["account numbers", "No account EXT-0000007 at ACME", "No account … at …", ["ACME"]],
    ["quoted parts", 'The vendor "GOOD PAY" is not known', "The vendor … is not known", []],
    ["quotes of other kinds", "Bad ‘x y’, «z» and `w`", "Bad … and …", []],
    ["the row's own values", "Product GAS-A is not sold", "Product … is not sold", ["GAS-A"]],
    ["a value inside another word", "The catalog is closed", "The catalog is closed", ["cat"]],
    ["an apostrophe", "It doesn't exist, and it can't", "It doesn't exist, and it can't", []],
    ["a quotation without an end", 'The 12" tube', "The … tube", []],
    ["may, which is a word", "It may not change", "It may not change", []],
    ["paths of fields", "customers.0.landline: is wrong", "customers.….landline: is wrong", []],
    ["control characters", "It\u001b[31m failed\u0000 twice", "It … failed twice", []],
    ["lists of any length", "Lines 1, 2, 3 and 4", "Lines … and …", []],
  ])("%s", (_, message, words, values) => {
    expect(commonWords(message, values)).toBe(words);
  });

  test("rows that differ only in their values are one cause, other words are another", () => {
    const row = (n: number, word: string) =>
      failure({
        message: `Account EXT-${n} ${word} on 2026-01-${n}: 'name ${n}' costs ${n}.50`,
        ownValues: () => ["ACME", `EXT-${n}`],
      });
    const causes = groupCauses([row(10, "failed"), row(11, "failed"), row(12, "ended")]);
    expect(causes.map(({ count }) => count)).toEqual([2, 1]);
  });
});

test("a key is one plain word whatever the service writes, and stays the same", () => {
  const text = fc.oneof(mixes, fc.string({ unit: "binary" }), fc.constant("text-0123456789ab"));
  fc.assert(
    fc.property(
      text,
      text,
      fc.option(fc.array(text, { maxLength: 3 })),
      (code, operation, more) => {
        const one = { operation, code, errorCodes: more ?? [], message: code };
        const key = keyOf(one);
        expect(key).toMatch(/^[\w./+:-]+$/);
        expect(keyOf({ ...one })).toBe(key);
        // A number names a cause by its place.
        expect(key).not.toMatch(/^\d+$/);
      },
    ),
  );
});

test("a code that looks like a hash is a separate cause", () => {
  const byText = keyOf({ message: "It failed." });
  const [, , hash] = byText.split(":");
  expect(keyOf({ code: hash ?? "" })).not.toBe(byText);
});

test("a long message of quotes, values and digits takes no longer than its length", () => {
  const hostile = `${"'\"a1 ".repeat(50_000)}`;
  expect(commonWords(hostile, [hostile, "a1", "'", "…"]).length).toBeLessThan(1_000);
});
