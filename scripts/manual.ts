/** Writes the manual pages into dist/man, from the program as it declares itself. The build runs it. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { manualPages } from "./manual/pages.ts";

const { version } = JSON.parse(await readFile("package.json", "utf8"));
for (const { file, text } of await manualPages(version)) {
  const path = join("dist/man", file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
