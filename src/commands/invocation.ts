/** Creates the invocation of a command: its options, settings, printer of results, and notices. */

import type { Writable } from "node:stream";
import { toJson } from "../json/exact.ts";
import { type Folders, foldersOf } from "../settings/folders.ts";
import type { Secrets } from "../settings/secrets.ts";
import { openSettings, type Settings } from "../settings/settings.ts";
import { safe } from "../text/sanitize.ts";
import { type Failure, formatFailure } from "./failure.ts";
import { type GlobalOptions, printsJson } from "./global-options.ts";
import type { Io } from "./io.ts";

export interface Invocation {
  readonly io: Io;
  readonly globals: GlobalOptions;
  readonly secrets: Secrets;
  readonly folders: Folders;
  /** The notice that times are in UTC because Node does not know the zone in TZ, or null. */
  readonly zoneNotice: string | null;
  readonly sendsWrites: boolean;
  readonly request: { readonly signal: AbortSignal; readonly timeoutMs: number | undefined };
  readonly out: Printer;
  /** Shows a notice on stderr. `--quiet` hides it. */
  notice(text: string): void;
  /**
   * Shows progress on stderr, except with `--quiet`. With JSON, progress is shown only on a
   * terminal, because an error must be the only object that a script reads on stderr.
   */
  progress(text: string): void;
  /** Shows a problem on stderr, even with `--quiet`. */
  problem(text: string): void;
  /** Shows a failure that does not end the command, with `--json` as an object. */
  report(failure: Failure): void;
  /**
   * Shows a warning on stderr, the same text only once. `--quiet` hides a warning that is not
   * `lasting`. With JSON, a warning is an object if stderr is no terminal. The object is written at
   * the end, and only if nothing failed, because an error must be the only object.
   */
  warn(text: string, lasting?: "lasting"): void;
  /** Opens the settings on the disk at the first use. Throws a settings error. */
  settings(): Settings;
}

interface EndableInvocation extends Invocation {
  /** Writes the warnings of a command that ends without an error. */
  end(): void;
}

/** Creates an invocation. Nothing is read or opened yet. */
export function createInvocation(
  io: Io,
  globals: GlobalOptions,
  secrets: Secrets,
  { zoneNotice, sendsWrites }: Pick<Invocation, "zoneNotice" | "sendsWrites">,
): EndableInvocation {
  const asJson = printsJson(globals);
  const folders = foldersOf(io.env, io.home);
  const warnings = new Set<string>();
  const warnsAtEnd = asJson && io.stderr.isTTY !== true;
  let hasFailed = false;
  let opened: Settings | null = null;
  const problem = (text: string) => void io.stderr.write(`supplyline: ${safe(text)}\n`);
  const notice = (text: string) => {
    if (!globals.quiet) problem(text);
  };
  return {
    io,
    globals,
    secrets,
    folders,
    zoneNotice,
    sendsWrites,
    request: { signal: io.signal, timeoutMs: globals.timeoutMs },
    out: printerOn(io.stdout, io.signal),
    notice,
    progress: (text) => {
      if (!warnsAtEnd) notice(text);
    },
    problem,
    report: (failure) => {
      hasFailed = true;
      io.stderr.write(formatFailure(failure, asJson));
    },
    warn: (text, lasting) => {
      if (warnings.has(text) || (globals.quiet && lasting === undefined)) return;
      warnings.add(text);
      if (!warnsAtEnd) problem(text);
    },
    end: () => {
      if (hasFailed || !warnsAtEnd) return;
      for (const message of warnings)
        io.stderr.write(`${toJson({ warning: { message: safe(message) } })}\n`);
    },
    settings: () => {
      opened ??= openSettings({ configDir: folders.configDir, env: io.env, now: io.clock.now });
      return opened;
    },
  };
}

/** Writes results, no faster than the reader accepts them. */
interface Printer {
  /** Resolves when there is room for more. Rejects with the reason of an aborted signal. */
  write(text: string | Uint8Array): Promise<void>;
  line(text: string): Promise<void>;
  /** Writes text that is needed even if the command is being ended, such as a closing bracket. */
  close(text: string): void;
}

/**
 * Creates a printer on a stream. The owner of the stream handles its errors and aborts the signal.
 */
function printerOn(stream: Writable, signal: AbortSignal): Printer {
  const write = async (text: string | Uint8Array) => {
    signal.throwIfAborted();
    if (text.length === 0 || stream.write(text)) return;
    await drained(stream, signal);
  };
  return {
    write,
    line: (text) => write(`${text}\n`),
    close: (text) => {
      if (stream.writable) stream.write(text);
    },
  };
}

/** Resolves when a stream has room for more or is closed. Rejects if the signal is aborted. */
function drained(stream: Writable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (settlePromise: () => void) => () => {
      stream.off("drain", onDrain);
      stream.off("close", onDrain);
      signal.removeEventListener("abort", onAbort);
      settlePromise();
    };
    const onDrain = settle(resolve);
    const onAbort = settle(() => reject(signal.reason));
    stream.once("drain", onDrain);
    stream.once("close", onDrain);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
