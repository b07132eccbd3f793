#!/usr/bin/env node
import type { run as Run } from "./program.ts";
// The entry. Whatever Node is there reads it, so the build lowers it to what Node 14 knows; the rest
// is loaded once the version is known.
import { chunkLoader, placeOfChunks } from "./start/chunks.ts";
import { noCompiledCode, openCompiledCode } from "./start/compiled-code.ts";
import { folderOfCompiledCode } from "./start/private-folder.ts";

/** The chunk of program.ts, and a hash of all chunks; the build puts them here. */
declare const programChunk: string;
declare const buildHash: string;

const needed = "24.15.0";

if (isOlder(process.versions.node, needed)) {
  process.stderr.write(
    `supplyline: it needs Node ${needed} or newer, and this is Node ${process.versions.node}. In a checkout, use npx supplyline. The archive supplyline-VERSION-linux-x64.tar.xz includes Node. Or install it from https://nodejs.org.\n`,
  );
  process.exitCode = 1;
} else {
  // Files and folders are their owner's: a umask that takes the owner's rights would lock it out.
  process.umask(process.umask(0o077) & 0o077);
  const folder = folderOfCompiledCode(process.env);
  const compiled = folder === null ? noCompiledCode : openCompiledCode(folder, buildName());
  const load = chunkLoader(placeOfChunks(import.meta.dirname), compiled);
  const { run } = load(`./${programChunk}`) as { readonly run: typeof Run };
  void run(compiled.save);
}

/** Returns a name for this build with this Node and its options, which V8 compiles for. */
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
