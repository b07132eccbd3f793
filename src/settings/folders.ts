/** Finds the folders of the program: settings, state and cache. */
import { userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** The paths of the folders. A folder might not exist yet. */
export interface Folders {
  /** The folder of profiles, preferences and credentials. */
  readonly configDir: string;
  /** The folder of records, such as the journal and the results of runs from stdin. */
  readonly stateDir: string;
  /** The folder of compiled code, which only makes starts faster. */
  readonly cacheDir: string;
}

/**
 * Returns the home folder. A relative `HOME` is ignored, because each working folder would then
 * have another journal. The result is also set in `env`, for packages that use Node's `homedir`.
 */
export function homeFolder(env: Record<string, string | undefined>): string {
  if (env.HOME && isAbsolute(env.HOME)) return env.HOME;
  env.HOME = homeInUserTable();
  return env.HOME;
}

/**
 * Returns the home folder in the system's user table. Returns the root folder if the user is not in
 * the table, as in many containers.
 */
function homeInUserTable(): string {
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : "/";
  } catch {
    return "/";
  }
}

/**
 * Returns the folders of settings, state and cache: `SUPPLYLINE_CONFIG_DIR` and
 * `SUPPLYLINE_STATE_DIR`, else a `supplyline` folder below the XDG base folders. A relative or empty XDG variable is
 * ignored, as the XDG Base Directory Specification requires. The two variables of supplyline can be
 * relative to the working folder.
 */
export function foldersOf(env: Record<string, string | undefined>, home: string): Folders {
  return {
    configDir: folder(env.SUPPLYLINE_CONFIG_DIR, env.XDG_CONFIG_HOME, join(home, ".config")),
    stateDir: folder(env.SUPPLYLINE_STATE_DIR, env.XDG_STATE_HOME, join(home, ".local", "state")),
    cacheDir: folder(undefined, env.XDG_CACHE_HOME, join(home, ".cache")),
  };
}

/** Returns the folder of an override, or the one below an XDG base folder or its default. */
function folder(override: string | undefined, xdg: string | undefined, fallback: string): string {
  if (override) return resolve(override);
  return join(xdg && isAbsolute(xdg) ? xdg : fallback, "supplyline");
}
