/**
 * Writes `biome.layers.json`, the lint rules that keep imports going down, from the ordered list of
 * the folders of `src`.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";

interface Layer {
  readonly name: string;
  /** Layers below that it may not import. */
  readonly not?: readonly string[];
  /** The only layers below that it may import. Default: all but `not`. */
  readonly only?: readonly string[];
  readonly rules?: readonly (keyof typeof extraRules)[];
}

const processRule = {
  group: ["{node:,}process"],
  message:
    "Only the entry (src/cli.ts, src/program.ts, src/start) and the sandbox worker use process.",
};

const extraRules = {
  headless: {
    group: ["{react,ink}", "{react,ink}/*", "{react,ink}-*"],
    message: "Headless code loads neither React nor Ink.",
  },
  noData: {
    group: ["undici", "conf", "node:http", "node:https"],
    message: "Data comes through hooks.",
  },
  noSettings: { group: ["conf"], message: "The service knows no settings." },
  ownScreen: {
    group: ["../*/**", "!../../**"],
    message: "Screens do not import each other: they push a place.",
  },
} as const;

const inkText = {
  paths: {
    ink: { importNames: ["Text"], message: "Text from outside passes src/components/text.tsx." },
  },
};

/** From the top down. A layer imports what is below it. */
const layers: readonly Layer[] = [
  {
    name: "commands",
    not: ["screens", "components", "hooks", "session", "theme"],
    rules: ["headless"],
  },
  { name: "sandbox", only: [], rules: ["headless"] },
  { name: "screens", rules: ["noData", "ownScreen"] },
  { name: "components", not: ["api"], rules: ["noData"] },
  { name: "hooks" },
  { name: "session", rules: ["headless"] },
  { name: "keys", only: [], rules: ["headless"] },
  { name: "triage", rules: ["headless"] },
  { name: "bulk", rules: ["headless"] },
  { name: "writes", rules: ["headless"] },
  { name: "forms", not: ["watch", "accounts", "sqlite"], rules: ["headless"] },
  { name: "theme", only: ["text"] },
  { name: "watch", not: ["accounts"], rules: ["headless"] },
  { name: "accounts", not: ["sqlite"], rules: ["headless"] },
  { name: "state", rules: ["headless"] },
  { name: "settings", not: ["sqlite"], rules: ["headless"] },
  { name: "sqlite", rules: ["headless"] },
  { name: "files", rules: ["headless"] },
  { name: "rows", rules: ["headless"] },
  { name: "errors", rules: ["headless"] },
  { name: "text", rules: ["headless"] },
  { name: "api", rules: ["headless", "noSettings"] },
  { name: "json", rules: ["headless"] },
  { name: "log", rules: ["headless"] },
];

/** The one layer that is a file. */
const fileLayer = "theme";

/** Layers that draw, where text from outside has one way to the screen. */
const drawing = ["screens", "components", "hooks"];

/** Returns the names of the layers that a layer may import. */
function allowedIn({ name, not = [], only }: Layer): readonly string[] {
  const below = layers.slice(layers.findIndex((layer) => layer.name === name) + 1);
  const names = below.map((layer) => layer.name);
  return names.filter((other) => only?.includes(other) ?? !not.includes(other));
}

function ruleOf(layer: Layer) {
  const { name, rules = [] } = layer;
  const allowed = allowedIn(layer);
  const forbidden = layers
    .map((other) => other.name)
    .filter((other) => other !== name && !allowed.includes(other));
  const folders = forbidden.filter((other) => other !== fileLayer);
  const files = ["cli", ...forbidden.filter((other) => other === fileLayer)];
  const message = `${name} may import: ${allowed.join(", ") || "nothing of ours"}.`;
  const patterns = [
    { group: [`**/{${folders.join(",")}}/**`, `**/{${files.join(",")}}.{ts,tsx}`], message },
    ...(name === fileLayer ? [] : [processRule]),
    ...rules.map((rule) => extraRules[rule]),
  ];
  const options = { ...(drawing.includes(name) ? inkText : {}), patterns };
  const style = {
    noRestrictedImports: { level: "error", options },
    ...(rules.includes("noData")
      ? { noRestrictedGlobals: globals({ fetch: extraRules.noData.message }) }
      : {}),
  };
  const includes =
    name === fileLayer
      ? `src/${name}.tsx`
      : `src/${name}/${rules.includes("ownScreen") ? "*/" : ""}**`;
  return override([includes], { style });
}

function globals(more: Readonly<Record<string, string>> = {}) {
  return { level: "error", options: { deniedGlobals: { process: processRule.message, ...more } } };
}

const override = (includes: readonly string[], rules: object) => ({ includes, linter: { rules } });

const config = {
  $schema: "./node_modules/@biomejs/biome/configuration_schema.json",
  overrides: [
    override(["src/**"], { style: { noRestrictedGlobals: globals() } }),
    ...layers.map(ruleOf),
    override(["src/components/text.tsx"], { style: { noRestrictedImports: "off" } }),
    override(["src/{cli,program}.ts", "src/start/**", "src/sandbox/worker.ts"], {
      style: { noRestrictedGlobals: "off" },
    }),
    override(["test/**"], { nursery: { noFloatingPromises: "off" } }),
  ],
};

const root = resolve(import.meta.dirname, "..");
const file = resolve(root, "biome.layers.json");
writeFileSync(file, JSON.stringify(config));
execFileSync(resolve(root, "node_modules/.bin/biome"), ["format", "--write", file], { cwd: root });
