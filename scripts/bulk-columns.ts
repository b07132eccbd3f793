/** Writes docs/bulk-columns.md from the forms: `node scripts/bulk-columns.ts`. A test keeps the two alike. */
import { writeFile } from "node:fs/promises";
import { columnTables } from "./bulk-columns/tables.ts";

await writeFile(new URL("../docs/bulk-columns.md", import.meta.url), columnTables());
