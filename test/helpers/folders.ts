import { mkdtempSync, statfsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { closing } from "./closing.ts";

/** A user's own folders; removed when their test ends. */
export interface Folders extends AsyncDisposable {
  readonly home: string;
  readonly config: string;
  readonly state: string;
  /** The folder of compiled code (XDG_CACHE_HOME), or null if it is below `home`. */
  readonly cache: string | null;
}

/** The folder whose files are in memory, or null if the machine has less than a gigabyte for them. */
function memory(): string | null {
  const folder = "/dev/shm";
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 2 ** 30 ? folder : null;
  } catch {
    return null;
  }
}

/** A folder for one test, in memory where that is possible: a journal waits for its disk at every commit. */
export function journalFolder(): string {
  const made = mkdtempSync(join(memory() ?? tmpdir(), "supplyline-test-"));
  onTestFinished(() => rm(made, { recursive: true, force: true, maxRetries: 5 }));
  return made;
}

/** The folder in which the programs of tests share compiled code, so that it is compiled once. */
const sharedCache = resolve(import.meta.dirname, "../../node_modules/.cache/program");

/**
 * Makes fresh folders. Share them between runs that should see each other's settings. Settings and
 * state are in memory if possible. With `ownCache` everything is below `home`, compiled code too: for
 * tests about the files of a user, or a first start.
 */
export async function openFolders({ ownCache = false } = {}): Promise<Folders> {
  const home = await mkdtemp(join(tmpdir(), "supplyline-test-"));
  const settings = ownCache ? home : await mkdtemp(join(memory() ?? tmpdir(), "supplyline-test-"));
  const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 5 });
  return closing({
    home,
    config: join(settings, "config"),
    state: join(settings, "state"),
    cache: ownCache ? null : sharedCache,
    [Symbol.asyncDispose]: async () => void (await Promise.all([home, settings].map(remove))),
  });
}

/**
 * The environment of a user who has set nothing: no CI, NO_COLOR, proxy or SUPPLYLINE_ variable of
 * the machine that runs the tests comes through. `extra` stands above it.
 */
export function cleanEnvironment(
  home: string,
  extra: Record<string, string> = {},
): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    TMPDIR: tmpdir(),
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    TZ: "UTC",
    ...extra,
  };
}

export function programEnvironment(
  folders: Folders,
  extra: Record<string, string> = {},
): Record<string, string> {
  return cleanEnvironment(folders.home, {
    SUPPLYLINE_CONFIG_DIR: folders.config,
    SUPPLYLINE_STATE_DIR: folders.state,
    ...(folders.cache === null ? {} : { XDG_CACHE_HOME: folders.cache }),
    ...extra,
  });
}
