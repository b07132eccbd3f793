/**
 * Takes the pictures of the documents: opens the built console on its embedded sandbox in a real
 * pseudo-terminal, walks through the scenes, and writes docs/pictures/<name>.svg for each.
 * Run it after `npm run build`: node scripts/picture.ts
 */
import { mkdir, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { openConsole } from "../test/helpers/terminal.ts";
import { scenes } from "./picture/scenes.ts";
import { svgOf } from "./picture/svg.ts";

const folder = resolve(import.meta.dirname, "../docs/pictures");
await mkdir(folder, { recursive: true });

await using terminal = await openConsole(["--sandbox"], { cols: 100, rows: 28 });
await terminal.waitFor("Suppliers");
for (const { name, title, steps } of scenes) {
  for (const [keys, waitFor] of steps) {
    if (typeof keys === "string") terminal.send(keys);
    else terminal.press(...keys);
    await terminal.waitFor(waitFor, { describe: `the scene “${name}”: ${waitFor}` });
  }
  const file = resolve(folder, `${name}.svg`);
  await writeFile(file, svgOf(terminal, { title }));
  console.log(file);
}
