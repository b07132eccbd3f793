import { parseExact } from "../../src/json/exact.ts";
import { normalJson, normalText } from "../../src/json/normal-form.ts";
import * as fc from "../helpers/fast-check.ts";
import { mixes } from "../text/hostile.ts";

describe("the normal form of a text", () => {
  test.each([
    ["R1", " R1", "R1 ", "\tR1\u00a0", "\ufeffR1\r\n"],
    ["\u00c9", "E\u0301", " E\u0301"],
    ["\u212b", "\u00c5", "A\u030a"],
    ["a\nb", "a\r\nb", "a\rb", "a \t\r\nb", "a\nb\n\n"],
    ["", " ", "\r\n"],
  ])("of %j is that of its other spellings", (first, ...others) => {
    for (const other of others) expect(normalText(other)).toBe(normalText(first));
  });

  test.each([
    ["R1", "r1"],
    ["R1", "R 1"],
    ["a b", "a  b"],
    ["a\nb", "a\n b"],
    ["a\nb", "a\n\nb"],
    ["\ufb01", "fi"],
    ["1", "1.0"],
  ])("of %j is not that of %j", (one, other) => {
    expect(normalText(one)).not.toBe(normalText(other));
  });

  test("is its own normal form", () => {
    fc.assert(
      fc.property(fc.oneof(mixes, fc.string({ unit: "binary" })), (text) => {
        expect(normalText(normalText(text))).toBe(normalText(text));
      }),
    );
  });

  test("of a million blanks takes no time that grows with their square", () => {
    expect(normalText(`a${" ".repeat(1_000_000)}b`)).toHaveLength(1_000_002);
  });
});

const of = (text: string) => normalJson(parseExact(text));

describe("the normal form of JSON", () => {
  test.each([
    ["10", "10.0", "10.00", "1e1", "1E+1", "100e-1", "0.1e2"],
    ["0", "0.00", "-0", "-0.0", "0e5", "0E-5"],
    ["-12.5", "-12.50", "-125e-1"],
    ["0.001", "1e-3", "0.0010"],
  ])("is the same for %s and its other spellings", (first, ...others) => {
    for (const other of others) expect(of(other)).toBe(of(first));
  });

  test.each([
    ["10", "1"],
    ["10", "-10"],
    ["10", "10.01"],
    ["10", '"10"'],
    ['"1"', '"1.0"'],
    ["9007199254740993", "9007199254740992"],
    ["0.1", "0.10000000000000000001"],
    ["[1,2]", "[2,1]"],
    ['{"a":null}', "{}"],
    ['{"a":"1"}', '{"a":"1.0"}'],
  ])("is not the same for %s and %s", (one, other) => {
    expect(of(one)).not.toBe(of(other));
  });

  test("ignores the order of fields at any depth", () => {
    expect(of('{"a":[{"b":1,"c":{"d":2.0,"e":3}}],"f":4}')).toBe(
      of('{"f":4.0,"a":[{"c":{"e":3,"d":2},"b":1.00}]}'),
    );
  });

  test("of two numbers is the same exactly if their digits say the same", () => {
    const units = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    const places = fc.nat({ max: 6 });
    const written = (value: bigint, after: number) => {
      const digits = String(value < 0n ? -value : value).padStart(after + 1, "0");
      const sign = value < 0n ? "-" : "";
      return `${sign}${digits.slice(0, digits.length - after)}${after === 0 ? "" : `.${digits.slice(-after)}`}`;
    };
    fc.assert(
      fc.property(units, places, places, fc.boolean(), (value, after, more, isSame) => {
        const other = (isSame ? value : value + 1n) * 10n ** BigInt(more);
        const equal = of(written(value, after)) === of(written(other, after + more));
        expect(equal).toBe(isSame);
      }),
    );
  });
});
