import type { ChunkPlace } from "./chunks.ts";

/** The chunks below the folder of the entry, or those inside the single executable. */
export function placeOfChunks(folder: string): ChunkPlace {
  const { getRawAsset, isSea } = process.getBuiltinModule("node:sea");
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const { pathToFileURL } = process.getBuiltinModule("node:url");
  // An executable is no folder: no one can put a file of theirs below it.
  const root = `${isSea() ? `${process.execPath}/dist` : folder}/chunks/`;
  const url = pathToFileURL(root).href;
  return {
    pathOf: (name) => root + name,
    urlOf: (name) => url + name,
    read: isSea()
      ? (name) => Buffer.from(getRawAsset(`dist/chunks/${name}`)).toString("latin1")
      : (name) => readFileSync(root + name, "latin1"),
  };
}
