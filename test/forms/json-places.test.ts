import { forms } from "../../src/forms/forms.ts";
import { validateJson } from "../../src/forms/parse-json.ts";
import type { Path } from "../../src/json/exact.ts";
import { offsetOf, positionsOf } from "../../src/json/positions.ts";
import { scanJson } from "../../src/json/scan.ts";
import * as fc from "../helpers/fast-check.ts";

const account = { importSupplier: "ACME", externalAccountNumber: "EXT-1" };

/** Returns the problem of a text: line, column and words. */
function faultOf(text: string | Uint8Array) {
  const said = validateJson(forms.notes, text, account);
  const [first] = said.ok ? [] : said.issues;
  return first && [first.line, first.column, first.message];
}

describe("JSON that is none", () => {
  test.each<[string, number, number, RegExp]>([
    ["", 1, 1, /ends too early/],
    ["[", 1, 2, /ends too early/],
    ['[{"body": "a"', 1, 14, /ends too early/],
    ['[{"body": "a}]', 1, 11, /closing quote/],
    ['[\n  {"body": "a",}\n]', 2, 15, /A comma must not come before \}/],
    ['[{"body": "a"},]', 1, 15, /A comma must not come before \]/],
    ['[{"body": "a" "is_pinned": true}]', 1, 15, /comma or \}/],
    ['[{"body": "a"} {"body": "b"}]', 1, 16, /comma or \]/],
    ['[{body: "a"}]', 1, 3, /field name in double quotes/],
    ["[{'body': 'a'}]", 1, 3, /field name in double quotes/],
    ["[{\"body\": 'a'}]", 1, 11, /double quotes/],
    ['[{"body" "a"}]', 1, 10, /colon/],
    ['[{"body": }]', 1, 11, /A value is expected/],
    ['[{"body": tru}]', 1, 11, /A value is expected/],
    ['[{"body": 01}]', 1, 11, /not a number/],
    ['[{"body": +1}]', 1, 11, /not a number/],
    ['[{"body": .5}]', 1, 11, /not a number/],
    ['[{"body": 1.}]', 1, 11, /not a number/],
    ['[{"body": NaN}]', 1, 11, /A value is expected/],
    ["[ // a note\n]", 1, 3, /comments/],
    ['[{"body": "a\nb"}]', 1, 13, /line break/],
    ['[{"body": "a\tb"}]', 1, 13, /control character/],
    ['[{"body": "\\x41"}]', 1, 12, /escape/],
    ['[{"body": "a"}]\n]', 2, 1, /Nothing may follow/],
    ["[".repeat(65), 1, 65, /deeper than 64/],
    ['[{"body":"é𝄞", x}]', 1, 16, /field name/],
    ['[\r\n{"body":"a"},\r\r\nx]', 4, 1, /A value is expected/],
  ])("%j: line %i, column %i", (text, line, column, message) => {
    expect(faultOf(text)).toEqual([line, column, expect.stringMatching(message)]);
  });

  test("every field named twice is reported at its second place", () => {
    const text = '[{"body":"a",\n "body":"b",\n "is_pinned":true, "is_pin\\u006eed":false}]';
    const said = validateJson(forms.notes, text, account);
    expect(said.ok ? [] : said.issues).toMatchObject(
      [
        { path: ["notes", 0, "body"], line: 2, column: 2, message: /second time/ },
        { path: ["notes", 0, "is_pinned"], line: 3, column: 20, message: /second time/ },
      ].map((issue) => ({ ...issue, message: expect.stringMatching(issue.message) })),
    );
  });

  test("the path of a fault begins inside the outer key", () => {
    const text = '{"payload": {"supply_point": {"identifier": x}}}';
    expect(validateJson(forms["supply-points"], text)).toMatchObject({
      ok: false,
      issues: [{ path: ["supply_point", "identifier"], line: 1, column: 45 }],
    });
  });

  test("bytes that are not UTF-8 are refused", () => {
    expect(faultOf(Uint8Array.of(0x5b, 0xff, 0x5d))?.[2]).toBe("This is not UTF-8 text.");
  });
});

test("a byte order mark is no part of the text", () => {
  const text = '\ufeff[{"bdy":"a"}]';
  for (const source of [text, new TextEncoder().encode(text)]) {
    const said = validateJson(forms.notes, source, account);
    expect(said.ok ? [] : said.issues).toMatchObject([
      { path: ["notes", 0, "body"], column: 2 },
      { path: ["notes", 0, "bdy"], column: 3 },
    ]);
  }
});

const layouts = fc.constantFrom(undefined, 1, 2, "\t");

describe("any JSON", () => {
  test("reads as the same value, each part at its line and column", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), layouts, (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const scan = scanJson(text);
        if (!scan.ok) throw new Error(scan.issues[0]?.message);
        expect(JSON.stringify(scan.value)).toBe(JSON.stringify(JSON.parse(text)));
        const position = positionsOf(text);
        const lines = text.split("\n");
        for (const [path, leaf] of leavesOf(JSON.parse(text))) {
          const { line, column } = position(offsetOf(scan.place, { path }));
          const rest = [...(lines[line - 1] ?? "")].slice(column - 1).join("");
          expect(rest.startsWith(JSON.stringify(leaf))).toBe(true);
        }
      }),
    );
  });

  test("is accepted exactly where JSON.parse accepts it", () => {
    const noise = fc.constantFrom(
      "",
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "\\",
      "0",
      "-",
      ".",
      "e",
      " ",
      "\n",
      "\u0000",
      "tru",
      "/",
    );
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 3 }),
        fc.nat(),
        fc.nat(3),
        noise,
        (value, at, cut, added) => {
          const json = JSON.stringify(value);
          const start = at % (json.length + 1);
          const text = json.slice(0, start) + added + json.slice(start + cut);
          const scan = scanJson(text);
          const doubled =
            !scan.ok && scan.issues.some(({ message }) => /second time/.test(message));
          if (!doubled) expect(scan.ok).toBe(isJson(text));
        },
      ),
      { numRuns: 1000 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function leavesOf(value: unknown, path: Path = []): [Path, unknown][] {
  if (Array.isArray(value)) return value.flatMap((inner, at) => leavesOf(inner, [...path, at]));
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}
