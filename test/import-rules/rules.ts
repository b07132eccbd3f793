import { posix } from "node:path";
import { circlesIn } from "./circles.ts";
import { type Layer, layerOf, mayImport } from "./layers.ts";
import type { Import, SourceFile } from "./source-file.ts";

/** Exceptions, named one by one. */
export interface Allowed {
  /** The only files that may take Ink's `Text`: the gate that untrusted text passes, and wrappers. */
  readonly inkText: readonly string[];
  /** The only files that may use `process`. */
  readonly process: readonly string[];
}

/** Packages a layer may not import, and why. */
interface Ban {
  readonly layers: readonly Layer[];
  readonly packages: RegExp;
  readonly why: string;
}

const bans: readonly Ban[] = [
  {
    layers: ["api"],
    packages: /^(react|ink|conf)$|^(react|ink)[-/]/,
    why: "api knows no React, no Ink and no conf",
  },
  {
    layers: [
      "commands",
      "session",
      "keys",
      "forms",
      "accounts",
      "watch",
      "writes",
      "bulk",
      "settings",
      "text",
    ],
    packages: /^(react|ink)$|^(react|ink)[-/]/,
    why: "this is also used without a screen, where neither React nor Ink is loaded",
  },
  {
    layers: ["components", "screens"],
    packages: /^(undici|conf|(node:)?https?)$/,
    why: "what is shown comes through hooks, not from the network or the disk",
  },
];

/** The path a relative import leads to; null for a package. */
function target(file: SourceFile, used: Import): string | null {
  if (!used.from.startsWith(".")) return null;
  return posix.join(posix.dirname(file.path), used.from);
}

const registry = "src/screens/registry.tsx";

/**
 * Which screen a file belongs to: a folder under `src/screens` is one, and so is a file directly
 * there that the registry shows. The frame around the screens, which stands there too, is none.
 */
function screenOf(path: string, shown: ReadonlySet<string>): string | null {
  const [, folder, file] = /^src\/screens\/(?:([^/]+)\/)?(.+)$/.exec(path) ?? [];
  if (folder !== undefined) return folder;
  return file !== undefined && shown.has(path) ? file : null;
}

function targetsOf(file: SourceFile | undefined): string[] {
  if (!file) return [];
  return file.imports.map((used) => target(file, used)).filter((path) => path !== null);
}

function directionProblem(file: SourceFile, used: Import, to: string): string | null {
  const from = layerOf(file.path);
  const toLayer = layerOf(to);
  if (from === null) return null;
  if (toLayer === null) return `imports ${to}, which is in no layer`;
  if (from === toLayer) return null;
  if (!mayImport[from].includes(toLayer)) {
    const may = mayImport[from].join(", ") || "nothing of ours";
    return `imports ${to}: ${from} may import ${may}`;
  }
  if (from === "text" && toLayer === "api" && !used.typeOnly && to !== "src/api/errors.ts") {
    return `imports ${to}: text takes types from api, and its errors, nothing else`;
  }
  return null;
}

function screenProblem(file: SourceFile, to: string, shown: ReadonlySet<string>): string | null {
  if (layerOf(file.path) !== "screens" || file.path === registry) return null;
  const screen = screenOf(to, shown);
  if (screen === null || screen === screenOf(file.path, shown)) return null;
  return `imports ${to}: screens do not import each other, they push a place`;
}

function packageProblems(file: SourceFile, used: Import, allowed: Allowed): string[] {
  const layer = layerOf(file.path);
  const problems = bans
    .filter((ban) => layer !== null && ban.layers.includes(layer) && ban.packages.test(used.from))
    .map((ban) => `imports ${used.from}: ${ban.why}`);
  const takesText = used.names.includes("Text") || used.names.includes("*");
  if (used.from === "ink" && takesText && !used.typeOnly && !allowed.inkText.includes(file.path)) {
    problems.push("takes Text from ink: untrusted text passes src/components/text.tsx");
  }
  if (/^(node:)?process$/.test(used.from) && !allowed.process.includes(file.path)) {
    problems.push(`imports ${used.from}: only ${allowed.process.join(" and ")} may`);
  }
  return problems;
}

function globalProblems(file: SourceFile, allowed: Allowed): string[] {
  const layer = layerOf(file.path);
  const problems: string[] = [];
  if (file.globals.has("process") && !allowed.process.includes(file.path)) {
    problems.push(`uses process: only ${allowed.process.join(" and ")} may`);
  }
  if (file.globals.has("fetch") && (layer === "components" || layer === "screens")) {
    problems.push("uses fetch: what is shown comes through hooks");
  }
  return problems;
}

/** Every breach of the rules among the files, as lines that say where, what and why. */
export function breaches(files: readonly SourceFile[], allowed: Allowed): string[] {
  const found: string[] = [];
  const graph = new Map<string, string[]>();
  const shown = new Set(targetsOf(files.find((file) => file.path === registry)));
  for (const file of files) {
    const say = (problem: string | null) => {
      if (problem !== null) found.push(`${file.path} ${problem}`);
    };
    const reached: string[] = [];
    graph.set(file.path, reached);
    if (layerOf(file.path) === null) say("is in no layer");
    for (const used of file.imports) {
      const to = target(file, used);
      if (to === null) {
        for (const problem of packageProblems(file, used, allowed)) say(problem);
        continue;
      }
      reached.push(to);
      say(directionProblem(file, used, to));
      say(screenProblem(file, to, shown));
    }
    for (const problem of globalProblems(file, allowed)) say(problem);
  }
  for (const circle of circlesIn(graph)) found.push(`a circle: ${circle.join(" → ")}`);
  return found;
}
