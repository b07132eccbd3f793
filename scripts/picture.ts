/**
 * Takes the pictures of the documents: opens the built console in a real pseudo-terminal, walks through
 * the scenes, and writes docs/pictures/<name>.svg for each. The same program gives the same bytes. With
 * --check it writes nothing, and ends with 1 when a picture no longer shows what the program draws.
 * Names select pictures: `node scripts/picture.ts demo`. Run it after `npm run build`. The pictures of
 * a team need PostgreSQL.
 */
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Folders, openFolders } from "../test/helpers/folders.ts";
import { startCli } from "../test/helpers/process.ts";
import { spawnConsole, type Terminal } from "../test/helpers/terminal.ts";
import { type PictureClock, pictureClock } from "./picture/clock.ts";
import { palettes } from "./picture/palette.ts";
import { type Reel, reels, type Scene } from "./picture/scenes.ts";
import { send } from "./picture/sent-before.ts";
import { settled } from "./picture/settled.ts";
import { animatedSvg, type Frame, stillOf, svgOf } from "./picture/svg.ts";
import { type Member, openTeam } from "./picture/team.ts";
import { withoutChance } from "./picture/without-chance.ts";

const folder = resolve(import.meta.dirname, "../docs/pictures");
await mkdir(folder, { recursive: true });
const checks = process.argv.includes("--check");
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const stale: string[] = [];
/** Cells of a picture. */
const columns = 100;
const tallest = 28;
/** Milliseconds. A step that takes longer waits for words that the screen does not show. */
const longestStep = 30_000;

for (const reel of reels)
  if (wanted.length === 0 || reel.scenes.some(({ name }) => wanted.includes(name)))
    await take(reel);
if (stale.length > 0) {
  console.error(`These pictures are out of date: ${stale.join(", ")}. Run npm run pictures.`);
  process.exitCode = 1;
}

/** Takes the pictures of one session. */
async function take(reel: Reel): Promise<void> {
  const { sent, faults, environment = "test", examples = [], background = "dark", scenes } = reel;
  const { hasTeam = false, isForTwo = false } = reel;
  await using folders = await openFolders();
  await using others = await openFolders();
  await using team = hasTeam ? await openTeam() : null;
  for (const name of examples)
    await copyFile(resolve(import.meta.dirname, "../examples", name), join(folders.home, name));
  await using clock = await pictureClock();
  await using service = faults === undefined ? null : await openService(faults, { folders, clock });
  if (service !== null && isForTwo) await team?.askForTwo(service.env.SUPPLYLINE_BASE_URL);
  const foldersOf = (member: Member) => (member === "op1" ? folders : others);
  if (service !== null) await send(sent, { foldersOf, clock, env: service.env, team });
  await using terminal = await spawnConsole(service === null ? ["--sandbox"] : ["open", "ACME"], {
    cols: columns,
    rows: tallest,
    folders,
    env: {
      ...clock.env,
      ...(service === null ? {} : { ...service.env, SUPPLYLINE_ENVIRONMENT: environment }),
      ...team?.envOf("op1"),
      COLORFGBG: background === "dark" ? "15;0" : "0;15",
    },
  });
  const steady = withoutChance();
  for (const scene of scenes) {
    terminal.resize(columns, scene.rows ?? tallest);
    const frames = await play(terminal, scene, clock, () => stillOf(steady(terminal)));
    await settled(terminal);
    const { name, title } = scene;
    const options = { title, palette: palettes[background] };
    const [first, ...rest] = frames;
    await keep(
      name,
      first === undefined
        ? svgOf(steady(terminal), options)
        : animatedSvg([first, ...rest], options),
    );
  }
}

/** A sandbox in a process, on the clock of the pictures. */
async function openService(
  faults: readonly string[],
  { folders, clock }: { readonly folders: Folders; readonly clock: PictureClock },
) {
  const words = ["sandbox", "--json", ...faults.flatMap((fault) => ["--fault", fault])];
  const cli = await startCli(words, { folders, env: clock.env });
  await cli.stdout.waitForText(/\}/);
  const { base_url, api_key } = JSON.parse(cli.stdout.text());
  const env = { SUPPLYLINE_BASE_URL: base_url, SUPPLYLINE_API_KEY: api_key };
  return { env, [Symbol.asyncDispose]: () => cli[Symbol.asyncDispose]() };
}

/** Plays the steps of a scene; resolves with the screens of its animation. */
async function play(
  terminal: Terminal,
  { name, steps }: Scene,
  clock: PictureClock,
  still: () => Frame["grid"],
): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  for (const step of steps) {
    if ("later" in step) clock.pass(step.later);
    else if ("frame" in step) {
      await settled(terminal);
      frames.push({ grid: still(), caption: step.frame, seconds: step.seconds });
    } else {
      const [keys, waitFor] = step;
      if (typeof keys === "string") terminal.send(keys);
      else terminal.press(...keys);
      const describe = `the scene “${name}”: ${waitFor}`;
      await terminal.waitFor(waitFor, { describe, bound: longestStep });
    }
  }
  return frames;
}

/** Writes a picture, or compares it with the file. */
async function keep(name: string, picture: string): Promise<void> {
  const file = resolve(folder, `${name}.svg`);
  if (!checks) await writeFile(file, picture);
  else if (picture !== (await readFile(file, "utf8").catch(() => ""))) stale.push(name);
  console.log(file);
}
