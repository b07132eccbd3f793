/** Finds the folders of the program: settings, state and cache. */
import { userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { AppError } from "../errors/app-error.ts";
import { quoted } from "../text/service-words.ts";

/** The paths of the folders. A folder might not exist yet. */
export interface Folders {
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
 * ignored, as the XDG Base Directory Specification requires. Throws `usage` if a variable of
 * supplyline is relative: each working folder would then have another journal.
 */
export function foldersOf(env: Record<string, string | undefined>, home: string): Folders {
  return {
    configDir: folder(env, "SUPPLYLINE_CONFIG_DIR", env.XDG_CONFIG_HOME, join(home, ".config")),
    stateDir: folder(
      env,
      "SUPPLYLINE_STATE_DIR",
      env.XDG_STATE_HOME,
      join(home, ".local", "state"),
    ),
    cacheDir: folder(env, null, env.XDG_CACHE_HOME, join(home, ".cache")),
  };
}

function folder(
  env: Record<string, string | undefined>,
  variable: "SUPPLYLINE_CONFIG_DIR" | "SUPPLYLINE_STATE_DIR" | null,
  xdg: string | undefined,
  fallback: string,
): string {
  const named = variable === null ? undefined : env[variable];
  if (!named) return join(xdg && isAbsolute(xdg) ? xdg : fallback, "supplyline");
  if (isAbsolute(named)) return resolve(named);
  throw new AppError(
    "command",
    "usage",
    `${variable} is ${quoted(named)}, which depends on the working folder`,
    { remedy: "Nothing was sent. Set it to a path that begins with /; ~ is not expanded there." },
  );
}
