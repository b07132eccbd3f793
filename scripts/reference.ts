/**
 * Writes the generated documents: `npm run reference` writes all of them, and
 * `node scripts/reference.ts keys man` only those two.
 */
import { writeFile } from "node:fs/promises";
import { generatedPages } from "./reference/pages.ts";

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !generatedPages.some((page) => page.name === name));
if (unknown.length > 0) {
  console.error(
    `No such page: ${unknown.join(", ")}. Pages: ${generatedPages.map(({ name }) => name).join(", ")}.`,
  );
  process.exitCode = 2;
} else {
  for (const { name, file, text } of generatedPages)
    if (wanted.length === 0 || wanted.includes(name))
      await writeFile(new URL(`../${file}`, import.meta.url), await text());
}
