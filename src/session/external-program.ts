import { spawn } from "node:child_process";

/** How a program that borrowed the terminal ended; `words` say what went wrong. */
export type ProgramExit =
  | { readonly kind: "left" }
  | { readonly kind: "failed"; readonly words: string }
  /** The terminal was closed; what was written to a file until then is there. */
  | { readonly kind: "hung-up" };

/**
 * The line for the shell. A plain command replaces the shell, so that a signal to the child reaches
 * the program, which would outlive its shell otherwise.
 */
function shellLine(command: string): string {
  const isPlain = /^[\w./+-]+(?:[ \t][^;&|<>()`$\n]*)?$/.test(command);
  return `${isPlain ? "exec " : ""}${command} "$@"`;
}

/** The editor's command line: $VISUAL, else $EDITOR, else vi. */
export function editorCommand(env: Readonly<Record<string, string | undefined>>): string {
  return env.VISUAL?.trim() || env.EDITOR?.trim() || "vi";
}

/** Editors that take `+12` for the name of a file; they have a form of their own. */
const linesOtherwise: Readonly<Record<string, (path: string, line: number) => readonly string[]>> =
  {
    code: (path, line) => ["--goto", `${path}:${line}`],
    "code-insiders": (path, line) => ["--goto", `${path}:${line}`],
    codium: (path, line) => ["--goto", `${path}:${line}`],
    subl: (path, line) => [`${path}:${line}`],
    zed: (path, line) => [`${path}:${line}`],
    hx: (path, line) => [`${path}:${line}`],
    helix: (path, line) => [`${path}:${line}`],
  };

/** The arguments that open a file at a line, which most editors take as `+LINE FILE`. */
export function atLine(command: string, path: string, line: number): readonly string[] {
  const [program = ""] = command.split(/\s/);
  const otherwise = linesOtherwise[program.slice(program.lastIndexOf("/") + 1)];
  return otherwise?.(path, line) ?? [`+${line}`, path];
}

/**
 * Runs a program with these very arguments on the terminal, which it borrows; no shell reads them.
 * Always resolves; `signal` ends the program.
 */
export function runOnTerminal(
  program: string,
  args: readonly string[],
  options: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly signal: AbortSignal;
  },
): Promise<ProgramExit> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: "inherit", env: { ...options.env } });
    const onAbort = () => {
      child.kill("SIGHUP");
      end({ kind: "hung-up" });
    };
    const end = (exit: ProgramExit) => {
      options.signal.removeEventListener("abort", onAbort);
      resolve(exit);
    };
    options.signal.addEventListener("abort", onAbort, { once: true });
    if (options.signal.aborted) onAbort();
    child.on("error", ({ message }) =>
      end({ kind: "failed", words: `${program} could not be started: ${message}` }),
    );
    child.on("exit", (code, by) => {
      if (code === 0) end({ kind: "left" });
      else end({ kind: "failed", words: `${program} ended with ${by ?? `code ${code}`}` });
    });
  });
}

/**
 * Runs a program that borrows the terminal. The command goes through the shell, as in git, because
 * it can contain arguments. Always resolves; `signal` ends the program.
 */
export function runProgram(
  command: string,
  args: readonly string[],
  options: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly signal: AbortSignal;
    /** Its standard input; the terminal where absent. */
    readonly input?: string;
    /** What to do when it cannot be started, for example `set VISUAL or EDITOR`. */
    readonly remedy: string;
  },
): Promise<ProgramExit> {
  const { env, signal, input, remedy } = options;
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", shellLine(command), command, ...args], {
      stdio: [input === undefined ? "inherit" : "pipe", "inherit", "inherit"],
      env: { ...env },
    });
    const onAbort = () => {
      child.kill("SIGHUP");
      resolve({ kind: "hung-up" });
    };
    const end = (exit: ProgramExit) => {
      signal.removeEventListener("abort", onAbort);
      resolve(exit);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    // The program can exit before it has read everything.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
    child.on("error", (error) =>
      end({ kind: "failed", words: `${command} could not be started: ${error.message}` }),
    );
    child.on("exit", (code, by) => {
      if (code === 0) end({ kind: "left" });
      // The program can receive the hang-up before we do.
      else if (by === "SIGHUP") end({ kind: "hung-up" });
      else if (code === 126 || code === 127)
        end({ kind: "failed", words: `${command} could not be started; ${remedy}` });
      else end({ kind: "failed", words: `${command} ended with ${by ?? `code ${code}`}` });
    });
  });
}
