import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import type { Plugin as VitePlugin } from "vitest/config";
import { narrow } from "../src/text/width.ts";

/** A piece of a package's text, and what stands there in the bundle. */
interface Change {
  readonly file: RegExp;
  readonly from: string | RegExp;
  readonly to: string;
}

/** The same with what ends and starts in a styled line: each a segment by itself. */
export const singles = narrow.replace("[", String.raw`[\n\u0007\u001B`);

const changes: readonly Change[] = [
  {
    // Its WebAssembly stands in it as text. It is compiled at once instead of in the background: a
    // chunk is a script and cannot wait for it, and starting threads for it takes as long.
    file: /[\\/]yoga-wasm-base64-esm\.js$/,
    from: /\(function\(\)\{return w\|\|"function"!=typeof WebAssembly\.instantiateStreaming[\s\S]*?\.catch\(ca\);return\{\}\}\)\(\);/,
    to: `a(new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(H.slice(H.indexOf(",") + 1), "base64")), d));return{}})();`,
  },
  {
    file: /[\\/]yoga-layout[\\/]dist[\\/]src[\\/]index\.js$/,
    from: "const Yoga = wrapAssembly(await loadYoga());",
    to: "const assembly = {};\nloadYoga(assembly);\nconst Yoga = wrapAssembly(assembly);",
  },
  {
    // For React's developer tools, which are not shipped.
    file: /[\\/]ink[\\/]build[\\/]reconciler\.js$/,
    from: /if \(process\.env\['DEV'\] === 'true'\) \{[\s\S]*?\n\}\n/g,
    to: "",
  },
  {
    file: /[\\/]string-width[\\/]index\.js$/,
    from: String.raw`/^[\u0020-\u007E]*$/`,
    to: `/^${narrow}*$/`,
  },
  {
    // The set of all emoji sequences takes longer to read than a frame to draw, already for the
    // parser. Each of them holds a character that is an emoji by itself or the selector that makes
    // one; only then is the set looked at, and made.
    file: /[\\/]string-width[\\/]index\.js$/,
    from: String.raw`const rgiEmojiRegex = /^\p{RGI_Emoji}$/v;`,
    to: String.raw`let emojiSequence;
const rgiEmojiRegex = {
	test: (segment) =>
		/[\p{Emoji_Presentation}\uFE0F]/u.test(segment)
		&& (emojiSequence ??= new RegExp("^\\p{RGI_Emoji}$", "v")).test(segment),
};`,
  },
  {
    // Of undici's many parts the program uses three; the rest (fetch, WebSocket, caches, mocks) would
    // be evaluated all the same.
    file: /[\\/]undici[\\/]index\.js$/,
    from: /^[\s\S]*\nObject\.assign\(Dispatcher\.prototype, api\)\n[\s\S]*$/,
    to: `const Dispatcher = require("./lib/dispatcher/dispatcher");
Object.assign(Dispatcher.prototype, require("./lib/api"));
module.exports = {
  Agent: require("./lib/dispatcher/agent"),
  Pool: require("./lib/dispatcher/pool"),
  get ProxyAgent() { return require("./lib/dispatcher/proxy-agent"); },
};`,
  },
  {
    // No request has a message of Node's own HTTP as its body.
    file: /[\\/]undici[\\/]lib[\\/]core[\\/]util\.js$/,
    from: "const { IncomingMessage } = require('node:http')",
    to: "const IncomingMessage = null",
  },
  {
    // Of Node's own HTTP it takes the most bytes of headers: Node's usual ones.
    file: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/,
    from: "const http = require('node:http')",
    to: "const http = { maxHeaderSize: 16384 }",
  },
  {
    // V8 would optimize the largest function of the parser after some requests, in a thread for which
    // a command waits at its end: 30 of its 90 ms. The number behind it is V8's own.
    file: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h1\.js$/,
    from: "mod = new WebAssembly.Module(require('../llhttp/llhttp_simd-wasm.js'))",
    to: `const { setFlagsFromString } = require("node:v8");
      setFlagsFromString("--wasm-tiering-budget=2000000000");
      try {
        mod = new WebAssembly.Module(require('../llhttp/llhttp_simd-wasm.js'));
      } finally {
        setFlagsFromString("--wasm-tiering-budget=13000000");
      }`,
  },
  {
    // Node's HTTP/2 is read when a connection speaks it, and ours never do.
    file: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/,
    from: "const connectH2 = require('./client-h2.js')",
    to: "const connectH2 = (...given) => require('./client-h2.js')(...given)",
  },
  {
    // Making a segmenter reads a good part of ICU's tables, and each segment it gives costs as much
    // as drawing the cell; where every character is a segment there is nothing to ask it.
    file: /[\\/](?:string-width[\\/]index|wrap-ansi[\\/]index|ansi-tokenize[\\/]build[\\/]tokenize|ink[\\/]build[\\/]line-update)\.js$/,
    from: /= new Intl\.Segmenter\((.*)\);/,
    to: `= (() => {
	let made;
	const segment = (text) => /^${singles}*$/.test(text)
		? Object.assign(Array.from(text, (segment, index) => ({ segment, index })), {
				containing: (index = 0) => (index < text.length ? { segment: text[index], index } : undefined),
			})
		: (made ??= new Intl.Segmenter($1)).segment(text);
	return { segment };
})();`,
  },
  {
    file: /[\\/]slice-ansi[\\/]tokenize-ansi\.js$/,
    from: /= (new Intl\.Segmenter\(.*\));/,
    to: "= (() => { let made; return { segment: (text) => (made ??= $1).segment(text) }; })();",
  },
];

/** The module of this program in place of one of Ink. */
const output = fileURLToPath(new URL("../src/components/ink-output.ts", import.meta.url));

/** Returns a module of a package with its changes. Throws if it does not read as expected. */
function changedText(path: string, text: string): string {
  return changes
    .filter(({ file }) => file.test(path))
    .reduce((before, { from, to }) => {
      const after = before.replace(from, to);
      if (after === before) throw new Error(`${path} has no ${from}`);
      return after;
    }, text);
}

/**
 * Spares the start of the program what packages do at their import and no first frame needs; what
 * they answer stays the same (docs/development/decisions.md). A package that no longer reads as
 * expected fails the build: whether the change is still wanted is then for a person to see.
 */
export const leanPackages: Plugin = {
  name: "lean-packages",
  setup(build) {
    build.onResolve({ filter: /^\.\/output\.js$/ }, ({ importer }) =>
      /[\\/]ink[\\/]build[\\/]/.test(importer) ? { path: output } : null,
    );
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.js$/ }, async ({ path }) => {
      if (!changes.some(({ file }) => file.test(path))) return null;
      const text = await readFile(path, "utf8");
      return { contents: changedText(path, text), loader: "js" };
    });
  },
};

/** The packages that tests load with the same changes, so that the tested console is the shipped one. */
const testedPackages = [
  ...["ink", "ink-select-input", "ink-text-input"],
  ...["string-width", "wrap-ansi", "slice-ansi", "@alcalzone/ansi-tokenize"],
];

/**
 * Returns a plugin that bundles them into a folder, and resolves their imports to it. Node loads a bundle
 * once for a process, in place of some hundred modules that the runner would evaluate.
 */
export function leanPackagesInTests(folder: string): VitePlugin {
  const fileOf = (name: string) => join(folder, `${name.replace("/", "+")}.mjs`);
  return {
    name: "lean-packages-in-tests",
    enforce: "pre",
    config: () => {
      bundled ??= bundleInto(folder);
      return bundled;
    },
    resolveId: (source) => (testedPackages.includes(source) ? fileOf(source) : null),
  };
}

/** The bundle of this process: each project of the tests has a plugin of its own. */
let bundled: Promise<void> | null = null;

async function bundleInto(folder: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries(testedPackages.map((name) => [name.replace("/", "+"), name])),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    write: false,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    supported: { "regexp-set-notation": true, "regexp-unicode-property-escapes": true },
    // Of React there is one.
    external: ["react", "react-reconciler", "scheduler", "react-devtools-core"],
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    plugins: [leanPackages],
  });
  await mkdir(folder, { recursive: true });
  for (const { path, contents } of outputFiles) {
    // Put in place whole: another run of the tests may be reading it.
    const next = `${path}.${crypto.randomUUID()}`;
    await writeFile(next, contents);
    await rename(next, path);
  }
}
