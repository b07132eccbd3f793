/** Runs programs of the user that print credentials for the service or a proxy. */
import type { ProxyLogin } from "../api/connections.ts";
import { AppError } from "../errors/app-error.ts";
import { isRecord } from "../json/exact.ts";
import { safe } from "../text/sanitize.ts";
import { runBounded } from "./custom/run-bounded.ts";
import { invalidSetting } from "./invalid-setting.ts";
import { checkSecret } from "./secrets.ts";

export interface HelperCredentials {
  readonly apiKey?: string | undefined;
  readonly token?: string | undefined;
  /** Epoch milliseconds at which the token expires. Absent if the helper did not report it. */
  readonly expiresAt?: number | undefined;
}

interface HelperOptions {
  readonly signal?: AbortSignal | undefined;
  /** The time limit in milliseconds. Default: 60 s, because a person might touch a security key. */
  readonly timeoutMs?: number | undefined;
  /** The environment without supplyline's secrets. Default: derived from the process's. */
  readonly env?: Record<string, string | undefined> | undefined;
}

const maxBytes = 64 * 1024;

/**
 * Runs a credential helper and parses its output, which is similar to AWS's `credential_process`:
 *
 *     {"Version": 1, "ApiKey": "…", "Token": "…", "Expiration": "2030-01-31T12:00:00Z"}
 *
 * At least one of `ApiKey` (or `api_key`) and `Token` (or `token`) is required. `Expiration` (or
 * `expiration`) is optional: the ISO 8601 instant with an offset at which the token expires.
 * `Version` must be 1 if it is present. Other keys are ignored.
 *
 * The command is split into words and run without a shell, so its values are never run as code. A
 * pipe needs `sh -c '…'`. The program has no stdin, because the console reads the terminal.
 * Standard output is never logged or quoted.
 *
 * Rejects with `helper`, whose message has the program's name, its exit status and the beginning of
 * its stderr, or with the signal's reason.
 */
export async function runHelper(
  command: string,
  options: HelperOptions = {},
): Promise<HelperCredentials> {
  const { output, label } = await runForObject(command, "the credential helper", options);
  return credentialsIn(output, label);
}

type LoginRole = "the proxy's credential helper" | "the team's credential helper";

/** Runs a helper for a login: `{"Username": "…", "Password": "…"}`, also in lower case. */
export async function runLoginHelper(
  command: string,
  role: LoginRole,
  options: HelperOptions,
): Promise<ProxyLogin> {
  const { output, label } = await runForObject(command, role, options);
  const field = (names: readonly [string, string]) => {
    const value = output[names[0]] ?? output[names[1]];
    if (typeof value !== "string")
      throw new AppError("settings", "helper", `${label} printed no ${names[0]}`);
    return value;
  };
  const login = {
    username: field(["Username", "username"]),
    password: field(["Password", "password"]),
  };
  const problem = checkProxyLogin(login);
  if (problem !== null) throw new AppError("settings", "helper", `${label}: its ${problem}`);
  return login;
}

/**
 * Returns the reason why a user name and password cannot be sent to a proxy, or null if there is
 * none. The reason does not quote them.
 */
export function checkProxyLogin({ username, password }: ProxyLogin): string | null {
  if (username === "") return "user name is empty";
  if (username.includes(":")) return "user name contains a colon";
  if (/\p{C}/u.test(username + password))
    return "user name or password contains a control character";
  return null;
}

/** Returns the program that a helper's command runs. Throws `invalid` if the command is empty. */
export function helperProgram(command: string): string {
  const [program] = commandWords(command);
  if (program === undefined) throw invalidSetting("the credential helper is empty");
  return program;
}

async function runForObject(
  command: string,
  role: string,
  options: HelperOptions,
): Promise<{ readonly output: Record<string, unknown>; readonly label: string }> {
  const { signal, env, timeoutMs = 60_000 } = options;
  signal?.throwIfAborted();
  const program = helperProgram(command);
  const [, ...args] = commandWords(command);
  const label = `${role} ${safe(program)}`;
  const limits = { timeoutMs, maxBytes, stopsWhenFull: true };
  const result = await runBounded(program, args, { env, signal, ...limits });
  const failed = (words: string) => new AppError("settings", "helper", words);
  if (result.kind === "failed") throw failed(`${role} ${safe(result.words)}`);
  if (result.kind === "stopped") {
    signal?.throwIfAborted();
    if (result.reason === "full") throw failed(`${label} printed far more than a credential`);
    const seconds = Math.max(1, Math.round(timeoutMs / 1000));
    throw failed(`${label} did not respond within ${seconds} s`);
  }
  if (result.code !== 0) {
    const end = result.signal
      ? `was ended by ${result.signal}`
      : `failed with status ${result.code}`;
    const message = shortened(result.stderr);
    throw failed(`${label} ${end}${message ? `: ${message}` : ""}`);
  }
  const output = parseOrUndefined(result.stdout);
  if (!isRecord(output)) throw failed(`${label} did not print a JSON object`);
  return { output, label };
}

/** Returns the credentials in a helper's output. Throws `helper` if they are not usable. */
function credentialsIn(output: Record<string, unknown>, label: string): HelperCredentials {
  const version = output.Version ?? output.version;
  if (version !== undefined && version !== 1)
    throw new AppError("settings", "helper", `${label} printed another Version than 1`);
  const apiKey = secretIn(output, ["ApiKey", "api_key"], label);
  const token = secretIn(output, ["Token", "token"], label);
  if (apiKey === null && token === null)
    throw new AppError("settings", "helper", `${label} printed neither ApiKey nor Token`);
  const expiresAt = expirationOf(output.Expiration ?? output.expiration, label);
  return {
    apiKey: apiKey ?? undefined,
    token: token ?? undefined,
    expiresAt: expiresAt ?? undefined,
  };
}

/**
 * Parses JSON, and returns undefined for an error. The error of JSON.parse is not used, because it
 * quotes the text, which has a secret.
 */
function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

function secretIn(
  output: Record<string, unknown>,
  names: readonly [string, string],
  label: string,
): string | null {
  const value = output[names[0]] ?? output[names[1]];
  if (value === undefined || value === null) return null;
  const problem = typeof value === "string" ? checkSecret(value) : "is not a text";
  if (problem !== null || typeof value !== "string")
    throw new AppError("settings", "helper", `${label}: its ${names[0]} ${problem}`);
  return value;
}

/** Returns the expiration in epoch milliseconds, or null if there is none. */
function expirationOf(value: unknown, label: string): number | null {
  if (value === undefined || value === null) return null;
  const instant =
    typeof value === "string" && /T.*(Z|[+-]\d\d:?\d\d)$/i.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(instant))
    throw new AppError("settings", "helper", `${label}: its Expiration is not an ISO 8601 instant`);
  return instant;
}

/** Returns a text on one line of at most 200 characters, safe to show. */
function shortened(text: string): string {
  const line = safe(text.trim().replace(/\s+/g, " "));
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/**
 * Splits a command line as a POSIX shell would: blanks separate words, single quotes protect
 * everything, double quotes protect all but `\"`, `\\`, `\$` and `` \` ``, a backslash protects the
 * next character. Nothing is expanded: `$`, `*`, `~`, `|` and `;` are ordinary characters.
 * Throws `invalid` if a quote is not closed.
 */
export function commandWords(command: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  const chars = [...command];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? "";
    if (quote === "'") {
      if (char === "'") quote = null;
      else word = (word ?? "") + char;
    } else if (char === "\\" && (quote === null || /["\\$`]/.test(chars[at + 1] ?? ""))) {
      at += 1;
      const next = chars[at];
      if (next === undefined) throw unfinished("ends in a backslash");
      word = (word ?? "") + next;
    } else if (quote === '"') {
      if (char === '"') quote = null;
      else word = (word ?? "") + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + char;
  }
  if (quote !== null) throw unfinished("leaves a quote open");
  if (word !== null) words.push(word);
  return words;
}

function unfinished(problem: string): AppError<"settings"> {
  return invalidSetting(`the credential helper's command ${problem}`);
}
