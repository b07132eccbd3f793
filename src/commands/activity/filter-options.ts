import type { Command } from "commander";
import type { ActivityOutcome } from "../../writes/activity.ts";
import { choiceOption, wholeNumberOption } from "../option-values.ts";

const outcomes: readonly ActivityOutcome[] = [
  "unsent",
  "sending",
  "confirmed",
  "rejected",
  "retryable",
  "unknown",
  "closed",
];

/** Which writes are meant, as given on the command line. */
export interface ActivityOptions {
  readonly outcome?: readonly ActivityOutcome[];
  readonly account?: string;
  readonly supplyPoint?: string;
  readonly supplier?: string;
  readonly run?: string;
  /** As typed; a day, a time, or how long ago. */
  readonly since?: string;
  /** The same; a day alone is in it to its end. */
  readonly until?: string;
  readonly limit?: number;
}

export function addActivityFilters(command: Command): Command {
  const outcome = choiceOption(outcomes);
  return command
    .option(
      "--outcome <outcome>",
      `only these (several may be given): ${outcomes.join(", ")}`,
      (text: string, before: readonly ActivityOutcome[] = []) => [...before, outcome(text)],
    )
    .option("--supplier <code>", "only of this import supplier")
    .option("--account <number>", "only of this external account number")
    .option("--supply-point <id>", "only of this external identifier")
    .option("--run <id>", "only of this bulk run")
    .option("--since <time>", "only from then on: yesterday, 2026-11-20, 24h (so long ago)")
    .option("--until <time>", "only up to then; a day is meant to its end")
    .option("--limit <n>", "at most so many", wholeNumberOption(1));
}
