#!/usr/bin/env node
/**
 * The entry point: checks the version of Node, then loads the program. An old Node must be able to
 * read this file, so the build compiles it for Node 14. The chunks are loaded after the check.
 */
import type { run as Run } from "./program.ts";
import { chunkLoader, placeOfChunks } from "./start/chunks.ts";
import { folderOfCompiledCode, noCompiledCode, openCompiledCode } from "./start/compiled-code.ts";

/** The name of the chunk that contains program.ts. The build inserts it. */
declare const programChunk: string;
/** A hash of all chunks. The build inserts it. */
declare const buildHash: string;

const minNodeVersion = "24.15.0";

if (isOlder(process.versions.node, minNodeVersion)) {
  process.stderr.write(
    `supplyline needs Node ${minNodeVersion} or newer. This is Node ${process.versions.node}. In a checkout, npm ci installs its own Node. The archive supplyline-VERSION-linux-x64.tar.xz includes Node. Or install it from https://nodejs.org.\n`,
  );
  process.exitCode = 1;
} else {
  // The owner's bits of the umask are cleared, because supplyline could not use files that it
  // creates without the owner's rights. Reading the umask sets it, so 0o077 is a temporary value.
  process.umask(process.umask(0o077) & 0o077);
  const folder = folderOfCompiledCode(process.env);
  const compiled = folder === null ? noCompiledCode : openCompiledCode(folder, buildName());
  const load = chunkLoader(placeOfChunks(import.meta.dirname), compiled);
  const { run } = load(`./${programChunk}`) as { readonly run: typeof Run };
  void run(compiled.save);
}

/**
 * Returns a name for the combination of build, Node version and Node options. Compiled code is
 * valid only for the same combination. The name is necessary, because V8 compares only the length
 * of the source text with that of the compiled code.
 */
function buildName(): string {
  const { version, arch, execArgv, env } = process;
  const options = process
    .getBuiltinModule("node:zlib")
    .crc32([...execArgv, env.NODE_OPTIONS].join(" "));
  return `${version}-${arch}-${buildHash}-${options.toString(16)}`;
}

function isOlder(version: string, other: string): boolean {
  const parts = version.split(".").map(Number);
  const otherParts = other.split(".").map(Number);
  const index = otherParts.findIndex((part, position) => part !== parts[position]);
  return index !== -1 && Number(parts[index]) < Number(otherParts[index]);
}
