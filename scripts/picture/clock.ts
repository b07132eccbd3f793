import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The time of the pictures: a Friday afternoon. */
const start = Date.UTC(2026, 10, 20, 14, 2, 5);

/** The clock of a program, which moves only when the script moves it (frozen-time.mjs). */
export interface PictureClock extends AsyncDisposable {
  /** The options of the program's start. */
  readonly env: Record<string, string>;
  /** Returns its time, epoch milliseconds. */
  now(): number;
  /** Moves the clock by that many seconds. */
  pass(seconds: number): void;
}

export async function pictureClock(): Promise<PictureClock> {
  const folder = await mkdtemp(join(tmpdir(), "supplyline-pictures-"));
  const file = join(folder, "clock");
  let now = start;
  const write = () => writeFileSync(file, new Uint8Array(Float64Array.of(now).buffer));
  write();
  return {
    env: {
      PICTURE_CLOCK: file,
      NODE_OPTIONS: `--import ${new URL("./frozen-time.mjs", import.meta.url).href}`,
    },
    now: () => now,
    pass: (seconds) => {
      now += seconds * 1_000;
      write();
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
