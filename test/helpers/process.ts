import { spawn } from "node:child_process";
import { programWords } from "./built-program.ts";
import { closing } from "./closing.ts";
import { type Folders, openFolders, programEnvironment } from "./folders.ts";
import { collectText, type LiveText } from "./live-text.ts";
import { longestWait } from "./longest-wait.ts";

/** The end of a command, and its output. */
export interface CliResult {
  /** The exit code, or null if a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  /** Stands above the clean environment. */
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** Folders to share with other runs; without them the command gets fresh ones of its own. */
  readonly folders?: Folders;
}

/** A command that is running, with pipes for its input and output. */
export interface RunningCli extends AsyncDisposable {
  readonly pid: number;
  readonly stdout: LiveText;
  readonly stderr: LiveText;
  /** Writes to its standard input. */
  write(text: string | Uint8Array): void;
  endInput(): void;
  /** Closes the reading side of a pipe, as `| head` does. */
  closeReader(pipe: "stdout" | "stderr"): void;
  /** Sends a signal, SIGTERM by default. */
  kill(signal?: NodeJS.Signals): void;
  /** Resolves when it has ended and its pipes are read to the end. */
  readonly result: Promise<CliResult>;
}

interface ProcessOptions {
  /** The whole environment; that of the tests without it. */
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The number of the user, and of the group, that it runs as. */
  readonly user?: number;
}

/** Starts any program as a process of its own, which is killed on dispose. */
export function startProcess(
  [program, ...words]: readonly string[],
  { env, cwd, user }: ProcessOptions = {},
): RunningCli {
  const child = spawn(String(program), words, { env, cwd, uid: user, gid: user });
  const stdout = collectText(child.stdout, "stdout");
  const stderr = collectText(child.stderr, "stderr");
  // A command may end without reading all its input; how it ended is what counts.
  child.stdin.on("error", () => {});

  const { promise: result, resolve, reject } = Promise.withResolvers<CliResult>();
  let ended = false;
  child.on("error", reject);
  child.on("close", (code, signal) => {
    ended = true;
    resolve({ code, signal, stdout: stdout.text(), stderr: stderr.text() });
  });
  // Whoever awaits the result sees the failure; not awaiting it is no fault.
  result.catch(() => {});
  const kill = (signal: NodeJS.Signals = "SIGTERM") => {
    if (!ended) child.kill(signal);
  };

  return closing({
    pid: child.pid ?? -1,
    stdout,
    stderr,
    write: (text) => void child.stdin.write(text),
    endInput: () => void child.stdin.end(),
    closeReader: (pipe) => void child[pipe].destroy(),
    kill,
    result,
    [Symbol.asyncDispose]: async () => {
      kill("SIGKILL");
      await result.catch(() => {});
    },
  });
}

/** Runs any program to its end, however long it takes. */
export async function runProcess(
  words: readonly string[],
  { input, ...options }: ProcessOptions & Pick<RunOptions, "input"> = {},
): Promise<CliResult> {
  await using child = startProcess(words, options);
  if (input !== undefined) child.write(input);
  child.endInput();
  return await child.result;
}

/** Starts the built program as a process of its own. Its folders are removed on dispose. */
export function startCli(args: readonly string[], options?: CliOptions): Promise<RunningCli> {
  return startProgram(programWords(), args, options);
}

/** The same with other words to start it. */
export async function startProgram(
  words: readonly string[],
  args: readonly string[],
  options: CliOptions = {},
): Promise<RunningCli> {
  const folders = options.folders ?? (await openFolders());
  const child = startProcess([...words, ...args], {
    cwd: options.cwd ?? folders.home,
    env: programEnvironment(folders, options.env),
  });
  return {
    ...child,
    [Symbol.asyncDispose]: async () => {
      await child[Symbol.asyncDispose]();
      if (!options.folders) await folders[Symbol.asyncDispose]();
    },
  };
}

export interface RunOptions extends CliOptions {
  /** Given as the whole standard input; without it the input is empty. */
  readonly input?: string | Uint8Array;
  /** Sends `signal` (SIGINT by default) once what it wrote matches. */
  readonly signalAfter?: {
    readonly pattern: string | RegExp;
    readonly on?: "stdout" | "stderr";
    readonly signal?: NodeJS.Signals;
  };
}

/** Runs the built program to its end. Rejects, with all it wrote, when it does not end. */
export function runCli(args: readonly string[], options?: RunOptions): Promise<CliResult> {
  return runProgram(programWords(), args, options);
}

/** The same with other words to start it. */
export async function runProgram(
  words: readonly string[],
  args: readonly string[],
  options: RunOptions = {},
): Promise<CliResult> {
  await using cli = await startProgram(words, args, options);
  if (options.input !== undefined) cli.write(options.input);
  cli.endInput();
  const { signalAfter } = options;
  if (signalAfter) {
    await cli[signalAfter.on ?? "stdout"].waitForText(signalAfter.pattern);
    cli.kill(signalAfter.signal ?? "SIGINT");
  }
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    cli.kill("SIGKILL");
  }, longestWait);
  const result = await cli.result.finally(() => clearTimeout(timer));
  if (late) {
    const wrote = `stdout:\n${result.stdout}\nstderr:\n${result.stderr}`;
    throw new Error(`supplyline ${args.join(" ")} did not end\n${wrote}`);
  }
  return result;
}
