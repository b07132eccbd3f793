/**
 * Bundles the program into dist/: the entry, and one chunk for each part that is loaded only when
 * it is needed (commands, console, screens, sandbox, workers), so that a headless command reads
 * neither React nor Ink, and the console does not read the sandbox.
 */
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { gathered } from "./gathered.ts";
import { leanPackages } from "./lean-packages.ts";
import { takeNodeParts } from "./node-parts.ts";

const { version } = JSON.parse(await readFile("package.json", "utf8"));
// Built beside and put in place whole: a program that runs, and a build that fails, keep the old one.
const next = `dist.${process.pid}`;
const options = {
  absWorkingDir: process.cwd(),
  entryPoints: {
    cli: "src/cli.ts",
    "sandbox-worker": "src/sandbox/worker.ts",
  },
  outdir: next,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node24",
  // Or they would become calls that compile them at import.
  supported: { "regexp-set-notation": true, "regexp-unicode-property-escapes": true },
  jsx: "automatic",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  chunkNames: "chunks/[name]-[hash]",
  define: {
    "process.env.NODE_ENV": '"production"',
    "process.env.DEV": '"false"',
    // undici without its second parser, an experiment; so it comes with Node, too.
    esbuildDetection: "true",
    programVersion: JSON.stringify(version),
  },
  // Some dependencies are CommonJS and call require(), for Node's own modules only.
  banner: { js: "const require=globalThis.process.getBuiltinModule;" },
  external: ["react-devtools-core"],
  plugins: [leanPackages],
  logLevel: "warning",
} satisfies BuildOptions;
const { outputFiles } = await build({
  ...options,
  plugins: [...options.plugins, await gathered(options)],
  write: false,
});
// Whole in one file: the chunks of the program stay as few as they are without it.
const worker = await build({
  ...options,
  entryPoints: { "observations-worker": "src/triage/observations/worker.ts" },
  splitting: false,
  write: false,
});
for (const { path, text } of [...outputFiles, ...worker.outputFiles]) {
  await mkdir(dirname(path), { recursive: true });
  // The entry is also read by a Node too old for this, and must be able to say so.
  await writeFile(path, basename(path) === "cli.js" ? text : takeNodeParts(text));
}
await chmod(`${next}/cli.js`, 0o755);
await rm("dist", { recursive: true, force: true });
await rename(next, "dist");
