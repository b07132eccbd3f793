/**
 * Loaded before a client (`node --import`): hands Node another source for the files that a sabotage
 * patches. A snippet that is not there once ends the process, so that no sabotage is ever idle.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { sabotageNamed } from "./list.ts";
import { patched } from "./patched.ts";

const sources = resolve(import.meta.dirname, "../../src");
const { patches } = sabotageNamed(process.env.CAMPAIGN_SABOTAGE ?? "");

registerHooks({
  load: (url, context, next) => {
    if (!url.startsWith("file:")) return next(url, context);
    const path = fileURLToPath(url);
    const mine = patches.filter(({ file }) => resolve(sources, file) === path);
    if (mine.length === 0) return next(url, context);
    const source = patched(readFileSync(path, "utf8"), mine);
    return { format: "module-typescript", source, shortCircuit: true };
  },
});
