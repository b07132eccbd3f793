#!/usr/bin/env node
/**
 * The entry point: checks the version of Node, then loads the program. An old Node must be able to
 * read this file, so the build compiles it for Node 14. The other files are loaded after the check.
 */
import type { run as Run } from "./program.ts";
import { chunkLoader, placeOfChunks } from "./start/chunks.ts";
import { folderOfCompiledCode, noCompiledCode, openCompiledCode } from "./start/compiled-code.ts";

/** The name of the chunk with program.ts, which the build inserts. */
declare const programChunk: string;
/** A hash of all chunks, which the build inserts. */
declare const buildHash: string;

const needed = "24.15.0";

if (isOlder(process.versions.node, needed)) {
  process.stderr.write(
    `supplyline: it needs Node ${needed} or newer, and this is Node ${process.versions.node}. In a checkout, use npx supplyline. The archive supplyline-VERSION-linux-x64.tar.xz includes Node. Or install it from https://nodejs.org.\n`,
  );
  process.exitCode = 1;
} else {
  // Only the owner can access new files and folders. A umask that removes the owner's rights has no
  // effect, because it would make the files unusable.
  process.umask(process.umask(0o077) & 0o077);
  const folder = folderOfCompiledCode(process.env);
  const compiled = folder === null ? noCompiledCode : openCompiledCode(folder, buildName());
  const load = chunkLoader(placeOfChunks(import.meta.dirname), compiled);
  const { run } = load(`./${programChunk}`) as { readonly run: typeof Run };
  void run(compiled.save);
}

/**
 * Returns a name for the combination of build, Node version and Node options. Compiled code is
 * valid only for the same combination. V8 checks the length of a text, but not its content.
 */
function buildName(): string {
  const { version, arch, execArgv, env } = process;
  const options = process
    .getBuiltinModule("node:zlib")
    .crc32([...execArgv, env.NODE_OPTIONS].join(" "));
  return `${version}-${arch}-${buildHash}-${options.toString(16)}`;
}

function isOlder(version: string, least: string): boolean {
  const found = version.split(".").map(Number);
  const wanted = least.split(".").map(Number);
  const at = wanted.findIndex((part, index) => part !== found[index]);
  return at !== -1 && Number(found[at]) < Number(wanted[at]);
}
