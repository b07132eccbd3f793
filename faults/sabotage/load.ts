/**
 * Loaded before a client (`node --import`): gives Node another source for the files that a sabotage
 * changes. A change that finds nothing to replace ends the process, so that no sabotage is ever idle.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { clientNamed } from "./list.ts";
import { patched } from "./patched.ts";
import { replacing } from "./replacing.ts";

const sources = resolve(import.meta.dirname, "../../src");
const { patches = [], replacements = [] } = clientNamed(process.env.CAMPAIGN_SABOTAGE ?? "");
const isIn = (path: string) => (one: { readonly file: string }) =>
  resolve(sources, one.file) === path;

registerHooks({
  load: (url, context, next) => {
    if (!url.startsWith("file:")) return next(url, context);
    const path = fileURLToPath(url);
    const replaced = replacements.filter(isIn(path));
    if (replaced.length > 0 && !url.endsWith("?original")) {
      const source = replacing(url, replaced);
      return { format: "module", source, shortCircuit: true };
    }
    const mine = patches.filter(isIn(path));
    if (mine.length === 0) return next(url, context);
    const source = patched(readFileSync(path, "utf8"), mine);
    return { format: "module-typescript", source, shortCircuit: true };
  },
});
