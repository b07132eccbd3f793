/** Writes docs/supplyline.1 from the declared commands: `npm run man`. A test keeps the two alike. */
import { readFile, writeFile } from "node:fs/promises";
import { manualPage } from "./man/page.ts";

const root = new URL("../", import.meta.url);
const { version } = JSON.parse(await readFile(new URL("package.json", root), "utf8"));
await writeFile(new URL("docs/supplyline.1", root), manualPage(version));
