/** Writes the generated pages of docs/reference: `npm run reference`. */
import { writeFile } from "node:fs/promises";
import { generatedPages } from "./reference/pages.ts";

for (const { file, text } of generatedPages)
  await writeFile(new URL(`../${file}`, import.meta.url), await text());
