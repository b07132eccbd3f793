import { isAbsolute, join, resolve } from "node:path";

/** The two folders of this program. Neither need exist. */
export interface Places {
  /** Profiles, preferences and credentials. */
  readonly configDir: string;
  /** What is recorded while working: the journal, results of runs from stdin. */
  readonly stateDir: string;
}

/**
 * Where settings and state live: `SUPPLYLINE_CONFIG_DIR` and `SUPPLYLINE_STATE_DIR`, else a
 * `supplyline` folder below the XDG base folders. A relative or empty XDG variable is passed over,
 * as the XDG Base Directory Specification asks; our own two may be relative to the working folder.
 */
export function places(env: Record<string, string | undefined>, home: string): Places {
  return {
    configDir: folder(env.SUPPLYLINE_CONFIG_DIR, env.XDG_CONFIG_HOME, join(home, ".config")),
    stateDir: folder(env.SUPPLYLINE_STATE_DIR, env.XDG_STATE_HOME, join(home, ".local", "state")),
  };
}

function folder(own: string | undefined, xdg: string | undefined, fallback: string): string {
  if (own) return resolve(own);
  return join(xdg && isAbsolute(xdg) ? xdg : fallback, "supplyline");
}
