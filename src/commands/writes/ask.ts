/** Asks the user questions at the terminal, such as confirmations. */

import { createInterface } from "node:readline";
import type { AppError } from "../../errors/app-error.ts";
import { usageError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import type { Io } from "../io.ts";

/** Returns true if stdin and stderr are terminals, so that a user can answer. */
export function canAsk({ stdin, stderr }: Io): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Asks the user questions, one after another. */
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
  /** Resumes the open question. */
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

/** The texts of the question about a step that cannot be undone. */
interface IrreversibleStep {
  /** The error message if no user can answer. */
  readonly errorMessage: string;
  /** The warning before the question. */
  readonly warning: string;
  /** The text that must be typed. */
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

/** Returns the error for an answer other than the required one. */
export function notConfirmed(
  typed: string,
  wanted: string,
  untouched: string,
): AppError<"command"> {
  const reason =
    typed === "" ? "it was not confirmed" : `${JSON.stringify(typed)} is not ${wanted}`;
  return usageError(reason, untouched);
}
