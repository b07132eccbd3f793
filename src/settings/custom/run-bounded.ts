/**
 * Runs the user's programs for a limited time, with the beginning of their output and words for their
 * failures.
 */
import type { ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { safe } from "../../text/sanitize.ts";
import { truncate } from "../../text/width.ts";
import type { Profile } from "../schemas.ts";

/** The end of a program, with the beginning of its output. */
export type ProgramResult =
  | {
      readonly kind: "ended";
      readonly code: number | null;
      /** The signal that ended the program, or null if there was none. */
      readonly by: string | null;
      readonly stdout: string;
      readonly stderr: string;
      /** True if the program printed more than is stored. */
      readonly isCut: boolean;
    }
  /** The program was stopped: it took too long, its caller canceled it, or it printed too much. */
  | { readonly kind: "stopped"; readonly why: "late" | "canceled" | "full" }
  | { readonly kind: "failed"; readonly words: string };

export interface BoundedOptions {
  /** The environment. Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Text for the standard input. Default: none. */
  readonly input?: string;
  readonly signal?: AbortSignal | undefined;
  /** Aborted when this process ends. Programs that are still running are killed at once. */
  readonly end?: AbortSignal;
  readonly timeoutMs: number;
  /** Maximum bytes that are stored of each output. */
  readonly maxBytes: number;
  /**
   * True to stop a program that prints more on its standard output. Default: the output is closed.
   */
  readonly stopsWhenFull?: boolean;
  /**
   * Stops the program and all programs that it started, in a process group without the terminal.
   * Default: only the program is stopped, and it can use the terminal.
   */
  readonly killGroup?: KillGroup;
}

/** Sends a signal to a group of processes. Does nothing if the group has ended. */
export type KillGroup = (group: number, signal: NodeJS.Signals) => void;

const killAfterMs = 1_000;
/**
 * Milliseconds for which the outputs are read after the program ended. A program that it left
 * running can still have them open.
 */
const lingerMs = 250;

/**
 * Runs a program without a shell, for a limited time. An output that is
 * full is closed, so that too much output ends the program and not the console. Always resolves. To
 * stop the program, it sends SIGTERM, and SIGKILL a second later.
 */
export function runBounded(
  program: string,
  args: readonly string[],
  options: BoundedOptions,
): Promise<ProgramResult> {
  const { env, input = "", signal, timeoutMs, maxBytes, killGroup } = options;
  if (signal?.aborted || options.end?.aborted)
    return Promise.resolve({ kind: "stopped", why: "canceled" });
  // Imported only here, so that no start waits for it.
  const { spawn }: typeof import("node:child_process") = createRequire(import.meta.url)(
    "node:child_process",
  );
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      // In a separate group, the program is stopped with all programs that it started, and Ctrl-C
      // in the console does not reach it.
      const own = env === undefined ? {} : { env: { ...env } };
      child = spawn(program, args, { ...own, stdio: "pipe", detached: killGroup !== undefined });
    } catch (error) {
      resolve({ kind: "failed", words: wordsOf(program, error) });
      return;
    }
    let lingering: NodeJS.Timeout | undefined;
    const end = (ran: ProgramResult) => {
      clearTimeout(deadline);
      clearTimeout(lingering);
      signal?.removeEventListener("abort", onAbort);
      options.end?.removeEventListener("abort", onEnd);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(ran);
    };
    const stopFor = (why: "late" | "canceled" | "full", patienceMs: number) => () => {
      stop(child, patienceMs, killGroup);
      end({ kind: "stopped", why });
    };
    const onAbort = stopFor("canceled", killAfterMs);
    const onEnd = stopFor("canceled", 0);
    const deadline = setTimeout(stopFor("late", killAfterMs), timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    options.end?.addEventListener("abort", onEnd, { once: true });
    const onFull = options.stopsWhenFull ? stopFor("full", killAfterMs) : () => {};
    const out = bounded(child.stdout, maxBytes, onFull);
    const err = bounded(child.stderr, maxBytes);
    // The program can exit before it has read everything.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
    child.on("error", (error) => end({ kind: "failed", words: wordsOf(program, error) }));
    const done = (code: number | null, by: NodeJS.Signals | null) =>
      end({
        kind: "ended",
        code,
        by,
        stdout: out.text(),
        stderr: err.text(),
        isCut: out.isCut() || err.isCut(),
      });
    child.on("close", done);
    child.on("exit", (code, by) => {
      lingering = setTimeout(() => done(code, by), lingerMs);
    });
  });
}

/** Stores the beginning of a stream, and closes the stream if there is more. */
function bounded(stream: ChildProcess["stdout"], most: number, onFull = () => {}) {
  const pieces: Buffer[] = [];
  let length = 0;
  let cut = false;
  stream?.on("error", () => {});
  stream?.on("data", (bytes: Buffer) => {
    if (cut) return;
    pieces.push(bytes.subarray(0, most - length));
    length += bytes.length;
    if (length <= most) return;
    cut = true;
    stream.destroy();
    onFull();
  });
  return { text: () => Buffer.concat(pieces).toString("utf8"), isCut: () => cut };
}

function stop(child: ChildProcess, patienceMs: number, killGroup: KillGroup | undefined): void {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const kill = (signal: NodeJS.Signals) =>
    killGroup === undefined ? child.kill(signal) : killGroup(pid, signal);
  kill(patienceMs === 0 ? "SIGKILL" : "SIGTERM");
  if (patienceMs === 0) return;
  const force = setTimeout(() => kill("SIGKILL"), patienceMs);
  child.once("exit", () => {
    clearTimeout(force);
    // Programs that it started might still be running.
    kill("SIGKILL");
  });
}

function wordsOf(program: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT") return `${program} was not found`;
  if (code === "EACCES") return `${program} cannot be run: it is not executable (EACCES)`;
  return `${program} cannot be run (${String(code ?? error)})`;
}

/**
 * Returns the reason why a program failed as one line that is safe to show, or null if it
 * succeeded.
 */
export function problemWords(entry: string, ran: ProgramResult, timeoutMs: number): string | null {
  switch (ran.kind) {
    case "failed":
      return safe(`${entry}: ${ran.words}.`);
    case "stopped":
      return ran.why === "canceled"
        ? `${entry} was stopped.`
        : `${entry} was stopped: it took longer than ${Math.round(timeoutMs / 1_000)} s.`;
    case "ended": {
      // A program whose output was cut off can fail because of that.
      if (ran.code === 0 || ran.isCut) return null;
      const how = ran.by === null ? `failed with status ${ran.code}` : `was ended by ${ran.by}`;
      const said = firstLine(ran.stderr) ?? firstLine(ran.stdout);
      return `${entry} ${how}${said === null ? "." : `: ${said}`}`;
    }
  }
}

/** Returns the first line with text, short and safe to show, or null if there is none. */
export function firstLine(text: string): string | null {
  const line = text.split("\n", 200).find((one) => one.trim() !== "");
  return line === undefined ? null : truncate(safe(line.trim()), 200);
}

/**
 * Returns the environment of the user's programs: the console's environment without API key, token
 * and proxy passwords.
 */
export function programEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  profiles: readonly Profile[],
): Readonly<Record<string, string | undefined>> {
  const hidden = new Set<string | undefined>([
    ...["SUPPLYLINE_API_KEY", "SUPPLYLINE_TOKEN"],
    ...profiles.map(({ proxyCredentialEnv }) => proxyCredentialEnv),
  ]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !hidden.has(name)));
}
