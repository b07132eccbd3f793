import { createHash } from "node:crypto";
import { isBuiltin } from "node:module";
import { basename } from "node:path";
import { transform } from "esbuild";
import { takeNodeParts } from "./node-parts.ts";

/** A file of the bundle as esbuild splits it, an ES module; and as it is written. */
interface BuiltFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Chunks in the one form in which they are loaded (src/start/chunks.ts): a script whose value is a
 * function of CommonJS. ES modules would be compiled again at each start, because V8 gives no code of
 * them once they have run.
 */
export async function asChunks(files: readonly BuiltFile[]): Promise<readonly BuiltFile[]> {
  const names = files.map(({ path }) => basename(path));
  return Promise.all(
    files.map(async ({ path, text }) => {
      const { code } = await transform(takeNodeParts(takeRequired(text, names)), {
        format: "cjs",
        platform: "node",
        target: "node24",
        // Each becomes a require().
        supported: {
          "dynamic-import": false,
          "regexp-set-notation": true,
          "regexp-unicode-property-escapes": true,
        },
        define: { "import.meta.url": "moduleUrl" },
        minifySyntax: true,
        minifyWhitespace: true,
        sourcefile: basename(path),
        logLevel: "warning",
      });
      // A module is strict, and a function is not.
      const script = `(function(exports,require,module,moduleUrl){"use strict";${code}})`;
      return { path, text: asAscii(script) };
    }),
  );
}

/** `createRequire(import.meta.url)("name")` of Node's own module, or of a package that has a chunk. */
const required = /createRequire\d*\(import\.meta\.url\)\("([^"]+)"\)/g;

const unused = /import\{createRequire(?: as \w+)?\}from"node:module";/g;

function takeRequired(text: string, names: readonly string[]): string {
  return text.replace(unused, "").replace(required, (_call, from: string) => {
    const name = isBuiltin(from) ? from : names.find((one) => one.startsWith(`${from}-`));
    if (name === undefined) throw new Error(`${from} has no chunk`);
    return `require(${JSON.stringify(isBuiltin(from) ? from : `./${name}`)})`;
  });
}

/** Bytes that are characters need not be decoded. esbuild leaves others only in regular expressions. */
function asAscii(script: string): string {
  return script.replace(/[^\0-\x7f]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** A name for exactly these files: V8 only looks at how long the text is that code was compiled from. */
export function hashOf(files: readonly BuiltFile[]): string {
  const hash = createHash("sha256");
  for (const { path, text } of files.toSorted((one, other) => (one.path < other.path ? -1 : 1)))
    hash.update(`${basename(path)}\n${text.length}\n${text}`);
  return hash.digest("hex").slice(0, 16);
}
