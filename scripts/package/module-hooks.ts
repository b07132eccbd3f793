import type { LoadHookSync, ResolveHookSync } from "node:module";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Hooks that find ES modules in memory. Each has the path it would have as a file below `root`, a file
 * URL that ends with "/"; `texts` answers with a module's text by its path from there. Imports of
 * anything else stay Node's own.
 */
export function moduleHooks(
  root: string,
  texts: (path: string) => string,
): { readonly resolve: ResolveHookSync; readonly load: LoadHookSync } {
  return {
    resolve(specifier, context, next) {
      const isOwn = context.parentURL?.startsWith(root) && specifier.startsWith(".");
      const url = isOwn
        ? new URL(specifier, context.parentURL).href
        : isAbsolute(specifier) // As require() has it.
          ? pathToFileURL(specifier).href
          : specifier;
      if (!url.startsWith(root)) return next(specifier, context);
      return { url, format: "module", shortCircuit: true };
    },
    load(url, context, next) {
      if (!url.startsWith(root)) return next(url, context);
      const source = texts(decodeURIComponent(url.slice(root.length)));
      return { format: "module", source, shortCircuit: true };
    },
  };
}
