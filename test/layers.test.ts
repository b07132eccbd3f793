import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const project = resolve(import.meta.dirname, "..");

test("every folder of the program has its layer in the lint rules", () => {
  const config = readFileSync(join(project, "biome.layers.json"), "utf8");
  const folders = readdirSync(join(project, "src"), { withFileTypes: true });
  const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(14);
  for (const name of names) expect(config).toMatch(new RegExp(`"src/${name}/`));
});

/** Files that stay apart from their one reader although they are short, and why. */
const shortFiles: Readonly<Record<string, string>> = {
  "src/accounts/ingest/row-scan-code.ts": "npm run row-scan writes it",
  "src/commands/entry.ts":
    "all that the process takes from the program, which src/program.ts reads",
};

/** The files that a file of the program names after `from`, and those that it loads with `import()`. */
function importsOf(path: string) {
  const text = readFileSync(join(project, path), "utf8");
  const named = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, name = ""]) => join(dirname(path), name));
  return { read: named(/ from "(\.[^"]+)";/g), loaded: named(/import\("(\.[^"]+)"\)/g) };
}

const paths = readdirSync(join(project, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => join("src", path));

const textOf = (path: string) => readFileSync(join(project, path), "utf8");

test("no file imports itself, directly or through others, not even for a type", () => {
  const isFree = new Set<string>();
  const circles: string[] = [];
  const follow = (path: string, way: readonly string[]) => {
    if (isFree.has(path)) return;
    if (way.includes(path)) {
      circles.push([...way.slice(way.indexOf(path)), path].join(" → "));
      return;
    }
    for (const next of importsOf(path).read) {
      if (paths.includes(next)) follow(next, [...way, path]);
    }
    isFree.add(path);
  };
  for (const path of paths) follow(path, []);
  expect(circles).toEqual([]);
});

test("only src/accounts knows that a row has three ends of texts", () => {
  const found = paths
    .filter((path) => !path.startsWith("src/accounts/"))
    .filter((path) => /\[[^\]]*\* 3\b|\* 3 \+/.test(textOf(path)));
  expect(found).toEqual([]);
});

test("only the driver of a team's ledger loads PostgreSQL's client, and it is loaded late", () => {
  const driver = "src/writes/team/postgres.ts";
  expect(paths.filter((path) => / from "pg[/"]/.test(textOf(path)))).toEqual([driver]);
  expect(paths.flatMap((path) => importsOf(path).read)).not.toContain(driver);
});

test("React's tree has at most six contexts", () => {
  const made = paths.flatMap((path) => textOf(path).match(/\bcreateContext[<(]/g) ?? []);
  expect(made.length).toBeLessThanOrEqual(6);
});

test("a file of less than 40 lines has several readers, or is loaded on its own", () => {
  const imports = paths.map(importsOf);
  const loaded = new Set(imports.flatMap((one) => one.loaded));
  const readers = Map.groupBy(
    imports.flatMap(({ read }) => [...new Set(read)]),
    (path) => path,
  );
  const isShort = (path: string) => textOf(path).split("\n").length <= 40;
  const found = paths.filter(
    (path) => readers.get(path)?.length === 1 && !loaded.has(path) && isShort(path),
  );
  expect(found.toSorted()).toEqual(Object.keys(shortFiles).toSorted());
});
