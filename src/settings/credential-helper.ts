/** Runs programs of the user that print credentials for the service or a proxy. */
import type { ProxyLogin } from "../api/connections.ts";
import { AppError } from "../errors/app-error.ts";
import { isRecord } from "../json/exact.ts";
import { safe } from "../text/sanitize.ts";
import { runBounded } from "./custom/run-bounded.ts";
import { checkSecret } from "./secrets.ts";

/** The answer of a helper. It has at least one of key and token. */
export interface HelperAnswer {
  readonly apiKey?: string | undefined;
  readonly token?: string | undefined;
  /** Epoch milliseconds at which the token expires. Absent if the helper did not report it. */
  readonly expiresAt?: number | undefined;
}

interface HelperOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * The time limit in milliseconds. Default: 60 s, because a helper can wait for a person to touch
   * a key.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * The environment, without the secrets of supplyline. Default: derived from the environment of
   * the process.
   */
  readonly env?: Record<string, string | undefined> | undefined;
}

/** Maximum bytes that are read of a helper's output. */
const maxBytes = 64 * 1024;

/**
 * Runs a credential helper and reads what it prints, in the shape of AWS's `credential_process`:
 *
 *     {"Version": 1, "ApiKey": "…", "Token": "…", "Expiration": "2030-01-31T12:00:00Z"}
 *
 * At least one of `ApiKey` (or `api_key`) and `Token` (or `token`) is required. `Expiration` (or
 * `expiration`) is optional: the ISO 8601 instant with an offset at which the token expires.
 * `Version` must be 1 if it is present. Other keys are ignored.
 *
 * The command is split into words and run without a shell, so a value in it is never run as code
 * and needs no second quoting. A pipe needs `sh -c '…'`. The program has no stdin, because the
 * console reads the terminal. Standard output is never logged or quoted.
 *
 * Rejects with `helper`, which has the program's name, its exit and its shortened stderr, or with
 * the signal's reason.
 */
export async function runHelper(
  command: string,
  options: HelperOptions = {},
): Promise<HelperAnswer> {
  const { answer, named } = await askHelper(command, "the credential helper", options);
  return credentialsIn(answer, named);
}

/**
 * Runs a helper for the user name and password of a proxy: `{"Username": "…", "Password": "…"}`,
 * also in lower case.
 */
export async function runProxyHelper(
  command: string,
  options: HelperOptions = {},
): Promise<ProxyLogin> {
  const { answer, named } = await askHelper(command, "the proxy's credential helper", options);
  const part = (names: readonly [string, string]) => {
    const value = answer[names[0]] ?? answer[names[1]];
    if (typeof value !== "string")
      throw new AppError("settings", "helper", `${named} printed no ${names[0]}`);
    return value;
  };
  const login = {
    username: part(["Username", "username"]),
    password: part(["Password", "password"]),
  };
  const problem = checkProxyLogin(login);
  if (problem !== null) throw new AppError("settings", "helper", `${named}: its ${problem}`);
  return login;
}

/**
 * Returns the reason why a user name and password cannot be sent to a proxy, without quoting them,
 * or null if there is none.
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
  if (program === undefined)
    throw new AppError("settings", "invalid", "the credential helper is empty");
  return program;
}

async function askHelper(
  command: string,
  what: string,
  options: HelperOptions,
): Promise<{ readonly answer: Record<string, unknown>; readonly named: string }> {
  const { signal, env, timeoutMs = 60_000 } = options;
  signal?.throwIfAborted();
  const program = helperProgram(command);
  const [, ...args] = commandWords(command);
  const named = `${what} ${safe(program)}`;
  const limits = { timeoutMs, maxBytes, stopsWhenFull: true };
  const ended = await runBounded(program, args, { env, signal, ...limits });
  const failed = (words: string) => new AppError("settings", "helper", words);
  if (ended.kind === "failed") throw failed(`${what} ${safe(ended.words)}`);
  if (ended.kind === "stopped") {
    signal?.throwIfAborted();
    if (ended.why === "full") throw failed(`${named} printed far more than a credential`);
    const seconds = Math.max(1, Math.round(timeoutMs / 1000));
    throw failed(`${named} gave no answer within ${seconds} s`);
  }
  if (ended.code !== 0) {
    const how = ended.by ? `was ended by ${ended.by}` : `failed with status ${ended.code}`;
    const said = shortened(ended.stderr);
    throw failed(`${named} ${how}${said ? `: ${said}` : ""}`);
  }
  const answer = parsed(ended.stdout);
  if (!isRecord(answer)) throw failed(`${named} did not print a JSON object`);
  return { answer, named };
}

function credentialsIn(answer: Record<string, unknown>, named: string): HelperAnswer {
  const version = answer.Version ?? answer.version;
  if (version !== undefined && version !== 1)
    throw new AppError("settings", "helper", `${named} printed another Version than 1`);
  const apiKey = secret(answer, ["ApiKey", "api_key"], named);
  const token = secret(answer, ["Token", "token"], named);
  if (apiKey === null && token === null)
    throw new AppError("settings", "helper", `${named} printed neither ApiKey nor Token`);
  const expiresAt = expiration(answer.Expiration ?? answer.expiration, named);
  return {
    apiKey: apiKey ?? undefined,
    token: token ?? undefined,
    expiresAt: expiresAt ?? undefined,
  };
}

/**
 * Parses JSON without an error: JSON.parse quotes the text in its error, and this text has a
 * secret.
 */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

function secret(
  answer: Record<string, unknown>,
  names: readonly [string, string],
  named: string,
): string | null {
  const value = answer[names[0]] ?? answer[names[1]];
  if (value === undefined || value === null) return null;
  const problem = typeof value === "string" ? checkSecret(value) : "is not a text";
  if (problem !== null || typeof value !== "string")
    throw new AppError("settings", "helper", `${named}: its ${names[0]} ${problem}`);
  return value;
}

function expiration(value: unknown, named: string): number | null {
  if (value === undefined || value === null) return null;
  const instant =
    typeof value === "string" && /T.*(Z|[+-]\d\d:?\d\d)$/i.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(instant))
    throw new AppError("settings", "helper", `${named}: its Expiration is not an ISO 8601 instant`);
  return instant;
}

function shortened(text: string): string {
  const line = safe(text.trim().replace(/\s+/g, " "));
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/**
 * Splits a command line as a POSIX shell would: blanks separate words, single quotes protect
 * everything, double quotes protect all but `\"`, `\\`, `\$` and `` \` ``, a backslash protects the
 * next character. Nothing is expanded, so `$`, `*`, `~`, `|` and `;` are ordinary characters.
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

function unfinished(what: string): AppError<"settings"> {
  return new AppError("settings", "invalid", `the credential helper's command ${what}`);
}
