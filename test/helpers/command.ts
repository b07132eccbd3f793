import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { type Clock, systemClock } from "../../src/api/clock.ts";
import { Ended, type Io } from "../../src/commands/io.ts";
import { main } from "../../src/commands/main.ts";
import { closing } from "./closing.ts";
import { openFolders, programEnvironment } from "./folders.ts";
import { killGroup } from "./kill-group.ts";
import { collectText } from "./live-text.ts";
import { longestWait } from "./longest-wait.ts";
import { noMemory } from "./no-memory.ts";
import type { CliOptions, CliResult, RunningCli, RunOptions } from "./process.ts";

const packageFile = join(import.meta.dirname, "../../package.json");
const { version } = JSON.parse(readFileSync(packageFile, "utf8")) as { version: string };

/** A process reads its time zone once; a command in another zone needs a process. */
const timeZone = "UTC";
process.env.TZ = timeZone;

/** The signals that end a command in order; SIGKILL needs a process. */
type Signal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** A command that is running in the process of the test. A reader that closes needs a process. */
export interface RunningCommand extends Omit<RunningCli, "pid" | "closeReader" | "kill"> {
  /** Ends it as the signal would, SIGTERM by default. */
  kill(signal?: Signal): void;
}

interface StartOptions extends CliOptions {
  /** The machine's by default. */
  readonly clock?: Clock | undefined;
  /** Loads the ledger of a team. Default: the driver of PostgreSQL. */
  readonly loadLedger?: Io["loadLedger"];
  /** Loads the memory of a team. Default: an empty one. */
  readonly loadMemory?: Io["loadMemory"];
}

export interface CommandOptions extends StartOptions, Pick<RunOptions, "input"> {
  /** Sends `signal` (SIGINT by default) once what it wrote matches. */
  readonly signalAfter?: RunOptions["signalAfter"] & { readonly signal?: Signal };
}

/** The working folder belongs to the process, so all commands of one moment share it. */
const workingFolder = { home: process.cwd(), current: "", users: 0 };

/** Changes to a folder; the function that comes back leaves it again. */
export function enterFolder(folder: string): () => void {
  if (workingFolder.users > 0 && workingFolder.current !== folder)
    throw new Error(`a command is running in ${workingFolder.current}; await it first`);
  if (workingFolder.users === 0) process.chdir(folder);
  workingFolder.current = folder;
  workingFolder.users += 1;
  return () => {
    workingFolder.users -= 1;
    if (workingFolder.users === 0) process.chdir(workingFolder.home);
  };
}

/** The newest handler of Ctrl-C acts on SIGINT; without one the command ends, as on any signal. */
function openSignals() {
  const ending = new AbortController();
  const handlers: (() => void)[] = [];
  const end = (reason: Ended) => {
    if (!ending.signal.aborted) ending.abort(reason);
  };
  const onInterrupt: Io["onInterrupt"] = (handler) => {
    const own = () => handler();
    handlers.push(own);
    return () => {
      const at = handlers.indexOf(own);
      if (at !== -1) handlers.splice(at, 1);
    };
  };
  const send = (name: Signal) => {
    switch (name) {
      case "SIGINT":
        return (handlers.at(-1) ?? (() => end(new Ended("interrupted"))))();
      case "SIGTERM":
        return end(new Ended("interrupted", { settles: true }));
      case "SIGHUP":
        return end(new Ended("hang-up", { settles: true }));
    }
  };
  return { signal: ending.signal, onInterrupt, send };
}

/** Starts a command in this process. Its folders, unless given, are removed on dispose. */
export async function startCommand(
  args: readonly string[],
  options: StartOptions = {},
): Promise<RunningCommand> {
  const folders = options.folders ?? (await openFolders());
  const env: Io["env"] = programEnvironment(folders, options.env);
  if (env.TZ !== timeZone) throw new Error(`a command in the zone ${env.TZ} needs a process`);
  const pipes = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const stdout = collectText(pipes.stdout, "stdout");
  const stderr = collectText(pipes.stderr, "stderr");
  const { signal, onInterrupt, send } = openSignals();
  const io = {
    ...(pipes as unknown as Pick<Io, "stdin" | "stdout" | "stderr">),
    env,
    home: folders.home,
    clock: options.clock ?? systemClock,
    version,
    pid: process.pid,
    nodeVersion: process.version,
    signal,
    onInterrupt,
    killGroup,
    loadLedger:
      options.loadLedger ??
      (async () => (await import("../../src/writes/team/postgres.ts")).openLedger),
    loadMemory: options.loadMemory ?? noMemory,
    openConsole: () => Promise.reject(new Error("the console needs a terminal")),
  } satisfies Io;

  const leave = enterFolder(options.cwd ?? folders.home);
  let ended = false;
  const run = async (): Promise<CliResult> => {
    const code = await main(args, io).finally(leave);
    ended = true;
    await Promise.all([closed(pipes.stdout), closed(pipes.stderr)]);
    return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() };
  };
  const result = run();
  // Whoever awaits the result sees the failure.
  result.catch(() => {});
  const kill = (name: Signal = "SIGTERM") => {
    if (!ended) send(name);
  };
  return closing({
    stdout,
    stderr,
    write: (text) => void pipes.stdin.write(text),
    endInput: () => void pipes.stdin.end(),
    kill,
    result,
    [Symbol.asyncDispose]: async () => {
      kill();
      await result.catch(() => {});
      if (!options.folders) await folders[Symbol.asyncDispose]();
    },
  });
}

/** Ends a pipe; resolves when it is read to its end. */
function closed(pipe: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    pipe.once("close", resolve);
    pipe.end();
  });
}

/** Runs a command in this process to its end. Rejects, with all it wrote, when it does not end. */
export async function runCommand(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CliResult> {
  await using command = await startCommand(args, options);
  if (options.input !== undefined) command.write(options.input);
  command.endInput();
  const { signalAfter } = options;
  if (signalAfter) {
    await command[signalAfter.on ?? "stdout"].waitForText(signalAfter.pattern);
    command.kill(signalAfter.signal ?? "SIGINT");
  }
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const wrote = `stdout:\n${command.stdout.text()}\nstderr:\n${command.stderr.text()}`;
    reject(new Error(`supplyline ${args.join(" ")} did not end\n${wrote}`));
  }, longestWait);
  return await Promise.race([command.result, late]).finally(() => clearTimeout(timer));
}
