import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A user's own folders, for one test; removed on dispose. */
export interface Folders extends AsyncDisposable {
  readonly home: string;
  readonly config: string;
  readonly state: string;
}

/** Makes fresh folders. Share them between runs that should see each other's settings. */
export async function openFolders(): Promise<Folders> {
  const home = await mkdtemp(join(tmpdir(), "supplyline-test-"));
  return {
    home,
    config: join(home, "config"),
    state: join(home, "state"),
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true, maxRetries: 5 }),
  };
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

/** The clean environment with the program's folders in it. */
export function programEnvironment(
  folders: Folders,
  extra: Record<string, string> = {},
): Record<string, string> {
  return cleanEnvironment(folders.home, {
    SUPPLYLINE_CONFIG_DIR: folders.config,
    SUPPLYLINE_STATE_DIR: folders.state,
    ...extra,
  });
}
