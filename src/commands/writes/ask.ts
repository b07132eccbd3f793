import { createInterface } from "node:readline";
import type { AppError } from "../../errors/app-error.ts";
import { usageError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import type { Io } from "../io.ts";

export function canAsk({ stdin, stderr }: Io): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

interface Prompter extends AsyncDisposable {
  /**
   * Asks on the terminal and resolves with the typed line, empty at the end of input. Rejects with
   * the signal's reason if the program is ended meanwhile.
   */
  ask(question: string): Promise<string>;
}

/**
 * Creates a prompter on the terminal. All questions share one reader, so that several answers can
 * be pasted at once.
 */
export function createPrompter({ stdin, stderr, signal }: Io): Prompter {
  // The terminal edits the line, so that Ctrl-C stays a signal.
  const reader = createInterface({ input: stdin, terminal: false });
  const lines: string[] = [];
  let isEnded = false;
  let wake = () => {};
  reader.on("line", (line) => {
    lines.push(line);
    wake();
  });
  const end = () => {
    isEnded = true;
    wake();
  };
  reader.once("close", end);
  signal.addEventListener("abort", end, { once: true });
  return {
    async ask(question) {
      signal.throwIfAborted();
      stderr.write(question);
      while (lines.length === 0 && !isEnded) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      signal.throwIfAborted();
      return (lines.shift() ?? "").trim();
    },
    async [Symbol.asyncDispose]() {
      signal.removeEventListener("abort", end);
      reader.close();
      stdin.pause();
    },
  };
}

interface IrreversibleStep {
  readonly errorMessage: string;
  readonly warning: string;
  readonly wanted: string;
  /** The sentence for an aborted step, such as `Nothing was removed.`. */
  readonly untouched: string;
}

/**
 * Asks the user to type the required text, unless `--yes` is given. Throws `usage` for another
 * text, or without a terminal.
 */
export async function confirmTyped(
  { globals, io, problem }: Pick<Invocation, "globals" | "io" | "problem">,
  { errorMessage, warning, wanted, untouched }: IrreversibleStep,
): Promise<void> {
  if (globals.yes) return;
  if (!canAsk(io)) throw usageError(errorMessage, `${untouched} Give --yes to go ahead.`);
  problem(warning);
  await using prompter = createPrompter(io);
  const typed = await prompter.ask(`To go ahead, type ${wanted}: `);
  if (typed !== wanted) throw notConfirmed(typed, wanted, untouched);
}

export function notConfirmed(
  typed: string,
  wanted: string,
  untouched: string,
): AppError<"command"> {
  const reason =
    typed === "" ? "it was not confirmed" : `${JSON.stringify(typed)} is not ${wanted}`;
  return usageError(reason, untouched);
}
