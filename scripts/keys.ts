/** Writes docs/keys.md from the table of keys: `node scripts/keys.ts`. A test keeps the two alike. */
import { writeFile } from "node:fs/promises";
import { keyTable } from "./keys/table.ts";

await writeFile(new URL("../docs/keys.md", import.meta.url), keyTable());
