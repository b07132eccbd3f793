/**
 * Bundles the program into dist/: the entry, a file for each thread, and one chunk for each part that is
 * loaded only when it is needed (commands, console, screens, sandbox), so that a headless command reads
 * neither React nor Ink, and the console does not read the sandbox.
 */
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { builtVersion } from "./built-version.ts";
import { asChunks, hashOf } from "./chunks.ts";
import { gathered } from "./gathered.ts";
import { leanPackages } from "./lean-packages.ts";

const { version } = JSON.parse(await readFile("package.json", "utf8"));
// Built beside and put in place whole: a program that runs, and a build that fails, keep the old one.
const next = `dist.${process.pid}`;
const common = {
  absWorkingDir: process.cwd(),
  outdir: next,
  bundle: true,
  platform: "node",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  write: false,
  logLevel: "warning",
} satisfies BuildOptions;
const options = {
  ...common,
  target: "node24",
  // Or they would become calls that compile them at import.
  supported: { "regexp-set-notation": true, "regexp-unicode-property-escapes": true },
  jsx: "automatic",
  define: {
    "process.env.NODE_ENV": '"production"',
    // undici without its second parser, an experiment; so it comes with Node, too.
    esbuildDetection: "true",
    programVersion: JSON.stringify(builtVersion(version, ".")),
  },
  plugins: [leanPackages],
} satisfies BuildOptions;
const split = {
  ...options,
  // conf is loaded by a require(), at the first change of a setting.
  entryPoints: { program: "src/program.ts", conf: "conf" },
  splitting: true,
  format: "esm",
  entryNames: "chunks/[name]-[hash]",
  chunkNames: "chunks/[name]-[hash]",
} satisfies BuildOptions;
const bundle = await build({ ...split, plugins: [...split.plugins, await gathered(split)] });
const chunks = await asChunks(bundle.outputFiles);
const program = chunks.map(({ path }) => basename(path)).find((name) => /^program-/.test(name));
// Each whole in one file: the chunks of the program stay as few as they are without them.
const threads = await build({
  ...options,
  entryPoints: {
    "sandbox-worker": "src/sandbox/worker.ts",
  },
  format: "cjs",
});
const entry = await build({
  ...common,
  entryPoints: { cli: "src/cli.ts" },
  format: "cjs",
  // It is also read by a Node too old for the rest, and must be able to say so.
  target: "node14",
  define: {
    "import.meta.dirname": "__dirname",
    programChunk: JSON.stringify(program),
    buildHash: JSON.stringify(hashOf(chunks)),
  },
});
for (const { path, text } of [...chunks, ...threads.outputFiles, ...entry.outputFiles]) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
await writeFile(`${next}/package.json`, '{ "type": "commonjs" }\n');
await chmod(`${next}/cli.js`, 0o755);
await rm("dist", { recursive: true, force: true });
await rename(next, "dist");
