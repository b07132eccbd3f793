/**
 * Takes the pictures of the documents: opens the built console on its embedded sandbox in a real
 * pseudo-terminal, walks through the scenes, and writes docs/pictures/<name>.svg for each. The same
 * program gives the same bytes. With --check it writes nothing, and ends with 1 when a picture no
 * longer shows what the program draws. Run it after `npm run build`: node scripts/picture.ts
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { openFolders } from "../test/helpers/folders.ts";
import { openConsole, type Terminal } from "../test/helpers/terminal.ts";
import { type PictureClock, pictureClock } from "./picture/clock.ts";
import { reels, type Step } from "./picture/scenes.ts";
import { send } from "./picture/sent-before.ts";
import { settled } from "./picture/settled.ts";
import { svgOf } from "./picture/svg.ts";
import { withoutChance } from "./picture/without-chance.ts";

const folder = resolve(import.meta.dirname, "../docs/pictures");
await mkdir(folder, { recursive: true });
const checks = process.argv.includes("--check");
const stale: string[] = [];

for (const { sent, scenes } of reels) {
  await using folders = await openFolders();
  await using clock = await pictureClock();
  await send(sent, { folders, clock });
  await using terminal = await openConsole(["--sandbox"], {
    cols: 100,
    rows: 28,
    folders,
    env: clock.env,
  });
  await terminal.waitFor("Suppliers");
  const steady = withoutChance();
  for (const { name, title, steps } of scenes) {
    await play(terminal, steps, { name, clock });
    await settled(terminal);
    await keep(name, svgOf(steady(terminal), { title }));
  }
}
if (stale.length > 0) {
  console.error(
    `Not what the program shows: ${stale.join(", ")}. npm run pictures takes them anew.`,
  );
  process.exitCode = 1;
}

/** Walks on to where a picture is taken. */
async function play(
  terminal: Terminal,
  steps: readonly Step[],
  { name, clock }: { readonly name: string; readonly clock: PictureClock },
): Promise<void> {
  for (const step of steps) {
    if ("later" in step) {
      clock.pass(step.later);
      continue;
    }
    if ("gone" in step) {
      await terminal.waitForGone(step.gone);
      continue;
    }
    const [keys, waitFor] = step;
    if (typeof keys === "string") terminal.send(keys);
    else terminal.press(...keys);
    await terminal.waitFor(waitFor, { describe: `the scene “${name}”: ${waitFor}` });
  }
}

/** Writes a picture, or looks whether it is the one that is there. */
async function keep(name: string, picture: string): Promise<void> {
  const file = resolve(folder, `${name}.svg`);
  if (!checks) await writeFile(file, picture);
  else if (picture !== (await readFile(file, "utf8").catch(() => ""))) stale.push(name);
  console.log(file);
}
