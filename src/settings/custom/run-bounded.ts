/**
 * Runs a program of the user for a limited time, stores the beginning of its output, and describes
 * its failure.
 */
import type { ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { safe } from "../../text/sanitize.ts";
import { truncate } from "../../text/width.ts";
import type { Profile } from "../schemas.ts";
import { stoppingPrograms } from "./stopping-programs.ts";

export type ProgramResult =
  | {
      readonly kind: "ended";
      /** The exit status, or null if a signal ended the program. */
      readonly code: number | null;
      readonly signal: string | null;
      readonly stdout: string;
      readonly stderr: string;
      readonly isCut: boolean;
    }
  | { readonly kind: "stopped"; readonly reason: "late" | "canceled" | "full" }
  | { readonly kind: "failed"; readonly words: string };

export interface BoundedOptions {
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly input?: string;
  readonly signal?: AbortSignal | undefined;
  /** Aborted when this process ends. Programs that are still running are killed at once. */
  readonly end?: AbortSignal;
  readonly timeoutMs: number;
  /** Maximum number of bytes that are stored of stdout, and of stderr. */
  readonly maxBytes: number;
  /** True to stop a program that prints more. Default: false, so stdout is closed then. */
  readonly stopsWhenFull?: boolean;
  /**
   * Stops the program with all programs that it started. They run in a separate process group,
   * which cannot use the terminal. Default: only the program is stopped, and it can use the
   * terminal.
   */
  readonly killGroup?: KillGroup;
}

/** Sends a signal to a group of processes. Does nothing if the group has ended. */
export type KillGroup = (group: number, signal: NodeJS.Signals) => void;

const killAfterMs = 1_000;
/** Milliseconds to read outputs after the end, as a started program might have them open. */
const lingerMs = 250;

/**
 * Runs a program without a shell, for a limited time. An output that exceeds `maxBytes` is closed,
 * so that it cannot fill the memory of the console. A program is stopped with SIGTERM, and a second
 * later with SIGKILL. Always resolves.
 */
export function runBounded(
  program: string,
  args: readonly string[],
  options: BoundedOptions,
): Promise<ProgramResult> {
  const { env, input = "", signal, timeoutMs, maxBytes, killGroup } = options;
  if (signal?.aborted || options.end?.aborted)
    return Promise.resolve({ kind: "stopped", reason: "canceled" });
  // Loaded only here, so that the start is not delayed.
  const { spawn }: typeof import("node:child_process") = createRequire(import.meta.url)(
    "node:child_process",
  );
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      // Ctrl-C in the console does not reach a separate process group.
      const environment = env === undefined ? {} : { env: { ...env } };
      child = spawn(program, args, {
        ...environment,
        stdio: "pipe",
        detached: killGroup !== undefined,
      });
    } catch (error) {
      resolve({ kind: "failed", words: spawnError(program, error) });
      return;
    }
    let lingering: NodeJS.Timeout | undefined;
    const end = (result: ProgramResult) => {
      clearTimeout(deadline);
      clearTimeout(lingering);
      signal?.removeEventListener("abort", onAbort);
      options.end?.removeEventListener("abort", onEnd);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(result);
    };
    const stopFor = (reason: "late" | "canceled" | "full", graceMs: number) => () => {
      stop(child, graceMs, killGroup);
      end({ kind: "stopped", reason });
    };
    const onAbort = stopFor("canceled", killAfterMs);
    const onEnd = stopFor("canceled", 0);
    const deadline = setTimeout(stopFor("late", killAfterMs), timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    options.end?.addEventListener("abort", onEnd, { once: true });
    const onFull = options.stopsWhenFull ? stopFor("full", killAfterMs) : () => {};
    const stdout = collect(child.stdout, maxBytes, onFull);
    const stderr = collect(child.stderr, maxBytes);
    // Writing fails if the program exits before it has read its input.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
    child.on("error", (error) => end({ kind: "failed", words: spawnError(program, error) }));
    const done = (code: number | null, endSignal: NodeJS.Signals | null) =>
      end({
        kind: "ended",
        code,
        signal: endSignal,
        stdout: stdout.text(),
        stderr: stderr.text(),
        isCut: stdout.isCut() || stderr.isCut(),
      });
    child.on("close", done);
    child.on("exit", (code, endSignal) => {
      lingering = setTimeout(() => done(code, endSignal), lingerMs);
    });
  });
}

function collect(stream: ChildProcess["stdout"], maxBytes: number, onFull = () => {}) {
  const pieces: Buffer[] = [];
  let length = 0;
  let isCut = false;
  stream?.on("error", () => {});
  stream?.on("data", (bytes: Buffer) => {
    if (isCut) return;
    pieces.push(bytes.subarray(0, maxBytes - length));
    length += bytes.length;
    if (length <= maxBytes) return;
    isCut = true;
    stream.destroy();
    onFull();
  });
  return { text: () => Buffer.concat(pieces).toString("utf8"), isCut: () => isCut };
}

/** Sends SIGTERM and later SIGKILL, or SIGKILL at once if `graceMs` is 0. */
function stop(child: ChildProcess, graceMs: number, killGroup: KillGroup | undefined): void {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const kill = (signal: NodeJS.Signals) =>
    killGroup === undefined ? child.kill(signal) : killGroup(pid, signal);
  kill(graceMs === 0 ? "SIGKILL" : "SIGTERM");
  if (graceMs === 0) return;
  const force = () => void kill("SIGKILL");
  const timer = setTimeout(force, graceMs);
  stoppingPrograms.add(force);
  child.once("exit", () => {
    clearTimeout(timer);
    stoppingPrograms.delete(force);
    // Programs in its group might still be running.
    kill("SIGKILL");
  });
}

function spawnError(program: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT") return `${program} was not found`;
  if (code === "EACCES") return `${program} cannot be run: it is not executable (EACCES)`;
  return `${program} cannot be run (${String(code ?? error)})`;
}

/**
 * Returns the reason why a program failed as one line that is safe to show, or null if the program
 * succeeded. `entry` is the name of its command.
 */
export function failureWords(
  entry: string,
  result: ProgramResult,
  timeoutMs: number,
): string | null {
  switch (result.kind) {
    case "failed":
      return safe(`${entry}: ${result.words}.`);
    case "stopped":
      return result.reason === "canceled"
        ? `${entry} was stopped.`
        : `${entry} was stopped: it took longer than ${Math.round(timeoutMs / 1_000)} s.`;
    case "ended": {
      const { code, signal, isCut, stdout, stderr } = result;
      // A closed output can be the reason of a failure.
      if (code === 0 || isCut) return null;
      const end = signal === null ? `failed with status ${code}` : `was ended by ${signal}`;
      const message = firstLine(stderr) ?? firstLine(stdout);
      return `${entry} ${end}${message === null ? "." : `: ${message}`}`;
    }
  }
}

/** Returns the first line that is not blank, short and safe to show, or null if there is none. */
export function firstLine(text: string): string | null {
  const line = text.split("\n", 200).find((candidate) => candidate.trim() !== "");
  return line === undefined ? null : truncate(safe(line.trim()), 200);
}

/** Returns the environment of the user's programs: without API key, token and proxy passwords. */
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
