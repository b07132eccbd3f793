/** Runs external programs, such as the user's editor, on the console's terminal. */
import { spawn } from "node:child_process";
import { errorMessage } from "../api/errors.ts";
import type { App } from "./app.ts";

export type ProgramExit =
  | { readonly kind: "exited" }
  | { readonly kind: "failed"; readonly words: string }
  /** The terminal was closed. Text that the program has already saved to a file is not lost. */
  | { readonly kind: "hung-up" };

/**
 * Returns the shell command line that runs `command` with the arguments of the shell. A simple
 * command replaces the shell (`exec`), so that a signal to the child process reaches the program.
 */
function shellLine(command: string): string {
  const isSimpleCommand = /^[\w./+-]+(?:[ \t][^;&|<>()`$\n]*)?$/.test(command);
  return `${isSimpleCommand ? "exec " : ""}${command} "$@"`;
}

export function editorCommand(env: Readonly<Record<string, string | undefined>>): string {
  return env.VISUAL?.trim() || env.EDITOR?.trim() || "vi";
}

/** Options before `FILE:LINE` for editors that would treat `+12` as a file name. */
const fileLineOptions: Readonly<Record<string, readonly string[]>> = {
  code: ["--goto"],
  "code-insiders": ["--goto"],
  codium: ["--goto"],
  subl: [],
  zed: [],
  hx: [],
  helix: [],
};

function atLine(command: string, path: string, line: number): readonly string[] {
  const [program = ""] = command.split(/\s/);
  const options = fileLineOptions[program.slice(program.lastIndexOf("/") + 1)];
  return options === undefined ? [`+${line}`, path] : [...options, `${path}:${line}`];
}

interface ProgramOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * Starts a program on the terminal, and resolves with the program's exit. `input` is the text for
 * standard input (default: the terminal). `name` names the program in messages. `exitOf` can replace
 * the exit of a failed program. Always resolves.
 */
function run(
  [file, ...args]: readonly [string, ...string[]],
  { env, signal, input }: ProgramOptions & { readonly input?: string | undefined },
  name: string,
  exitOf: (code: number | null, endSignal: NodeJS.Signals | null) => ProgramExit | null,
): Promise<ProgramExit> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      stdio: [input === undefined ? "inherit" : "pipe", "inherit", "inherit"],
      env: { ...env },
    });
    const end = (exit: ProgramExit) => {
      signal.removeEventListener("abort", onAbort);
      resolve(exit);
    };
    const onAbort = () => {
      child.kill("SIGHUP");
      end({ kind: "hung-up" });
    };
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    // The program can exit before it has read its whole input.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
    child.on("error", ({ message }) =>
      end({ kind: "failed", words: `${name} could not be started: ${message}` }),
    );
    child.on("exit", (code, endSignal) => {
      const words = `${name} ended with ${endSignal ?? `code ${code}`}`;
      end(code === 0 ? { kind: "exited" } : (exitOf(code, endSignal) ?? { kind: "failed", words }));
    });
  });
}

/**
 * Runs a program on the terminal with exactly these arguments, without a shell. The caller must have
 * borrowed the terminal. Always resolves.
 */
export function runOnTerminal(
  program: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramExit> {
  return run([program, ...args], options, program, () => null);
}

/**
 * Runs a command on the terminal through the shell, as git does, because the command can contain
 * arguments. The caller must have borrowed the terminal. Always resolves.
 */
export function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions & {
    readonly input?: string;
    readonly remedy: string;
  },
): Promise<ProgramExit> {
  const words = `${command} could not be started; ${options.remedy}`;
  const line = ["/bin/sh", "-c", shellLine(command), command, ...args] as const;
  return run(line, options, command, (code, endSignal) => {
    // The program can receive the hang-up before the console does.
    if (endSignal === "SIGHUP") return { kind: "hung-up" };
    return code === 126 || code === 127 ? { kind: "failed", words } : null;
  });
}

/**
 * Borrows the terminal for `use`, which runs a program, and returns the exit of the program. A
 * notice reports a failure. `failure` is the beginning of the notice if the terminal cannot be
 * borrowed. Always resolves.
 */
export async function withTerminal(
  { borrowTerminal, notices }: Pick<App, "borrowTerminal" | "notices">,
  use: () => Promise<ProgramExit>,
  failure: string,
): Promise<ProgramExit> {
  let exit: ProgramExit = { kind: "exited" };
  try {
    await borrowTerminal(async () => {
      exit = await use();
    });
  } catch (error) {
    exit = { kind: "failed", words: `${failure}: ${errorMessage(error)}` };
  }
  // The compiler does not see the assignment in the closure.
  const ended = exit as ProgramExit;
  if (ended.kind === "failed") notices.show(ended.words, "bad");
  return ended;
}

/**
 * Opens a file of the user in $VISUAL or $EDITOR at a line. Resolves when the editor has exited, with
 * false if the terminal was closed. A notice reports an editor that failed.
 */
export async function editFile(app: App, path: string, line: number): Promise<boolean> {
  const { env, end } = app;
  const command = editorCommand(env);
  const options = { env, signal: end, remedy: "set VISUAL or EDITOR" };
  const edit = () => runProgram(command, atLine(command, path, line), options);
  const exit = await withTerminal(app, edit, "The file could not be opened in an editor");
  return exit.kind !== "hung-up";
}
