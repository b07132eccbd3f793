import { parseAst } from "vitest/node";

/** A piece of prose in a file. */
export interface Text {
  readonly kind: "string" | "comment" | "title" | "document";
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

type Node = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
};

/** The strings, test titles and comments of a TypeScript file. */
export function textsOfSource(path: string, source: string): Text[] {
  const lang = path.endsWith("x") ? "tsx" : "ts";
  const program = parseAst(source, { lang, sourceType: "module" }, path) as unknown as Node;
  const lineAt = (offset: number) => source.slice(0, offset).split("\n").length;
  const texts: Text[] = [];
  const quoted: (readonly [number, number])[] = [];
  const titles = new Set<unknown>();
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const one of node) walk(one);
      return;
    }
    if (typeof node !== "object" || node === null) return;
    const { type } = node as Node;
    if (typeof type !== "string") return;
    if (/^(?:Import|ExportAll|ExportNamed)/.test(type) && "source" in node && node.source) {
      if (type !== "ExportNamedDeclaration") return;
    }
    if (type === "CallExpression" && isTestCall(node as Node)) titles.add(firstOf(node as Node));
    if (/^(?:Literal|TemplateElement|JSXText)$/.test(type)) {
      quoted.push([(node as Node).start, (node as Node).end]);
    }
    const text = textOf(node as Node);
    if (text !== null) {
      const kind = titles.has(node) ? "title" : "string";
      texts.push({ kind, line: lineAt((node as Node).start), text });
    }
    for (const [key, value] of Object.entries(node)) if (key !== "type") walk(value);
  };
  walk(program);
  for (const { 0: text, index } of source.matchAll(/\/\*[\s\S]*?\*\/|\/\/.*/g)) {
    if (quoted.some(([start, end]) => index >= start && index < end)) continue;
    texts.push({ kind: "comment", line: lineAt(index), text: text.replace(/\n\s*\*\s?/g, " ") });
  }
  return texts;
}

function firstOf(call: Node): unknown {
  return (call.arguments as readonly unknown[])[0];
}

/** `it("…")`, `test.each(rows)("…")`, `describe.skipIf(…)("…")`. */
function isTestCall(call: Node): boolean {
  let callee = call.callee as Node;
  while (callee.type === "MemberExpression" || callee.type === "CallExpression") {
    callee = (callee.object ?? callee.callee) as Node;
  }
  return callee.type === "Identifier" && /^(?:it|test|describe)$/.test(String(callee.name));
}

/** The prose of a literal, a template or JSX; null for anything else. Codes, paths and SQL are no prose. */
function textOf(node: Node): string | null {
  if (node.type === "Literal" && typeof node.value === "string") return proseOf(node.value);
  if (node.type === "JSXText") return proseOf(String(node.value));
  if (node.type === "TemplateLiteral") {
    const parts = node.quasis as readonly { readonly value: { readonly cooked: string | null } }[];
    return proseOf(parts.map(({ value }) => value.cooked ?? "").join("…"));
  }
  return null;
}

function proseOf(text: string): string | null {
  if (/^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|WITH)\s/.test(text)) return null;
  return /[a-z] [a-z]/i.test(text) ? text.replace(/\s+/g, " ") : null;
}

/** The lines of a Markdown document that are prose: code is left out. */
export function textsOfDocument(source: string): Text[] {
  const texts: Text[] = [];
  let fence = false;
  for (const [at, line] of source.split("\n").entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) fence = !fence;
    else if (!fence)
      texts.push({ kind: "document", line: at + 1, text: line.replace(/`[^`]*`/g, "`…`") });
  }
  return texts;
}
