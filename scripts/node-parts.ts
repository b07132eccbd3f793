import { isBuiltin } from "node:module";

/** An import as esbuild writes it without white space; no source is written like this. */
const statement =
  /\bimport(?: (?<whole>[\w$]+)|\*as (?<all>[\w$]+))?,?(?:\{(?<names>[^{}]*)\})? ?from"(?<from>[^"]+)";/g;

/**
 * A bundled file that takes Node's own modules by `process.getBuiltinModule` instead of `import`. An
 * import reads every property of the module, and so loads all that Node itself keeps for its first
 * use: for `process`, `util` and `fs` some dozens of files. (`globalThis`, for `process` is a name that
 * packages import.)
 */
export function takeNodeParts(text: string): string {
  return text.replace(statement, (as: string, ...rest: unknown[]) => {
    const { whole, all, names, from = "" } = rest.at(-1) as Record<string, string | undefined>;
    if (!isBuiltin(from)) return as;
    const part = `globalThis.process.getBuiltinModule(${JSON.stringify(from)})`;
    return [whole, all, names === undefined ? undefined : `{${names.replaceAll(" as ", ":")}}`]
      .filter((name) => name !== undefined)
      .map((name) => `const ${name}=${part};`)
      .join("");
  });
}
