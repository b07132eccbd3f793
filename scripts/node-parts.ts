import { isBuiltin } from "node:module";

/** An import as esbuild writes it without white space; no source is written like this. */
const statement =
  /\bimport(?: (?<whole>[\w$]+)|\*as (?<all>[\w$]+))?,?(?:\{(?<names>[^{}]*)\})? ?from"(?<from>[^"]+)";/g;

/** Modules that take milliseconds to load: their functions are taken when one is called first. */
const slow = new Set(["node:crypto", "node:fs/promises", "node:child_process"]);
/** The exception to the rule that a name with a small initial is a function. */
const isFunction = (name: string) => /^[a-z]/.test(name) && name !== "constants";

/** Names of a module's parts, as esbuild writes them, each with how it is taken. */
function partsOf(names: string, part: string, isSlow: boolean): string {
  const parts = names.split(",").map((one) => one.trim().split(" as "));
  const late = parts.filter(([name = ""]) => isSlow && isFunction(name));
  const early = parts.filter((one) => !late.includes(one)).map((one) => one.join(":"));
  return [
    ...(early.length === 0 ? [] : [`const {${early.join(",")}}=${part};`]),
    ...late.map(([name, local = name]) => `const ${local}=(...given)=>${part}.${name}(...given);`),
  ].join("");
}

/**
 * A bundled file that takes Node's own modules by `process.getBuiltinModule` instead of `import`. An
 * import reads every property of the module, and so loads all that Node itself keeps for its first
 * use: for `process`, `util` and `fs` some dozens of files. Functions of slow modules wait for their
 * first call. (`globalThis`, for `process` is a name that packages import.)
 */
export function takeNodeParts(text: string): string {
  return text.replace(statement, (as: string, ...rest: unknown[]) => {
    const { whole, all, names, from = "" } = rest.at(-1) as Record<string, string | undefined>;
    if (!isBuiltin(from)) return as;
    const part = `globalThis.process.getBuiltinModule(${JSON.stringify(from)})`;
    return [whole, all]
      .filter((name) => name !== undefined)
      .map((name) => `const ${name}=${part};`)
      .concat(names === undefined ? [] : partsOf(names, part, slow.has(from)))
      .join("");
  });
}
