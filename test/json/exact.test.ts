import { toJson } from "../../src/json/exact.ts";
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
