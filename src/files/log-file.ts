/** Writes the log of this process to a file that only its owner can access. */
import {
  appendFileSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  type Stats,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { redactSecret } from "../api/obtain-token.ts";
import { AppError } from "../errors/app-error.ts";
import { toJson } from "../json/exact.ts";
import { hiddenFromLog, readLog } from "../log/log.ts";
import type { LogEvent } from "../log/log-event.ts";
import { codeOf, diskWords } from "../text/disk-words.ts";
import { shellQuote } from "../text/shell-quote.ts";
import { accessProblem, replaceableIn } from "./private.ts";

interface LogFileOptions {
  readonly path: string;
  readonly pid: number;
  readonly hasBodies: boolean;
  readonly now: () => number;
}

export interface LogFile {
  /** Writes the last events and closes the file. Returns why the log is incomplete, or null. */
  close(): string | null;
}

/**
 * Opens a log and adds each later event of this process as a line of JSON. Lines are formatted and
 * written after the work that caused them, so that a key does not wait for the disk. The end and a
 * crash are written at once. An existing log is continued. Throws a settings error: `exposed` if
 * another user can read, write or replace the file, or if it is a link, and `invalid` if it cannot
 * be written.
 */
export function openLogFile({ path, pid, hasBodies, now }: LogFileOptions): LogFile {
  const file = openPrivate(path);
  /** The events of this turn of the event loop, each with its time in epoch milliseconds. */
  let waiting: (readonly [at: number, event: LogEvent])[] = [];
  let failure: string | null = null;

  const write = () => {
    const events = waiting;
    waiting = [];
    if (failure !== null || events.length === 0) return;
    try {
      appendFileSync(file, events.map(([at, event]) => logLine(at, pid, event)).join(""));
    } catch (error) {
      failure = codeOf(error);
    }
  };
  const stop = readLog((event) => {
    if (failure !== null) return;
    waiting.push([now(), event]);
    if (event.event === "crash" || event.event === "end") write();
    else if (waiting.length === 1) setImmediate(write);
  }, hasBodies);
  return {
    close() {
      write();
      stop();
      closeSync(file);
      return failure === null ? null : diskWords(failure);
    },
  };
}

/**
 * Formats an event as a line of JSON, without the known secrets. Its keys are in snake case, with
 * time and process first.
 */
function logLine(at: number, pid: number, { event, ...facts }: LogEvent): string {
  const secrets = hiddenFromLog();
  // A value is redacted before it is escaped, so that the line stays JSON.
  const withoutSecrets = (value: unknown) =>
    typeof value === "string"
      ? secrets.reduce((text, secret) => redactSecret(secret, text), value)
      : value;
  const named = Object.entries(facts).map(([name, value]) => [
    snakeCase(name),
    withoutSecrets(value),
  ]);
  const time = new Date(at).toISOString();
  return `${toJson({ at: time, pid, event, ...Object.fromEntries(named) })}\n`;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Opens a file to append to, or creates it with mode 0600. Never follows a link. */
function openPrivate(path: string): number {
  const parent = folderOf(path);
  const folder = replaceableIn(path);
  if (folder !== null)
    throw settingsError(
      "exposed",
      `the log ${path} would be in ${folder}, where other users can replace it`,
      "name a file in a folder of your own",
    );
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK;
  const { O_CREAT: create, O_EXCL: onlyNew, O_NOFOLLOW: noLink } = constants;
  try {
    const file = openSync(path, flags | create | onlyNew | noLink, 0o600);
    fchmodSync(file, 0o600);
    return file;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw unwritable(path, parent, error);
  }
  let file: number;
  try {
    file = openSync(path, flags | noLink);
  } catch (error) {
    refuseExposed(path, lstatSync(path));
    throw unwritable(path, parent, error);
  }
  try {
    refuseExposed(path, fstatSync(file));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Throws if other users can access the file, or if it is no file of one name. */
function refuseExposed(path: string, stats: Stats): void {
  const problem = accessProblem("file", path, stats);
  if (problem !== null)
    throw settingsError(
      problem.kind === "exposed" ? "exposed" : "invalid",
      `the log ${path} ${problem.words}; nothing was written`,
      problem.fix,
    );
  if (stats.nlink > 1)
    throw settingsError(
      "exposed",
      `the log ${path} has a second name elsewhere (a hard link); nothing was written`,
      `rm ${shellQuote(path)}`,
    );
}

function folderOf(path: string): string {
  return dirname(resolve(path));
}

function unwritable(path: string, folder: string, error: unknown): AppError<"settings"> {
  const code = codeOf(error);
  const reason = code === "ENOENT" ? `there is no folder ${folder}` : diskWords(code);
  return settingsError("invalid", `the log ${path} cannot be written: ${reason}`, null);
}

function settingsError(
  kind: "exposed" | "invalid",
  words: string,
  fix: string | null,
): AppError<"settings"> {
  return new AppError("settings", kind, words, { fix });
}
