import type { ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import type { ProxyLogin } from "../api/connections.ts";
import { AppError } from "../errors/app-error.ts";
import { isRecord } from "../json/exact.ts";
import { safe } from "../text/sanitise.ts";
import { commandWords } from "./command-words.ts";
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
  /** Default: 60 s, because a helper can wait for a person to touch a key. */
  readonly timeoutMs?: number | undefined;
  /** The environment, without the secrets of supplyline. Default: made from that of the process. */
  readonly env?: Record<string, string | undefined> | undefined;
}

const largestOutput = 64 * 1024;
const lingerMs = 250;
const killAfterMs = 1_000;

/**
 * Runs a credential helper and reads what it prints, in the shape of AWS's `credential_process`:
 *
 *     {"Version": 1, "ApiKey": "…", "Token": "…", "Expiration": "2030-01-31T12:00:00Z"}
 *
 * `ApiKey` (or `api_key`) and `Token` (or `token`): at least one. `Expiration` (or `expiration`), of
 * the token: an ISO 8601 instant with its offset, optional. `Version`, where present, is 1. Other
 * keys are passed over.
 *
 * The command is split into words and run without a shell, so a value in it is never run as code
 * and needs no second quoting; whoever wants a pipe writes `sh -c '…'`. It gets no stdin (the
 * console reads the terminal itself). Standard output is never logged nor quoted.
 * Throws `helper`, with the program's name, its exit and its shortened stderr; the signal's reason
 * when aborted.
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

/** The program that a helper's command runs. Throws `invalid` for a command without one. */
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
  options.signal?.throwIfAborted();
  const program = helperProgram(command);
  const [, ...args] = commandWords(command);
  const named = `${what} ${safe(program)}`;
  const ended = await run(program, args, named, options);
  if (ended.code !== 0) {
    const how = ended.signal ? `was ended by ${ended.signal}` : `failed with status ${ended.code}`;
    const said = shortened(ended.stderr);
    throw new AppError("settings", "helper", `${named} ${how}${said ? `: ${said}` : ""}`);
  }
  const answer = parsed(ended.stdout);
  if (!isRecord(answer))
    throw new AppError("settings", "helper", `${named} did not print a JSON object`);
  return { answer, named };
}

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(
  program: string,
  args: readonly string[],
  named: string,
  options: HelperOptions,
): Promise<Ended> {
  const timeoutMs = options.timeoutMs ?? 60_000;
  // Read only here: most profiles have no helper, and no start waits for it.
  const { spawn }: typeof import("node:child_process") = createRequire(import.meta.url)(
    "node:child_process",
  );
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...(options.env ? { env: options.env } : {}),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let outBytes = 0;
    let errBytes = 0;
    let lingering: NodeJS.Timeout | undefined;
    const settle = (act: () => void) => {
      clearTimeout(deadline);
      clearTimeout(lingering);
      options.signal?.removeEventListener("abort", onAbort);
      act();
    };
    const giveUp = (reason: unknown) =>
      settle(() => {
        stop(child);
        reject(reason);
      });
    const onAbort = () => giveUp(options.signal?.reason);
    const deadline = setTimeout(() => {
      const seconds = Math.max(1, Math.round(timeoutMs / 1000));
      giveUp(new AppError("settings", "helper", `${named} gave no answer within ${seconds} s`));
    }, timeoutMs);
    options.signal?.addEventListener("abort", onAbort, { once: true });

    child.stdout.on("data", (bytes: Buffer) => {
      outBytes += bytes.length;
      if (outBytes <= largestOutput) out.push(bytes);
      else
        giveUp(new AppError("settings", "helper", `${named} printed far more than a credential`));
    });
    child.stderr.on("data", (bytes: Buffer) => {
      if (errBytes < largestOutput) err.push(bytes);
      errBytes += bytes.length;
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "ENOENT" ? "was not found" : `cannot be run (${error.code})`;
      giveUp(new AppError("settings", "helper", `${named} ${why}`));
    });
    const done = (code: number | null, signal: NodeJS.Signals | null) =>
      settle(() => {
        release(child);
        resolve({
          code,
          signal,
          stdout: Buffer.concat(out).toString("utf8"),
          stderr: Buffer.concat(err).toString("utf8"),
        });
      });
    child.on("close", done);
    // Something the helper left running may hold the pipe open for ever; what it printed is here.
    child.on("exit", (code, signal) => {
      lingering = setTimeout(() => done(code, signal), lingerMs);
    });
  });
}

/** Ends a helper that is no longer waited for, by force if it does not go. */
function stop(child: ChildProcess): void {
  child.kill("SIGTERM");
  const force = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  child.once("exit", () => clearTimeout(force));
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null)
    clearTimeout(force);
  release(child);
}

function release(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
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

/** JSON.parse quotes the text in its error, and this text holds a secret. */
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
