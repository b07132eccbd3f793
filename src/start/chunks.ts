/**
 * Loads the chunks of the bundle. The build writes each chunk as a script that evaluates to a
 * CommonJS function (scripts/chunks.ts). The code that V8 compiles during a run can then be stored
 * (compiled-code.ts). Node's own cache lacks the functions that are compiled on their first call.
 */
import type { CompiledCode } from "./compiled-code.ts";

export interface ChunkPlace {
  readonly pathOf: (name: string) => string;
  readonly urlOf: (name: string) => string;
  /** Reads the text of a chunk, which is ASCII. */
  readonly read: (name: string) => string;
}

type Require = (name: string) => unknown;

type ChunkFunction = (
  exports: unknown,
  require: Require,
  module: { exports: unknown },
  moduleUrl: string,
) => void;

/** Returns a `require` for chunks (`./name.js`) and the modules of Node. Each chunk runs once. */
export function chunkLoader(place: ChunkPlace, compiled: CompiledCode): Require {
  const { Script } = process.getBuiltinModule("node:vm");
  const modules = new Map<string, { exports: unknown }>();
  const load: Require = (specifier) => {
    if (!specifier.startsWith("./")) return process.getBuiltinModule(specifier);
    const name = specifier.slice(2);
    const loaded = modules.get(name);
    if (loaded !== undefined) return loaded.exports;
    const text = place.read(name);
    const cachedData = compiled.codeOf(name);
    const script = new Script(text, {
      filename: place.pathOf(name),
      ...(cachedData === null ? {} : { cachedData }),
    });
    compiled.addScript(name, script);
    const module = { exports: {} };
    modules.set(name, module);
    try {
      const run = script.runInThisContext() as ChunkFunction;
      run.call(undefined, module.exports, load, module, place.urlOf(name));
    } catch (error) {
      modules.delete(name);
      throw error;
    }
    return module.exports;
  };
  return load;
}

export function placeOfChunks(folder: string): ChunkPlace {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const { pathToFileURL } = process.getBuiltinModule("node:url");
  const root = `${folder}/chunks/`;
  const url = pathToFileURL(root).href;
  return {
    pathOf: (name) => root + name,
    urlOf: (name) => url + name,
    read: (name) => readFileSync(root + name, "latin1"),
  };
}
