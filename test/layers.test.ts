import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";

const project = resolve(import.meta.dirname, "..");
const layers = "biome.layers.json";

/** The rules that this is about. */
const rules = ["noRestrictedImports", "noRestrictedGlobals", "noImportCycles"];

interface Report {
  readonly diagnostics: readonly {
    readonly category: string;
    readonly location: { readonly path: string };
  }[];
}

/** What the project's own lint rules find in a made-up house: rules by path. */
function lint(files: Readonly<Record<string, string>>): ReadonlyMap<string, readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "layers-"));
  try {
    for (const name of ["biome.json", layers]) {
      copyFileSync(join(project, name), join(folder, name));
    }
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), `${text}\n`);
    }
    const { stdout } = spawnSync(
      join(project, "node_modules/.bin/biome"),
      ["lint", "--reporter=json", "--max-diagnostics=none"],
      { cwd: folder, encoding: "utf8" },
    );
    const { diagnostics } = JSON.parse(stdout) as Report;
    const found = new Map<string, string[]>();
    for (const { category, location } of diagnostics) {
      const rule = category.split("/").at(-1) ?? category;
      if (!rules.includes(rule)) continue;
      found.set(location.path, [...(found.get(location.path) ?? []), rule]);
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const refusedImports: readonly (readonly [folder: string, from: string])[] = [
  ["src/json", "../api/errors.ts"],
  ["src/api", "../text/dates.ts"],
  ["src/api", "../settings/profile.ts"],
  ["src/api", "../accounts/table.ts"],
  ["src/text", "../accounts/table.ts"],
  ["src/text", "../theme.tsx"],
  ["src/accounts", "../watch/poll.ts"],
  ["src/accounts/ingest", "../../theme.tsx"],
  ["src/watch", "../accounts/table.ts"],
  ["src/sqlite", "../settings/profile.ts"],
  ["src/accounts", "../sqlite/open-file.ts"],
  ["src/settings", "../keys/bindings.ts"],
  ["src/settings", "../forms/note.ts"],
  ["src/forms", "../writes/guard.ts"],
  ["src/forms", "../keys/bindings.ts"],
  ["src/writes/journal", "../../bulk/run.ts"],
  ["src/bulk/input", "../../session/places.ts"],
  ["src/triage", "../session/places.ts"],
  ["src/keys", "../settings/profile.ts"],
  ["src/keys", "../text/width.ts"],
  ["src/session", "../hooks/now.tsx"],
  ["src/hooks", "../components/table.tsx"],
  ["src/components", "../screens/account.tsx"],
  ["src/components/overlays", "../../api/accounts.ts"],
  ["src/commands/notes", "../../screens/account.tsx"],
  ["src/commands", "../session/places.ts"],
  ["src/screens/account", "../../commands/accounts.ts"],
  ["src/screens/account", "../../sandbox/server.ts"],
  ["src/screens/account", "../../cli.ts"],
  ["src/screens/account", "../accounts/columns.ts"],
  ["src/screens/shell", "../account/screen.tsx"],
  ["src/sandbox", "../api/errors.ts"],
  ["src/sandbox/world", "../../text/dates.ts"],
  ["src/api", "react"],
  ["src/api", "ink-text-input"],
  ["src/api", "conf"],
  ["src/session", "react"],
  ["src/commands", "react/jsx-runtime"],
  ["src/text", "ink"],
  ["src/components", "undici"],
  ["src/screens/account", "node:https"],
  ["src/settings", "node:process"],
];

const allowedImports: typeof refusedImports = [
  ["src", "./commands/entry.ts"],
  ["src/api", "../json/scan.ts"],
  ["src/commands/accounts", "../../accounts/table.ts"],
  ["src/screens/account", "../../components/table.tsx"],
  ["src/screens/account", "./facts.tsx"],
  ["src/screens/shell", "../registry.tsx"],
  ["src/screens/shell", "../../session/places.ts"],
  ["src/components", "../theme.tsx"],
  ["src/hooks", "../api/accounts.ts"],
  ["src/hooks", "react"],
  ["src/writes", "../forms/note.ts"],
  ["src/writes/journal", "../../sqlite/open-file.ts"],
  ["src/sqlite", "../text/dates.ts"],
  ["src/bulk/input", "../../writes/guard.ts"],
  ["src/accounts/ingest", "../../api/accounts.ts"],
  ["src/text", "../api/errors.ts"],
  ["src/api", "undici"],
  ["src/settings", "conf"],
];

/** However an import is written, from a layer that may not have it. */
const waysToImport = [
  `import type { Row } from "../accounts/table.ts"; export type R = Row;`,
  `import { type Row } from "../accounts/table.ts"; export type R = Row;`,
  `export type { Row } from "../accounts/table.ts";`,
  `export * from "../accounts/table.ts";`,
  `import "../accounts/table.ts";`,
  `export const table = await import("../accounts/table.ts");`,
];

const waysToTakeText = [
  `import { Box, Text } from "ink"; export const t = [Box, Text];`,
  `import { Text as Words } from "ink"; export const t = Words;`,
  `export { Text } from "ink";`,
  `export const { Text } = await import("ink");`,
];

const processUses = [
  "export const home = process.env.HOME;",
  "export const on = () => process;",
  "export const { env } = process;",
  "export const options = { process };",
  "export const kind = typeof process.env;",
];

const processWords = [
  "// process.env",
  `export const words = "process.exit()";`,
  "export const status = (answer: { process: string }) => answer.process;",
  "export class Answer { process(): void {} }",
  "export const show = (process: { status: string }) => process.status;",
];

const waysToStart = [
  `import { createServer } from "node:http"; export const s = createServer;`,
  `import { createServer } from "node:https"; export const s = createServer;`,
  `import { createServer as listen } from "node:net"; export const s = listen;`,
  `import { spawn } from "node:child_process"; export const s = spawn;`,
  `import { exec, spawnSync } from "node:child_process"; export const s = [exec, spawnSync];`,
  `export const { execFile } = await import("node:child_process");`,
  `import { spawn } from "@lydell/node-pty"; export const s = spawn;`,
  `import { startSandbox } from "../../src/sandbox/index.ts"; export const s = startSandbox;`,
];

const importing = (from: string) => `import { it } from "${from}"; export const used = it;`;

describe("the lint rules", () => {
  let found: ReadonlyMap<string, readonly string[]>;
  const files: Record<string, string> = {};
  const put = (folder: string, group: string, at: number, text: string) => {
    const path = `${folder}/${group}-${at}.ts`;
    files[path] = text;
    return path;
  };
  const refused = refusedImports.map(
    ([folder, from], at) => [put(folder, "refused", at, importing(from)), from] as const,
  );
  const allowed = allowedImports.map(
    ([folder, from], at) => [put(folder, "allowed", at, importing(from)), from] as const,
  );
  const ways = waysToImport.map((text, at) => [text, put("src/api", "way", at, text)] as const);
  const takes = waysToTakeText.map(
    (text, at) => [text, put("src/components", "take", at, text)] as const,
  );
  const uses = processUses.map((text, at) => [text, put("src/settings", "use", at, text)] as const);
  const words = processWords.map((text, at) => [text, put("src/bulk", "word", at, text)] as const);
  const starts = waysToStart.map((text, at) => {
    const helper = put("test/helpers", "start", at, text);
    return [text, put("test/writes", "start", at, text), helper] as const;
  });
  const fetching = `export const answer = await fetch("https://example.com");`;
  files["src/components/text.tsx"] = waysToTakeText[0] ?? "";
  const entries = ["src/cli.ts", "src/program.ts", "src/start/chunks.ts"];
  for (const path of entries) files[path] = processUses.join("\n");
  files["src/sandbox/worker.ts"] = processUses.join("\n");
  files["src/components/fetching.tsx"] = fetching;
  files["src/screens/account/fetching.tsx"] = fetching;
  files["src/api/fetching.ts"] = fetching;
  files["src/watch/a.ts"] = `import { b } from "./b.ts"; export const a = b;`;
  files["src/watch/b.ts"] = `import { c } from "./c.ts"; export const b = c;`;
  files["src/watch/c.ts"] = `import type { a } from "./a.ts"; export const c = 1 as typeof a;`;

  beforeAll(() => {
    found = lint(files);
  });

  test.each(refused)("do not let %s import %s", (path) => {
    expect(found.get(path)).toEqual(["noRestrictedImports"]);
  });

  test.each(allowed)("let %s import %s", (path) => {
    expect(found.get(path)).toBeUndefined();
  });

  test.each(ways)("see an import however it is written: %s", (_text, path) => {
    expect(found.get(path)).toEqual(["noRestrictedImports"]);
  });

  test.each(takes)("let no component but the gate for text take Ink's Text: %s", (_text, path) => {
    expect(found.get(path)).toEqual(["noRestrictedImports"]);
    expect(found.get("src/components/text.tsx")).toBeUndefined();
  });

  test.each(uses)("let only the entry and the sandbox's worker use process: %s", (_text, path) => {
    expect(found.get(path)).toEqual(["noRestrictedGlobals"]);
    for (const entry of entries) expect(found.get(entry)).toBeUndefined();
    expect(found.get("src/sandbox/worker.ts")).toBeUndefined();
  });

  test.each(words)("do not mistake the word for the global: %s", (_text, path) => {
    expect(found.get(path)).toBeUndefined();
  });

  test.each(starts)("let only helpers of the tests start anything: %s", (_text, path, helper) => {
    expect(found.get(path)).toEqual(["noRestrictedImports"]);
    expect(found.get(helper)).toBeUndefined();
  });

  test("let no component and no screen fetch", () => {
    expect(found.get("src/components/fetching.tsx")).toEqual(["noRestrictedGlobals"]);
    expect(found.get("src/screens/account/fetching.tsx")).toEqual(["noRestrictedGlobals"]);
    expect(found.get("src/api/fetching.ts")).toBeUndefined();
  });

  test("find a circle of imports, types included", () => {
    for (const name of ["a", "b", "c"]) {
      expect(found.get(`src/watch/${name}.ts`)).toEqual(["noImportCycles"]);
    }
  });
});

test("every folder of the program has its rule", () => {
  const config = readFileSync(join(project, layers), "utf8");
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

test("a file of less than 40 lines has several readers, or is loaded on its own", () => {
  const paths = readdirSync(join(project, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join("src", path));
  const imports = paths.map(importsOf);
  const loaded = new Set(imports.flatMap((one) => one.loaded));
  const readers = Map.groupBy(
    imports.flatMap(({ read }) => [...new Set(read)]),
    (path) => path,
  );
  const isShort = (path: string) =>
    readFileSync(join(project, path), "utf8").split("\n").length <= 40;
  const found = paths.filter(
    (path) => readers.get(path)?.length === 1 && !loaded.has(path) && isShort(path),
  );
  expect(found.toSorted()).toEqual(Object.keys(shortFiles).toSorted());
});
