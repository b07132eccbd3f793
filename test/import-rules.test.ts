import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type Allowed, breaches } from "./import-rules/rules.ts";
import { readSource } from "./import-rules/source-file.ts";

const allowed: Allowed = {
  inkText: ["src/components/text.tsx"],
  process: ["src/cli.ts", "src/sandbox/worker.ts"],
};

/** The breaches of a made-up house, its files given as path and text. */
function breachesIn(files: Record<string, string>): string[] {
  const sources = Object.entries(files).map(([path, text]) => readSource(path, text));
  return breaches(sources, allowed);
}

it("every file of the program keeps to its layer", () => {
  const folder = resolve(import.meta.dirname, "..");
  const paths = globSync("src/**/*.{ts,tsx}", { cwd: folder }).map((path) =>
    path.replaceAll("\\", "/"),
  );
  const sources = paths
    .sort()
    .map((path) => readSource(path, readFileSync(resolve(folder, path), "utf8")));
  expect(sources.length).toBeGreaterThan(20);
  expect(breaches(sources, allowed)).toEqual([]);
});

describe("a layer may import", () => {
  it.each([
    ["src/cli.ts", "./screens/console.tsx"],
    ["src/cli.ts", "./sandbox/server.ts"],
    ["src/commands/accounts.ts", "../accounts/table.ts"],
    ["src/screens/account.tsx", "../components/table.tsx"],
    ["src/components/table.tsx", "../hooks/keys.tsx"],
    ["src/components/table.tsx", "../theme.tsx"],
    ["src/hooks/lists.ts", "../api/accounts.ts"],
    ["src/forms/note.ts", "../api/notes.ts"],
    ["src/accounts/table.ts", "../text/width.ts"],
    ["src/text/problem.ts", "../api/errors.ts"],
    ["src/api/notes.ts", "./http.ts"],
  ])("%s imports %s", (path, from) => {
    expect(breachesIn({ [path]: `import { it } from "${from}";` })).toEqual([]);
  });
});

describe("a layer may not reach up, sideways, or past its neighbour", () => {
  it.each([
    ["src/api/http.ts", "../text/dates.ts"],
    ["src/api/http.ts", "../settings/profile.ts"],
    ["src/text/dates.ts", "../accounts/table.ts"],
    ["src/text/dates.ts", "../theme.tsx"],
    ["src/accounts/table.ts", "../watch/poll.ts"],
    ["src/accounts/table.ts", "../theme.tsx"],
    ["src/watch/poll.ts", "../accounts/table.ts"],
    ["src/settings/profile.ts", "../keys/bindings.ts"],
    ["src/writes/submit.ts", "../forms/note.ts"],
    ["src/forms/note.ts", "../keys/bindings.ts"],
    ["src/keys/bindings.ts", "../settings/profile.ts"],
    ["src/keys/bindings.ts", "../text/width.ts"],
    ["src/watch/poll.ts", "../hooks/now.tsx"],
    ["src/hooks/keys.tsx", "../components/table.tsx"],
    ["src/components/table.tsx", "../screens/account.tsx"],
    ["src/components/table.tsx", "../api/accounts.ts"],
    ["src/commands/accounts.ts", "../screens/account.tsx"],
    ["src/commands/accounts.ts", "../hooks/session.tsx"],
    ["src/screens/account.tsx", "../commands/accounts.ts"],
    ["src/screens/account.tsx", "../sandbox/server.ts"],
    ["src/screens/account.tsx", "../cli.ts"],
    ["src/sandbox/server.ts", "../api/errors.ts"],
    ["src/sandbox/world/world.ts", "../../text/dates.ts"],
    ["src/hooks/now.tsx", "../elsewhere/thing.ts"],
  ])("%s imports %s", (path, from) => {
    const found = breachesIn({ [path]: `import { it } from "${from}";` });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(`${path} imports src/`);
  });

  it.each([
    `import type { Row } from "../accounts/table.ts";`,
    `import { type Row } from "../accounts/table.ts";`,
    `export type { Row } from "../accounts/table.ts";`,
    `export * from "../accounts/table.ts";`,
    `import "../accounts/table.ts";`,
    `type Row = import("../accounts/table.ts").Row;`,
    `const table = await import("../accounts/table.ts");`,
  ])("however it is written: %s", (text) => {
    expect(breachesIn({ "src/api/http.ts": text })).toEqual([
      "src/api/http.ts imports src/accounts/table.ts: api may import json",
    ]);
  });

  it("text takes only types and errors from api", () => {
    const types = `import type { Item } from "../api/lists.ts";`;
    expect(breachesIn({ "src/text/as-curl.ts": types })).toEqual([]);
    const calls = `import { list, type Item } from "../api/lists.ts";`;
    expect(breachesIn({ "src/text/as-curl.ts": calls })).toEqual([
      "src/text/as-curl.ts imports src/api/lists.ts: text takes types from api, and its errors, nothing else",
    ]);
  });

  it("a file outside every layer is told", () => {
    expect(breachesIn({ "src/utils/misc.ts": "" })).toEqual(["src/utils/misc.ts is in no layer"]);
    expect(breachesIn({ "src/other.ts": "" })).toEqual(["src/other.ts is in no layer"]);
  });
});

describe("files may not import in a circle", () => {
  it("however long it is", () => {
    const files = {
      "src/api/a.ts": `import "./b.ts";`,
      "src/api/b.ts": `import type { C } from "./c.ts"; import "./d.ts";`,
      "src/api/c.ts": `import "./a.ts";`,
      "src/api/d.ts": "",
    };
    expect(breachesIn(files)).toEqual([
      "a circle: src/api/a.ts → src/api/b.ts → src/api/c.ts → src/api/a.ts",
    ]);
    expect(breachesIn({ ...files, "src/api/c.ts": "" })).toEqual([]);
  });

  it("not even with themselves", () => {
    expect(breachesIn({ "src/api/a.ts": `import "./a.ts";` })).toEqual([
      "a circle: src/api/a.ts → src/api/a.ts",
    ]);
  });

  it("but two ways to one file are no circle", () => {
    const files = {
      "src/api/a.ts": `import "./b.ts"; import "./c.ts";`,
      "src/api/b.ts": `import "./d.ts";`,
      "src/api/c.ts": `import "./d.ts";`,
      "src/api/d.ts": "",
    };
    expect(breachesIn(files)).toEqual([]);
  });
});

describe("screens may not import each other", () => {
  const house = {
    "src/screens/registry.tsx": `
      import type { Place } from "../hooks/places.ts";
      import "./account/screen.tsx";
      import "./profiles.tsx";
    `,
    "src/screens/profiles.tsx": "",
  };

  it.each([
    ["src/screens/account/screen.tsx", "../accounts/screen.tsx"],
    ["src/screens/account/screen.tsx", "../accounts/columns.ts"],
    ["src/screens/account/screen.tsx", "../profiles.tsx"],
    ["src/screens/profiles.tsx", "./account/screen.tsx"],
    ["src/screens/shell/app.tsx", "../profiles.tsx"],
    ["src/screens/shell/app.tsx", "../account/screen.tsx"],
  ])("%s imports %s", (path, from) => {
    const found = breachesIn({ ...house, [path]: `import { it } from "${from}";` });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch("screens do not import each other");
  });

  it.each([
    ["src/screens/shell/app.tsx", "../registry.tsx"],
    ["src/screens/shell/console.tsx", "./app.tsx"],
    ["src/screens/shell/console.tsx", "../../session/places.ts"],
    ["src/screens/account/screen.tsx", "./facts.tsx"],
    ["src/screens/account/screen.tsx", "../console-options.ts"],
  ])("but %s imports %s", (path, from) => {
    expect(breachesIn({ ...house, [path]: `import { it } from "${from}";` })).toEqual([]);
  });
});

describe("packages", () => {
  it.each([
    ["src/api/http.ts", "react"],
    ["src/api/http.ts", "react/jsx-runtime"],
    ["src/api/http.ts", "ink"],
    ["src/api/http.ts", "ink-text-input"],
    ["src/api/http.ts", "conf"],
    ["src/commands/accounts.ts", "react"],
    ["src/text/width.ts", "ink"],
    ["src/components/table.tsx", "undici"],
    ["src/components/table.tsx", "conf"],
    ["src/screens/account.tsx", "undici"],
    ["src/screens/account.tsx", "conf"],
    ["src/screens/account.tsx", "node:https"],
    ["src/settings/settings.ts", "node:process"],
  ])("%s may not import %s", (path, from) => {
    const found = breachesIn({ [path]: `import { it } from "${from}";` });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(`${path} imports ${from}: `);
  });

  it.each([
    ["src/api/http.ts", "undici"],
    ["src/settings/settings.ts", "conf"],
    ["src/hooks/now.tsx", "react"],
    ["src/cli.ts", "node:process"],
  ])("%s may import %s", (path, from) => {
    expect(breachesIn({ [path]: `import { it } from "${from}";` })).toEqual([]);
  });
});

describe("Ink's Text is taken only where untrusted text is made safe", () => {
  it.each([
    `import { Box, Text } from "ink";`,
    `import { Text as Words } from "ink";`,
    `import * as ink from "ink";`,
    `export { Text } from "ink";`,
    `const { Text } = await import("ink");`,
  ])("not by %s", (text) => {
    expect(breachesIn({ "src/components/table.tsx": text })).toEqual([
      "src/components/table.tsx takes Text from ink: untrusted text passes src/components/text.tsx",
    ]);
  });

  it("but by the gate, and Box by anyone", () => {
    const gate = `import { Text } from "ink";`;
    const box = `import { Box, type TextProps } from "ink"; import { Text } from "./text.tsx";`;
    expect(
      breachesIn({ "src/components/text.tsx": gate, "src/components/table.tsx": box }),
    ).toEqual([]);
  });
});

describe("globals", () => {
  it.each([
    "const home = process.env.HOME;",
    "export const on = () => process;",
    "const { env } = process;",
    "const options = { process };",
    "const value = options[process.pid];",
    "globalThis.process.exit(1);",
    "const process = globalThis.process;",
    "(process as unknown as Loud).exit(1);",
    "const kind = typeof process;",
    "{ const process = find(); } process.exit(1);",
    "const show = (process: Import) => process.status; process.exit(1);",
  ])("process is used only by the entry and the sandbox's worker: %s", (text) => {
    expect(breachesIn({ "src/settings/folders.ts": text })).toEqual([
      "src/settings/folders.ts uses process: only src/cli.ts and src/sandbox/worker.ts may",
    ]);
    expect(breachesIn({ "src/cli.ts": text, "src/sandbox/worker.ts": text })).toEqual([]);
  });

  it.each([
    "// process.env",
    `const words = "process.exit()";`,
    "const words = `the process`;",
    "const status = answer.process;",
    "const answer = { process: 1 };",
    "interface Answer { process: string }",
    "class Answer { process(): void {} }",
    "type Env = typeof process.env;",
    "const process = find(); show(process.status);",
    "const show = (process: Import) => process.status;",
    "const show = ({ process }: Import) => process.status;",
    "for (const process of list) show(process);",
  ])("the word alone is none: %s", (text) => {
    expect(breachesIn({ "src/settings/folders.ts": text })).toEqual([]);
  });

  it("fetch is used by no component and no screen", () => {
    const text = `const answer = await fetch("https://example.com");`;
    expect(breachesIn({ "src/components/a.tsx": text, "src/screens/b.tsx": text })).toEqual([
      "src/components/a.tsx uses fetch: what is shown comes through hooks",
      "src/screens/b.tsx uses fetch: what is shown comes through hooks",
    ]);
    expect(breachesIn({ "src/api/http.ts": text })).toEqual([]);
    expect(breachesIn({ "src/screens/b.tsx": "query.fetch();" })).toEqual([]);
  });
});
