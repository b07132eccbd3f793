import { spawnSync } from "node:child_process";
import { createReadStream } from "node:fs";
import { join } from "node:path";

/** A pipe that a process holds for as long as it lives, in whatever way it ends. */
export interface Lifeline {
  /** The near end's path: `exec 9>PATH` in a shell holds it. */
  readonly path: string;
  /** Resolves with the time, in milliseconds of `performance.now()`, when no one holds it any more. */
  readonly gone: Promise<number>;
}

/** Lays a lifeline in a folder. It must be taken hold of once, or it is waited for in vain. */
export function layLifeline(folder: string, name = "lifeline"): Lifeline {
  const path = join(folder, name);
  const made = spawnSync("/usr/bin/mkfifo", ["-m", "600", path], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(`mkfifo ${path}: ${made.stderr}`);
  const gone = new Promise<number>((resolve, reject) => {
    const reading = createReadStream(path);
    reading.on("error", reject);
    reading.on("close", () => resolve(performance.now()));
    reading.resume();
  });
  // Whoever awaits it sees the failure.
  gone.catch(() => {});
  return { path, gone };
}
