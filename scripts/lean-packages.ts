import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";
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
    // What Ink works out of a line of text is the same in the next frame, and most lines are: it is
    // kept for the next frames instead of thrown away with each. Cells take more room than texts.
    file: /[\\/]ink[\\/]build[\\/]output\.js$/,
    from: "caches = new OutputCaches();",
    to: "caches = keptCaches();",
  },
  {
    file: /[\\/]ink[\\/]build[\\/]output\.js$/,
    from: "export default class Output {",
    to: `const blank = { type: 'char', value: ' ', fullWidth: false, styles: [] };
let kept = new OutputCaches();
function keptCaches() {
    if (kept.texts.size + kept.widths.size > 8000) kept = new OutputCaches();
    if (kept.styledChars.size > 400) kept.styledChars = new Map();
    return kept;
}
let rowsBefore = new Map();
function rowsOf(rows, width, draw) {
    const drawn = new Map();
    const texts = rows.map((writes) => {
        let key = String(width);
        for (let at = 0; at < writes.length; at += 2)
            key += ' ' + writes[at] + ' ' + writes[at + 1].length + ' ' + writes[at + 1];
        const text = rowsBefore.get(key) ?? drawn.get(key) ?? draw(writes);
        drawn.set(key, text);
        return text;
    });
    rowsBefore = drawn;
    return texts;
}
export default class Output {`,
  },
  {
    file: /[\\/]ink[\\/]build[\\/]output\.js$/,
    from: "class OutputCaches {",
    to: `class OutputCaches {
    texts = new Map();
    textsOf(key, make) {
        let texts = this.texts.get(key);
        if (texts === undefined) this.texts.set(key, texts = make());
        return texts;
    }`,
  },
  {
    // Each text is styled for its lines, and each line cut to its room, only when it is new.
    file: /[\\/]ink[\\/]build[\\/]output\.js$/,
    from: /const characterLines = (\[\[\]\];[\s\S]*?)let lines = (characterLines\.map\(line => styledCharsToString\(line\)\));/,
    to: `let lines = this.caches.textsOf(text, () => {
            const characterLines = $1return $2;
        });`,
  },
  {
    file: /[\\/]ink[\\/]build[\\/]output\.js$/,
    from: "return this.sliceLineToColumns(line, from, to);",
    to: "return this.caches.textsOf(from + ' ' + to + '\\u0000' + line, () => this.sliceLineToColumns(line, from, to));",
  },
  {
    // A row into which the same is written as in the frame before is that row
    // (docs/development/decisions.md): writes are gathered, and cells filled only
    // for rows that are new.
    file: /[\\/]ink[\\/]build[\\/]output\.js$/,
    from: "const characters = this.caches.getStyledChars(line);\n            // Nothing",
    to: `currentLine.push(x, line);
        }
    }
    fillRow(currentLine, writes) {
        for (let at = 0; at < writes.length; at += 2) {
            const x = writes[at];
            const characters = this.caches.getStyledChars(writes[at + 1]);
            // Nothing`,
  },
  {
    file: /[\\/]ink[\\/]build[\\/]output\.js$/,
    from: /const row = \[\];\s+for \(let x = 0; x < this\.width; x\+\+\) \{[\s\S]*?\}\);\s+\}/,
    to: "const row = [];",
  },
  {
    // Cells are replaced, never changed: an empty row needs one, not one for each place. And the empty
    // rest of a line is not styled cell by cell only to be cut off again.
    file: /[\\/]ink[\\/]build[\\/]output\.js$/,
    from: /= output\s+\.map\(line => \{([\s\S]*?)line\.filter\(([\s\S]*?\.trimEnd\(\);\s+\}\))/,
    to: `= rowsOf(output, this.width, (writes) => {
            const line = new Array(this.width).fill(blank);
            this.fillRow(line, writes);$1line.slice(0, line.findLastIndex(item => item !== blank) + 1).filter($2`,
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

/**
 * Spares the start of the program what packages do at their import and no first frame needs; what
 * they answer stays the same (docs/development/decisions.md). A package that no longer reads as
 * expected fails the build: whether the change is still wanted is then for a person to see.
 */
export const leanPackages: Plugin = {
  name: "lean-packages",
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.js$/ }, async ({ path }) => {
      const wanted = changes.filter(({ file }) => file.test(path));
      if (wanted.length === 0) return null;
      let contents = await readFile(path, "utf8");
      for (const { from, to } of wanted) {
        const changed = contents.replace(from, to);
        if (changed === contents) return { errors: [{ text: `${path} has no ${from}` }] };
        contents = changed;
      }
      return { contents, loader: "js" };
    });
  },
};
