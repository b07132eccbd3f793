import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import type { BuildOptions, Metafile, Plugin } from "esbuild";
import { build } from "esbuild";

/** A part of the program, and the parts for which it has always been loaded before. */
interface Ground {
  readonly file: string;
  readonly under: (path: string) => boolean;
}

const grounds: readonly Ground[] = [
  {
    file: "src/commands/entry.ts",
    under: (path) => !/^src\/(?:program\.ts$|sandbox\/)/.test(path),
  },
  {
    file: "src/commands/open/open.ts",
    under: (path) => /^src\/(?:screens|hooks)\//.test(path),
  },
  {
    file: "src/screens/shell/console.tsx",
    under: (path) => /^src\/(?:screens|hooks)\//.test(path),
  },
];

/**
 * Keeps together what is always loaded together. esbuild makes a chunk for every set of parts that
 * share a file, some fifty of them for the first frame, and each costs Node as long as drawing a
 * line. A part that says that it stands on another one (which has been loaded by then in any case)
 * shares all of that one's files, which then stay in one chunk.
 */
export async function gathered(options: BuildOptions): Promise<Plugin> {
  const { metafile } = await build({ ...options, metafile: true, write: false });
  const parts = Object.values(metafile.outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  const below = new Map(
    parts.map((part) => [
      part,
      grounds
        .filter(({ file, under }) => under(part) && !reaches(metafile, file, part))
        .map(({ file }) => file),
    ]),
  );
  return {
    name: "gathered",
    setup({ onLoad, initialOptions }) {
      const folder = initialOptions.absWorkingDir ?? "";
      onLoad({ filter: /[\\/]src[\\/].*\.tsx?$/ }, async ({ path }) => {
        const files = below.get(relative(folder, path).replaceAll("\\", "/")) ?? [];
        if (files.length === 0) return null;
        const imports = files.map((file) => `import ${JSON.stringify(`${folder}/${file}`)};`);
        return {
          contents: `${await readFile(path, "utf8")}${imports.join("")}`,
          loader: path.endsWith("x") ? "tsx" : "ts",
        };
      });
    },
  };
}

/** Returns true if a file leads to another one by static imports. */
function reaches({ inputs }: Metafile, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const file of seen) {
    if (file === to) return true;
    for (const { path, kind } of inputs[file]?.imports ?? [])
      if (kind !== "dynamic-import") seen.add(path);
  }
  return false;
}
