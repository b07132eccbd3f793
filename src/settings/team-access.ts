/** Reads the access to a team's database: the address, the login, the certificates and the names. */
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { readPrivateFile } from "../files/private.ts";
import { profileCertificates } from "./ca-file.ts";
import { runLoginHelper } from "./credential-helper.ts";
import { invalidSetting } from "./invalid-setting.ts";
import { removeVariable } from "./removed-variables.ts";
import type { Profile } from "./schemas.ts";
import { type TeamAddress, teamAddress } from "./team-address.ts";

type Env = Record<string, string | undefined>;

export interface TeamLogin {
  readonly user: string;
  readonly password: string | null;
}

export interface TeamAccess {
  readonly address: TeamAddress;
  /** The certificate authorities of the profile, or undefined for those of the system. */
  readonly ca: string | undefined;
  /** Reads the login. Rejects with a settings error. */
  login(signal?: AbortSignal): Promise<TeamLogin>;
}

export interface TeamNames {
  readonly person: string;
  readonly machine: string;
}

const maxNameLength = 100;

/**
 * Returns the access to the team of a profile, or null if it has none. Removes `PGPASSWORD` from
 * `env`. Throws `invalid`.
 */
export function teamAccess(
  profile: Pick<Profile, "team" | "teamCredentialHelper" | "teamCaFile">,
  { env, home }: { readonly env: Env; readonly home: string },
): TeamAccess | null {
  if (profile.team === undefined) return null;
  const address = teamAddress(profile.team);
  const { teamCredentialHelper: helper, teamCaFile } = profile;
  const given = removeVariable("PGPASSWORD", env);
  return {
    address,
    ca: teamCaFile === undefined ? undefined : profileCertificates(teamCaFile),
    login: async (signal) => {
      if (helper !== undefined) {
        const role = "the team's credential helper";
        const { username, password } = await runLoginHelper(helper, role, { signal, env });
        return { user: username, password };
      }
      const user = address.user ?? systemUser(env);
      return { user, password: given ?? passwordInFile(env, home, address, user) };
    },
  };
}

/** Returns the names of the person and the machine. Throws `invalid` for a name that is not usable. */
export function teamNames(env: Env): TeamNames {
  return {
    person: name("SUPPLYLINE_PERSON", env) ?? systemUser(env),
    machine: name("SUPPLYLINE_MACHINE", env) ?? (hostname() || "unnamed"),
  };
}

function name(variable: string, env: Env): string | null {
  const value = env[variable];
  if (!value) return null;
  if (value.length <= maxNameLength && !/\p{C}/u.test(value)) return value;
  throw invalidSetting(
    `${variable} must have at most ${maxNameLength} characters and no control characters`,
  );
}

/** Returns the name of the system's user. A container can run under a number without a name. */
function systemUser(env: Env): string {
  try {
    return userInfo().username;
  } catch {
    return env.USER || "unnamed";
  }
}

/**
 * Returns the password of the first matching line `HOST:PORT:DATABASE:USER:PASSWORD` of
 * `PGPASSFILE` or `~/.pgpass`, as libpq does, or null if there is none. Throws `exposed` if others
 * can read the file.
 */
function passwordInFile(
  env: Env,
  home: string,
  { host, port, database }: TeamAddress,
  user: string,
): string | null {
  const text = readPrivateFile(env.PGPASSFILE || join(home, ".pgpass"));
  const wanted = [host, String(port), database, user];
  for (const line of text?.split(/\r?\n/) ?? []) {
    const [, ...fields] = passwordLine.exec(line) ?? [];
    const password = unescaped(fields[4] ?? "");
    const matches = wanted.every((value, at) => ["*", value].includes(unescaped(fields[at] ?? "")));
    if (password !== "" && matches && !line.startsWith("#")) return password;
  }
  return null;
}

const field = String.raw`((?:\\.|[^:\\])*)`;
const passwordLine = new RegExp(`^${field}:${field}:${field}:${field}:(.*)$`);

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}
