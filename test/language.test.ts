import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { usesIn } from "./language/uses.ts";

const project = resolve(import.meta.dirname, "..");

const files = globSync(
  [
    "{src,test,bench,faults,scripts}/**/*.{ts,tsx}",
    "{docs,examples,src,bench,faults}/**/*.md",
    "*.md",
  ],
  { cwd: project },
).filter((path) => !path.startsWith("test/language"));

test("strings, comments, test names and documents use the words of the glossary", () => {
  expect(files.length).toBeGreaterThan(900);
  const uses = files.flatMap((path) => usesIn(path, readFileSync(resolve(project, path), "utf8")));
  expect(uses).toEqual([]);
});

describe("a retired word is found", () => {
  test.each([
    ["in a string", "src/a.ts", `show("The service told us nothing");`],
    ["in a template", "src/a.ts", "show(`It is there already`);"],
    ["in JSX", "src/a.tsx", "export const a = <Line>Try once more</Line>;"],
    ["in a string that users read", "src/a.ts", `show("The draft is kept here");`],
    ["in a line comment", "src/a.ts", "// Nobody reads it.\nlet a = 1;"],
    ["in a docstring", "src/a.ts", "/**\n * What mends\n * it.\n */\nlet a = 1;"],
    ["in a test name", "test/a.test.ts", `test.each(rows)("the write landed: %s", run);`],
    ["in a document", "docs/a.md", "A draft is put aside."],
  ])("%s", (_where, path, source) => {
    expect(usesIn(path, source)).toHaveLength(1);
  });

  test.each([
    ["a code that is no prose", "src/a.ts", `const kind = "told";`],
    ["an address in an import", "src/a.ts", `import { a } from "./mend a thing.ts";`],
    ["code in a document", "docs/a.md", "Use `nobody here`.\n\n```\ntold you so\n```"],
    ["a comment sign in a string", "src/a.ts", `const url = "https://a.example/told";`],
  ])("but not %s", (_where, path, source) => {
    expect(usesIn(path, source)).toEqual([]);
  });
});
