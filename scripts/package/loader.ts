/**
 * What the single executable runs first, on the main thread and in each thread of the program: it loads
 * the bundle's modules from the executable's assets. Node reads only CommonJS there, so this is bundled
 * as one such file, and is an asset itself for the threads.
 */
import { createRequire, registerHooks } from "node:module";
import { getAsset } from "node:sea";
import { pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";
import { moduleHooks } from "./module-hooks.ts";

const executable = process.execPath;
// An executable is no folder: no one can put a file of theirs below it.
const root = `${pathToFileURL(executable).href}/`;
const entry = isMainThread ? "dist/cli.js" : String(process.argv[2]);
/** require() of an ES module gives the `import` that CommonJS in an executable does not have. */
const starter = "start.js";

registerHooks(
  moduleHooks(root, (path) =>
    path === starter
      ? `export const start=()=>import(${JSON.stringify(root + entry)});`
      : getAsset(path, "utf8"),
  ),
);
createRequire(executable)(`${executable}/${starter}`).start();
