import { decimalPlaces, decimalProblem, readDecimal } from "../../src/forms/decimals.ts";
import { forms } from "../../src/forms/forms.ts";
import { validateJson } from "../../src/forms/parse-json.ts";
import { validateValues } from "../../src/forms/validate.ts";
import { bytesOf, jsonNumber } from "../../src/json/exact.ts";
import { scanJson } from "../../src/json/scan.ts";
import * as fc from "../helpers/fast-check.ts";
import { typedAt } from "./payloads.ts";

const decimals = fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,20})?$/);

function withAmount(amount: string) {
  const row = { transaction_id: "T", transaction_date: "2026-11-20", amount, type: "CHARGE" };
  const values = { import_supplier: "A", external_account_number: "E", transactions: [row] };
  return validateValues(forms.transactions, values, typedAt);
}

describe("decimal text", () => {
  test("leaves digit for digit as it was typed, and comes back so", () => {
    fc.assert(
      fc.property(decimals, fc.constantFrom("", "+"), (digits, plus) => {
        const typed = digits.startsWith("-") ? digits : plus + digits;
        const said = withAmount(typed);
        if (!said.ok) throw new Error(JSON.stringify(said.issues));
        const sent = bytesOf(said.body).toString("utf8");
        expect(sent).toContain(`"amount":${digits},`);
        const read = validateJson(forms.transactions, sent);
        expect(read.ok && bytesOf(read.body).toString("utf8")).toBe(sent);
      }),
    );
  });

  test.each(["12,50", "1.234,50", "1,234.50", "1.234.567", "1'234.50", "-1 234,50"])(
    "%s is refused with the hint about points and thousands",
    (text) => expect(decimalProblem(text)).toMatch(/point before the decimals/),
  );

  test("is never read from anything but decimal text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), decimals), (typed) => {
        const plain = /^[+-]?(0|[1-9]\d*)(\.\d+)?$/.test(typed.trim());
        const number = readDecimal(typed);
        expect(number.ok).toBe(plain);
        if (number.ok) expect(JSON.parse(number.source)).toBe(Number(typed));
        else expect(number.message).not.toBe("");
      }),
    );
  });

  test.each([
    ["1e3", /exponent/],
    ["1.5E-2", /exponent/],
    ["1,50", /point before/],
    ["1,000.00", /point before/],
    ["1 000", /point before/],
    ["1'000.5", /point before/],
    ["\u22125", /plain hyphen/],
    [".5", /digit before/],
    ["5.", /digit after/],
    ["007", /leading zeros/],
    ["+-5", /such as/],
    ["--5", /such as/],
    ["£5", /such as/],
    ["NaN", /such as/],
    ["Infinity", /such as/],
    ["0x10", /such as/],
    ["1.2.3", /such as/],
    ["", /such as/],
  ])("%j is refused with what to write", (typed, message) => {
    expect(readDecimal(typed)).toEqual({ ok: false, message: expect.stringMatching(message) });
  });

  test.each([
    ["1.10", "1.10"],
    ["-0.5", "-0.5"],
    ["+2", "2"],
    [" 3.00 ", "3.00"],
    ["0.00", "0.00"],
    ["-0", "-0"],
  ])("%j is sent as %s", (typed, source) => {
    expect(readDecimal(typed)).toEqual({ ok: true, source });
  });

  test("of a file has no exponent either, and keeps its places", () => {
    expect(decimalProblem("1.10")).toBeNull();
    expect(decimalProblem("1E2")).toMatch(/exponent/);
    expect(["5", "5.1", "-5.100"].map(decimalPlaces)).toEqual([0, 1, 3]);
  });
});

test("a number is made from the text of a number only", () => {
  for (const text of ['"5"', "true", "null", "5 ", "+5", "01", ""]) {
    expect(() => jsonNumber(text)).toThrow(SyntaxError);
  }
});

test("a number too long for a float keeps all its digits", () => {
  const scan = scanJson("[0.1000000000000000055511151231257827, 1e400]");
  expect(JSON.stringify(scan.ok && scan.value)).toBe(
    "[0.1000000000000000055511151231257827,1e400]",
  );
});
