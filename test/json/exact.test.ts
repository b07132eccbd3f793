import { describe, expect, test } from "vitest";
import { comparableJson, parseExact, toJson } from "../../src/json/exact.ts";
import * as fc from "../helpers/fast-check.ts";
import { FORBIDDEN, HOSTILE, mixes } from "../text/hostile.ts";

describe("JSON output", () => {
  test.each(Object.entries(HOSTILE))("%s is escaped and reads back the same", (_, text) => {
    const json = toJson({ [text]: text });
    expect(json).not.toMatch(FORBIDDEN);
    expect(json).not.toMatch(/[\t\n]/);
    expect(JSON.parse(json)).toEqual({ [text]: text });
  });

  test("any value reads back the same", () => {
    fc.assert(
      fc.property(fc.array(mixes), fc.jsonValue(), (texts, value) => {
        const json = toJson([texts, value], 2);
        expect(json).not.toMatch(FORBIDDEN);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify([texts, value])));
      }),
    );
  });

  test("escapes C1, DEL and separators by code", () => {
    expect(toJson("\u009b\u007f\u2028\u{e0041}é")).toBe('"\\u009b\\u007f\\u2028\\udb40\\udc41é"');
    expect(toJson(undefined)).toBe("null");
    expect(toJson({ a: 1 }, 2)).toBe('{\n  "a": 1\n}');
  });
});

const of = (text: string) => comparableJson(parseExact(text));

describe("JSON for comparing", () => {
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
    ["9007199254740993", "9007199254740992"],
    ["0.1", "0.10000000000000000001"],
    ["[1,2]", "[2,1]"],
    ['{"a":null}', "{}"],
    ['{"a":"1"}', '{"a":"1.0"}'],
  ])("is not the same for %s and %s", (one, other) => {
    expect(of(one)).not.toBe(of(other));
  });

  test("comparable JSON ignores the order of fields at any depth", () => {
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
