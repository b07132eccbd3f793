/**
 * Bundles the program into dist/: the entry, and one chunk for each part that is loaded only when
 * it is needed (commands, console, sandbox, workers), so that a headless command reads neither
 * React nor Ink, and the console does not read the sandbox.
 */
import { chmod, rename, rm } from "node:fs/promises";
import { build } from "esbuild";
import { leanPackages } from "./lean-packages.ts";

// Built beside and put in place whole: a program that runs, and a build that fails, keep the old one.
const next = `dist.${process.pid}`;
await build({
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
  define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
  // Some dependencies are CommonJS and call require() for Node's own modules.
  banner: {
    js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
  },
  external: ["react-devtools-core"],
  plugins: [leanPackages],
  logLevel: "warning",
});
await chmod(`${next}/cli.js`, 0o755);
await rm("dist", { recursive: true, force: true });
await rename(next, "dist");
