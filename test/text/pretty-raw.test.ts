import { prettyRaw } from "../../src/text/shown-json.ts";
import * as fc from "../helpers/fast-check.ts";

describe("raw view", () => {
  test("lays JSON out and keeps numbers, order and doubled keys as spelt", () => {
    const raw =
      '{"b":1e400,"a":12345678901234567890,"a":-0.10,"list":[1, {"x":null}],"none":{},"empty":[ ]}';
    expect(prettyRaw(raw)).toEqual({
      json: true,
      lines: [
        "{",
        '  "b": 1e400,',
        '  "a": 12345678901234567890,',
        '  "a": -0.10,',
        '  "list": [',
        "    1,",
        "    {",
        '      "x": null',
        "    }",
        "  ],",
        '  "none": {},',
        '  "empty": []',
        "}",
      ],
    });
  });

  test("keeps escapes as spelt and strings whole, whatever is in them", () => {
    const raw = String.raw`["\u001b[1m","a\"b","c\\","{,:]"]`;
    expect(prettyRaw(raw).lines).toEqual([
      "[",
      String.raw`  "\u001b[1m",`,
      String.raw`  "a\"b",`,
      String.raw`  "c\\",`,
      '  "{,:]"',
      "]",
    ]);
  });

  test("a bare value is JSON too", () => {
    expect(prettyRaw(" 1e400 ")).toEqual({ json: true, lines: ["1e400"] });
  });

  test("lays out any JSON as JSON.stringify would, where no precision is at stake", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        const { lines, json } = prettyRaw(text);
        expect(json).toBe(true);
        if (!/[^\x20-\x7e]/.test(text))
          expect(lines.join("\n")).toBe(JSON.stringify(JSON.parse(text), null, 2));
      }),
      { numRuns: 300 },
    );
  });

  test("what is not JSON comes line by line, made safe", () => {
    expect(prettyRaw("<html>\r\n\t<b>\u001b[1m</b>")).toEqual({
      json: false,
      lines: ["<html>", "    <b>␛[1m</b>"],
    });
    expect(prettyRaw('[{"a":1},{"b"')).toEqual({ json: false, lines: ['[{"a":1},{"b"'] });
    expect(prettyRaw("")).toEqual({ json: false, lines: [] });
  });

  test("unescaped controls in a JSON string do not reach the terminal", () => {
    const { lines, json } = prettyRaw('{"a":"x\u009b31m\u202e"}');
    expect(json).toBe(true);
    expect(lines[1]).toBe('  "a": "x⟨U+009B⟩31m⟨U+202E⟩"');
  });

  test("hostile nesting and a huge string stay bounded", () => {
    const deep = prettyRaw("[".repeat(5000) + "]".repeat(5000));
    expect(Math.max(...deep.lines.map((line) => line.length))).toBeLessThan(200);
    const long = `"${"\\\\".repeat(200_000)}x"`;
    expect(prettyRaw(long).lines).toEqual([long]);
  });
});
