import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import type { Assets } from "./executable.ts";

/** The files of a built checkout that the program reads while it runs, in the order of their names. */
export async function assetsOf(checkout: string): Promise<Assets> {
  const built = await readdir(resolve(checkout, "dist"), { recursive: true });
  const names = built.filter((name) => name.endsWith(".js")).map((name) => `dist/${name}`);
  // What the sandbox's own supplier is compared with.
  names.push("examples/migration-day.csv");
  return Object.fromEntries(names.sort().map((name) => [name, resolve(checkout, name)]));
}
