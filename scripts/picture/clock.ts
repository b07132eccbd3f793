import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** When the pictures are taken: a Friday afternoon. */
const start = Date.UTC(2026, 10, 20, 14, 2, 5);

/** The clock of a program that stands still but for what it is told (told-time.mjs). */
export interface PictureClock extends AsyncDisposable {
  /** What the program must be started with. */
  readonly env: Record<string, string>;
  /** Lets so many seconds pass at once. */
  pass(seconds: number): void;
}

export async function pictureClock(): Promise<PictureClock> {
  const folder = await mkdtemp(join(tmpdir(), "supplyline-pictures-"));
  const file = join(folder, "clock");
  let now = start;
  const tell = () => writeFileSync(file, new Uint8Array(Float64Array.of(now).buffer));
  tell();
  return {
    env: {
      PICTURE_CLOCK: file,
      NODE_OPTIONS: `--import ${new URL("./told-time.mjs", import.meta.url).href}`,
    },
    pass: (seconds) => {
      now += seconds * 1_000;
      tell();
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
