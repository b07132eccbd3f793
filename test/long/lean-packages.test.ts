import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { styledCharsFromTokens, tokenize } from "@alcalzone/ansi-tokenize";
import { build } from "esbuild";
import * as ink from "ink";
import { createElement } from "react";
import sliceAnsi from "slice-ansi";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import { leanPackages } from "../../scripts/lean-packages.ts";
import * as fc from "../helpers/fast-check.ts";

interface Packages {
  readonly stringWidth: typeof stringWidth;
  readonly wrapAnsi: typeof wrapAnsi;
  readonly sliceAnsi: typeof sliceAnsi;
  readonly tokenize: typeof tokenize;
  readonly createElement: typeof createElement;
  readonly ink: typeof ink;
}

let folder: string;
let lean: Packages;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "supplyline-lean-"));
  await build({
    stdin: {
      contents: `export { default as stringWidth } from "string-width";
        export { default as wrapAnsi } from "wrap-ansi";
        export { default as sliceAnsi } from "slice-ansi";
        export { tokenize } from "@alcalzone/ansi-tokenize";
        export { createElement } from "react";
        export * as ink from "ink";`,
      resolveDir: resolve(import.meta.dirname, "../.."),
    },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    define: { "process.env.DEV": '"false"' },
    minifySyntax: true,
    splitting: true,
    external: ["react-devtools-core"],
    banner: { js: "const require = process.getBuiltinModule;" },
    plugins: [leanPackages],
  });
  lean = (await import(pathToFileURL(join(folder, "stdin.mjs")).href)) as Packages;
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Ideographs, syllables and characters for private use: whole ranges that are alike. */
const alike = [
  [0x3400, 0x9fff],
  [0xac00, 0xd7a3],
  [0xd800, 0xf8ff],
  [0x17000, 0x18cff],
] as const;

/** The code to look at next: in ranges that are alike one in sixteen. */
function after(code: number): number {
  const range = alike.find(([first, last]) => code >= first && code < last);
  return range ? Math.min(code + 16, range[1]) : code + 1;
}

test("every character is as wide as it was, alone and among others", () => {
  const different: string[] = [];
  // Above are only ideographs, tags, selectors and what no font has.
  for (let code = 0; code <= 0x1ffff; code = after(code)) {
    const character = String.fromCodePoint(code);
    for (const text of [character, `a${character}${character}…`]) {
      if (lean.stringWidth(text) !== stringWidth(text)) different.push(code.toString(16));
    }
  }
  expect(different).toEqual([]);
});

/** Content of a console: words, signs, styles, and at times characters that few fonts draw. */
const pieces = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "…",
    "▌",
    "é",
    "e\u0301",
    "日本",
    "👩‍🚀",
    "1️⃣",
    "🇩🇪",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "☺️",
    "👍🏽",
    "ﾞ",
    "\r\n",
    "\n",
  ),
  fc.constantFrom("\x1b[31m", "\x1b[39m", "\x1b[1m", "\x1b[22m", "\x1b]8;;x\x07", "\x1b[", "\x1b"),
);
const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(""));

test("any text is as wide, and is cut and wrapped where it was", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 12 }), (text, columns) => {
      expect(lean.stringWidth(text)).toBe(stringWidth(text));
      const options = { hard: true, trim: false };
      expect(lean.wrapAnsi(text, columns, options)).toBe(wrapAnsi(text, columns, options));
      expect(lean.sliceAnsi(text, 1, columns)).toBe(sliceAnsi(text, 1, columns));
    }),
    { numRuns: 500 },
  );
});

test("the bundled packages split any text into the same cells", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const cells = (of: typeof tokenize) => styledCharsFromTokens(of(text));
      expect(cells(lean.tokenize)).toEqual(cells(tokenize));
    }),
    { numRuns: 500 },
  );
});

const box = fc.record({
  width: fc.integer({ min: 1, max: 30 }),
  height: fc.integer({ min: 1, max: 4 }),
  marginLeft: fc.integer({ min: -3, max: 6 }),
  marginTop: fc.integer({ min: -1, max: 1 }),
  overflow: fc.constantFrom("hidden" as const, "visible" as const),
  borderStyle: fc.constantFrom(undefined, "round" as const),
});
const words = fc.record({
  text: texts,
  wrap: fc.constantFrom("wrap" as const, "truncate" as const),
  color: fc.constantFrom(undefined, "red"),
  inverse: fc.boolean(),
});

test("the bundled Ink draws every frame like the original", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(box, words), { maxLength: 5 }), (rows) => {
      const drawn = (of: Pick<Packages, "createElement" | "ink">) => {
        const { Box, Text, renderToString } = of.ink;
        const lines = rows.map(([{ borderStyle, ...place }, { text, color, ...style }], key) =>
          of.createElement(
            Box,
            { key, ...place, ...(borderStyle ? { borderStyle } : {}) },
            of.createElement(Text, { ...style, ...(color ? { color } : {}) }, text),
          ),
        );
        const frame = of.createElement(Box, { flexDirection: "column", height: 12 }, lines);
        return renderToString(frame, { columns: 40 });
      };
      const expected = drawn({ createElement, ink });
      expect(drawn(lean)).toBe(expected);
      expect(drawn(lean)).toBe(expected);
    }),
    { numRuns: 200 },
  );
});
