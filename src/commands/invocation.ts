import type { Writable } from "node:stream";
import { toJson } from "../json/print.ts";
import { places } from "../settings/places.ts";
import type { Secrets } from "../settings/secrets.ts";
import { openSettings, type Settings } from "../settings/settings.ts";
import { safe } from "../text/sanitise.ts";
import { type Failure, formatFailure } from "./failure.ts";
import { type GlobalOptions, speaksJson } from "./global-options.ts";
import type { Io } from "./io.ts";

/** One command being carried out: its options and its access to the world. */
export interface Invocation {
  readonly io: Io;
  readonly globals: GlobalOptions;
  readonly secrets: Secrets;
  /** Why times are in UTC although TZ asks for another zone; null where it does not. */
  readonly zoneNotice: string | null;
  /** True if the command can send a write. */
  readonly sendsWrites: boolean;
  /** Results, on stdout. */
  readonly out: Printer;
  /** Something worth knowing, on stderr; `--quiet` hides it. */
  notice(text: string): void;
  /** Something that went wrong, on stderr; never hidden. */
  problem(text: string): void;
  /** The same for a failure that does not end the command; an object with `--json`. */
  report(failure: Failure): void;
  /**
   * Something odd about what is sent, on stderr, the same text once; `--quiet` hides it unless it is
   * `lasting`. With `--json` it is an object too, written at the end and only where nothing failed:
   * an error is to stand alone.
   */
  warn(text: string, lasting?: "lasting"): void;
  /** The settings on disk, opened at the first use. Throws a settings error. */
  settings(): Promise<Settings>;
}

/** An invocation, and what is still to be written once the command has ended without an error. */
interface BegunInvocation extends Invocation {
  end(): void;
}

/** Starts an invocation; nothing is read or opened yet. */
export function beginInvocation(
  io: Io,
  globals: GlobalOptions,
  secrets: Secrets,
  { zoneNotice, sendsWrites }: Pick<Invocation, "zoneNotice" | "sendsWrites">,
): BegunInvocation {
  const asJson = speaksJson(globals);
  const warnings = new Set<string>();
  const warnsAtEnd = asJson && io.stderr.isTTY !== true;
  let hasFailed = false;
  let opened: Promise<Settings> | null = null;
  const problem = (text: string) => void io.stderr.write(`supplyline: ${safe(text)}\n`);
  return {
    io,
    globals,
    secrets,
    zoneNotice,
    sendsWrites,
    out: printerOn(io.stdout, io.signal),
    notice: (text) => {
      if (!globals.quiet) problem(text);
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
      opened ??= openFrom(io);
      return opened;
    },
  };
}

async function openFrom(io: Io): Promise<Settings> {
  return openSettings({
    configDir: places(io.env, io.home).configDir,
    env: io.env,
    now: () => io.clock.now(),
  });
}

/** Writes results, no faster than they are read. */
interface Printer {
  /** Resolves when there is room for more; rejects with the signal's reason when it is aborted. */
  write(text: string | Uint8Array): Promise<void>;
  line(text: string): Promise<void>;
  /** Writes what must come although the command is being ended, such as a closing bracket. */
  close(text: string): void;
}

/** A printer on a stream; whoever owns the stream handles its errors and aborts the signal. */
function printerOn(stream: Writable, signal: AbortSignal): Printer {
  const write = async (text: string | Uint8Array) => {
    signal.throwIfAborted();
    if (text.length === 0 || stream.write(text)) return;
    await roomIn(stream, signal);
  };
  return {
    write,
    line: (text) => write(`${text}\n`),
    close: (text) => {
      if (stream.writable) stream.write(text);
    },
  };
}

function roomIn(stream: Writable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => () => {
      stream.off("drain", onDrain);
      stream.off("close", onDrain);
      signal.removeEventListener("abort", onAbort);
      act();
    };
    const onDrain = settle(resolve);
    const onAbort = settle(() => reject(signal.reason));
    stream.once("drain", onDrain);
    stream.once("close", onDrain);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
