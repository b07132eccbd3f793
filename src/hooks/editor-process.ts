import { spawn } from "node:child_process";

/** How an editor was left; `words` say what went wrong. */
export type EditorExit =
  | { readonly kind: "left" }
  | { readonly kind: "failed"; readonly words: string }
  /** The terminal is gone; what was written to the file by then is there. */
  | { readonly kind: "hung-up" };

/** The editor's command line: $VISUAL, else $EDITOR, else vi. */
export function editorCommand(env: Readonly<Record<string, string | undefined>>): string {
  return env.VISUAL?.trim() || env.EDITOR?.trim() || "vi";
}

/**
 * What the shell is to run. A plain command takes the shell's place: a signal to the child is then
 * one to the editor, which would outlive its shell otherwise.
 */
function shellLine(command: string): string {
  const isPlain = /^[\w./+-]+(?:[ \t][^;&|<>()`$\n]*)?$/.test(command);
  return `${isPlain ? "exec " : ""}${command} "$@"`;
}

/**
 * Runs the editor on a file with the terminal as its own. The command line goes through the shell,
 * as git does it, because it may hold arguments. Always resolves; `signal` ends the editor.
 */
export function runEditor(
  file: string,
  options: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly signal: AbortSignal;
  },
): Promise<EditorExit> {
  const { env, signal } = options;
  const command = editorCommand(env);
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", shellLine(command), command, file], {
      stdio: "inherit",
      env: { ...env },
    });
    const onAbort = () => {
      child.kill("SIGHUP");
      resolve({ kind: "hung-up" });
    };
    const end = (exit: EditorExit) => {
      signal.removeEventListener("abort", onAbort);
      resolve(exit);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    child.on("error", (error) =>
      end({ kind: "failed", words: `${command} could not be started: ${error.message}` }),
    );
    child.on("exit", (code, by) => {
      if (code === 0) end({ kind: "left" });
      // The editor may hear of the hang-up before we do.
      else if (by === "SIGHUP") end({ kind: "hung-up" });
      else if (code === 126 || code === 127) {
        const words = `${command} could not be started; set VISUAL or EDITOR`;
        end({ kind: "failed", words });
      } else end({ kind: "failed", words: `${command} ended with ${by ?? `code ${code}`}` });
    });
  });
}
