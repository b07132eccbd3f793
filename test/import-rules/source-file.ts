import { parseAst } from "vitest/node";
import { declaredIn, nameOf, type Tree, tree, trees } from "./tree.ts";

/** One import, re-export, dynamic import or import type. */
export interface Import {
  /** As written: `./x.ts`, `ink`, `node:fs`. */
  readonly from: string;
  /** Names taken; `*` for all of them, `default` for the default export. */
  readonly names: readonly string[];
  readonly typeOnly: boolean;
}

/** What the rules need to know of a file. */
export interface SourceFile {
  /** From the project's folder, with slashes: `src/api/http.ts`. */
  readonly path: string;
  readonly imports: readonly Import[];
  /** Global names the code itself uses; types, comments, strings and own names do not count. */
  readonly globals: ReadonlySet<string>;
}

/** The globals that a rule speaks about. */
const watched = new Set(["process", "fetch"]);

/** TypeScript wrappers around an expression; all other TypeScript nodes are types. */
const expressionWrappers = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
]);

/** Names and type-ness of a static import or re-export; null when it is something else. */
function staticImport(node: Tree): Import | null {
  const source = tree(node.source);
  if (!source) return null;
  const from = nameOf(source);
  const wholeIsType = node.importKind === "type" || node.exportKind === "type";
  if (node.type === "ExportAllDeclaration") return { from, names: ["*"], typeOnly: wholeIsType };
  if (node.type !== "ImportDeclaration" && node.type !== "ExportNamedDeclaration") return null;
  const specifiers = trees(node.specifiers);
  const names = specifiers.map((specifier) => {
    if (specifier.type === "ImportNamespaceSpecifier") return "*";
    if (specifier.type === "ImportDefaultSpecifier") return "default";
    return nameOf(specifier.type === "ImportSpecifier" ? specifier.imported : specifier.local);
  });
  const allTypes =
    specifiers.length > 0 &&
    specifiers.every((one) => one.importKind === "type" || one.exportKind === "type");
  return { from, names, typeOnly: wholeIsType || allTypes };
}

/** `import("./x.ts")` in code and in types. */
function inlineImport(node: Tree): Import | null {
  if (node.type === "ImportExpression" && tree(node.source)?.type === "Literal") {
    return { from: nameOf(node.source), names: ["*"], typeOnly: false };
  }
  if (node.type === "TSImportType") {
    return { from: nameOf(node.source ?? node.argument), names: ["*"], typeOnly: true };
  }
  return null;
}

/** Whether a child of a node is only a name there, and not the thing of that name. */
function isOnlyName(parent: Tree, role: string): boolean {
  if (role === "property") return parent.type === "MemberExpression" && parent.computed !== true;
  if (role === "key") return parent.computed !== true;
  if (role === "label") return true;
  return /^(Import|Export)\w*Specifier$/.test(String(parent.type)) && role !== "local";
}

/** `globalThis.process` is `process` as well. */
function throughGlobalThis(node: Tree): string | null {
  if (node.type !== "MemberExpression" || nameOf(node.object) !== "globalThis") return null;
  return nameOf(node.property);
}

/** Reads what the rules need from a file's text. Throws when it does not parse. */
export function readSource(path: string, text: string): SourceFile {
  const imports: Import[] = [];
  const globals = new Set<string>();

  const visit = (node: Tree, inType: boolean, own: ReadonlySet<string>): void => {
    const found = staticImport(node) ?? inlineImport(node);
    if (found) imports.push(found);
    const type = String(node.type ?? "");
    const isType = inType || (type.startsWith("TS") && !expressionWrappers.has(type));
    if (!isType) {
      const plain = type === "Identifier" && !own.has(nameOf(node)) ? nameOf(node) : null;
      const name = plain ?? throughGlobalThis(node);
      if (name !== null && watched.has(name)) globals.add(name);
    }
    const declared = declaredIn(node).filter((name) => watched.has(name));
    const inside = declared.length > 0 ? new Set([...own, ...declared]) : own;
    for (const [role, child] of Object.entries(node)) {
      for (const part of trees(child)) {
        if (typeof part.type !== "string") continue;
        if (part.type === "Identifier" && isOnlyName(node, role)) continue;
        visit(part, isType, inside);
      }
    }
  };
  const language = path.endsWith("x") ? "tsx" : "ts";
  visit(parseAst(text, { lang: language }, path) as unknown as Tree, false, new Set());
  return { path, imports, globals };
}
