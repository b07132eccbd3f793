/** A node of the syntax tree, looked at without knowing its kind. */
export type Tree = Readonly<Record<string, unknown>>;

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null;
}

/** A child, or the children in a list, as nodes. */
export function trees(value: unknown): Tree[] {
  return Array.isArray(value) ? value.filter(isTree) : isTree(value) ? [value] : [];
}

/** The only child in that place, when there is one. */
export function tree(value: unknown): Tree | null {
  return isTree(value) ? value : null;
}

/** An identifier's name or a literal's value; empty for anything else. */
export function nameOf(value: unknown): string {
  return isTree(value) ? String(value.name ?? value.value ?? "") : "";
}

/** The names that a pattern binds: `a`, `{ a, b: c }`, `[a = 1, ...b]`. */
function boundBy(pattern: Tree): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [nameOf(pattern)];
    case "ObjectPattern":
      return trees(pattern.properties).flatMap((one) => trees(one.value ?? one).flatMap(boundBy));
    case "ArrayPattern":
      return trees(pattern.elements).flatMap(boundBy);
    case "AssignmentPattern":
      return trees(pattern.left).flatMap(boundBy);
    case "RestElement":
      return trees(pattern.argument).flatMap(boundBy);
    case "TSParameterProperty":
      return trees(pattern.parameter).flatMap(boundBy);
    default:
      return [];
  }
}

/** The names that a statement declares in the block it stands in. */
function declaredBy(statement: Tree): string[] {
  const declaration = tree(statement.declaration);
  switch (statement.type) {
    case "VariableDeclaration":
      return trees(statement.declarations).flatMap((one) => trees(one.id).flatMap(boundBy));
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return [nameOf(statement.id)];
    case "ImportDeclaration":
      return trees(statement.specifiers).map((one) => nameOf(one.local));
    case "ExportNamedDeclaration":
      return declaration ? declaredBy(declaration) : [];
    default:
      return [];
  }
}

/** The names that are the file's own, and not the global ones, inside a node. */
export function declaredIn(node: Tree): string[] {
  const params = trees(node.params).concat(trees(node.param)).flatMap(boundBy);
  const statements = [node.body, node.init, node.left]
    .flatMap(trees)
    .concat(trees(node.cases).flatMap((one) => trees(one.consequent)));
  return params.concat(statements.flatMap(declaredBy));
}
