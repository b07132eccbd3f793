import { isExactNumber, parseExact, twoPlaces } from "../../src/sandbox/exact-json.ts";
import * as fc from "../helpers/fast-check.ts";

const amount = (text: string): string => {
  const number = parseExact(text);
  return isExactNumber(number) ? twoPlaces(number) : "not a number";
};

test.each([
  ["0", "0.00"],
  ["-0.004", "0.00"],
  ["10", "10.00"],
  ["0.1", "0.10"],
  ["1.005", "1.01"],
  ["-1.005", "-1.01"],
  ["1.5e3", "1500.00"],
  ["25E-1", "2.50"],
  ["123456789012345678901.239", "123456789012345678901.24"],
])("%s is %s", (text, shown) => {
  expect(amount(text)).toBe(shown);
});

test("an amount of up to two places keeps its value", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), (hundredths) => {
      const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, "0");
      const text = `${hundredths < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
      expect(amount(text)).toBe(text);
    }),
  );
});

test("JSON that was read is written as it was", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const compact = JSON.stringify(JSON.parse(text));
      expect(JSON.stringify(parseExact(compact))).toBe(compact);
    }),
  );
  expect(JSON.stringify(parseExact("[1.10,1e2,-0.0,12345678901234567890]"))).toBe(
    "[1.10,1e2,-0.0,12345678901234567890]",
  );
});
