/** Locks the settings folder while a process changes it. */
import { linkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { AppError } from "../errors/app-error.ts";
import { readPrivateFile } from "../files/private.ts";
import { codeOf } from "../text/disk-words.ts";
import { shellQuote } from "../text/shell-quote.ts";

interface LockTiming {
  /** Milliseconds after which an unchanged lock counts as left by a dead process. */
  readonly abandonedMs: number;
  /** Maximum milliseconds to wait for the lock. */
  readonly patienceMs: number;
}

const usualTiming: LockTiming = { abandonedMs: 2_000, patienceMs: 10_000 };
const pauseMs = 10;

/**
 * Runs `change` while no other process changes the settings of the same folder. conf reads, merges
 * and writes in three steps, so without this two processes lose each other's changes.
 *
 * The wait is synchronous and normally short: a lock exists for some milliseconds. A lock counts as
 * abandoned if it stays unchanged during the wait. Its time is not compared with the clock, because
 * clocks differ on network filesystems. Throws the errors of creating the lock, and `unwritable` if
 * the wait takes too long.
 */
export function withWriteLock<T>(
  path: string,
  change: () => T,
  timing: LockTiming = usualTiming,
): T {
  const own = crypto.randomUUID();
  acquire(path, own, timing);
  try {
    return change();
  } finally {
    if (holder(path) === own) rmSync(path, { force: true });
  }
}

function acquire(path: string, own: string, timing: LockTiming): void {
  let seen: string | null = null;
  let unchangedMs = 0;
  for (let waitedMs = 0; waitedMs <= timing.patienceMs; waitedMs += pauseMs) {
    if (create(path, own)) return;
    const now = holder(path);
    unchangedMs = now !== null && now === seen ? unchangedMs + pauseMs : 0;
    seen = now;
    if (now !== null && unchangedMs >= timing.abandonedMs) {
      evict(path, now, own);
      unchangedMs = 0;
    }
    pause();
  }
  throw new AppError(
    "settings",
    "unwritable",
    `another supplyline has locked the settings for ${Math.round(timing.patienceMs / 1000)} s; nothing was changed`,
    { fix: `try again, or remove ${shellQuote(path)} if no other supplyline is running` },
  );
}

function create(path: string, own: string): boolean {
  try {
    writeFileSync(path, own, { flag: "wx", mode: 0o600, flush: false });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Returns the nonce of the lock's owner ("" between its creation and its writing), or null if the
 * lock is free. Throws `exposed` or `corrupt` for a lock that is not a plain file of this user: a
 * link would lead elsewhere, and a pipe would never be read to its end.
 */
const holder = readPrivateFile;

/** Moves the abandoned lock aside. Restores a lock that was taken again in the meantime. */
function evict(path: string, abandoned: string, own: string): void {
  const aside = `${path}.${own}`;
  try {
    renameSync(path, aside);
    if (holder(aside) !== abandoned) linkSync(aside, path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
}
