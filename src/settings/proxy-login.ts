/** Finds the user name and password for the proxy of a profile. */
import type { ProxyLogin } from "../api/connections.ts";
import type { ServiceOptions } from "../api/service.ts";
import { AppError } from "../errors/app-error.ts";
import { checkProxyLogin, helperProgram, runProxyHelper } from "./credential-helper.ts";
import type { Profile } from "./schemas.ts";

type Env = Record<string, string | undefined>;

/**
 * The values that were removed from an environment, by variable, because the next opening needs
 * them again.
 */
const taken = new WeakMap<Env, Map<string, string>>();

/**
 * Returns the source of the user name and password for the profile's proxy, or undefined if the
 * profile has no such setting. Removes a variable from `env`, so that no child process inherits it.
 * Throws `invalid`, which names the variable and never its value.
 */
export function proxyLoginFor(profile: Profile, env: Env): ServiceOptions["proxyLogin"] {
  const { proxyCredentialHelper: helper, proxyCredentialEnv: variable } = profile;
  if (helper !== undefined)
    return {
      program: helperProgram(helper),
      run: (signal) => runProxyHelper(helper, { signal, env }),
    };
  return variable === undefined ? undefined : loginIn(variable, takeVariable(variable, env));
}

/** Throws `invalid` if a proxy's URL contains a password, without quoting the URL. */
export function refuseProxyPassword(url: string): void {
  if (!URL.parse(url)?.password) return;
  throw new AppError(
    "settings",
    "invalid",
    "proxy must not contain a password: others can read it in the list of processes and in the shell's history",
    {
      fix: "give the URL without it, and name a credential helper with --proxy-credential-helper CMD, or a variable that contains USER:PASSWORD with --proxy-credential-env NAME",
    },
  );
}

function takeVariable(variable: string, env: Env): string | undefined {
  const values = taken.get(env) ?? new Map<string, string>();
  taken.set(env, values);
  const value = env[variable];
  delete env[variable];
  if (value) values.set(variable, value);
  return values.get(variable);
}

function loginIn(variable: string, value: string | undefined): ProxyLogin {
  const wrong = (problem: string) =>
    new AppError("settings", "invalid", `${variable} ${problem}`, {
      fix: `set ${variable} to USER:PASSWORD`,
    });
  if (value === undefined)
    throw wrong("is not set, and the profile takes the proxy's password from it");
  const colon = value.indexOf(":");
  if (colon === -1) throw wrong("has no colon between user name and password");
  const login = { username: value.slice(0, colon), password: value.slice(colon + 1), variable };
  const problem = checkProxyLogin(login);
  if (problem !== null) throw wrong(`cannot be used: its ${problem}`);
  return login;
}
