import type { Command } from "commander";
import type { ActivityFilter, ActivityOutcome } from "../../writes/activity.ts";
import type { GlobalOptions } from "../global-options.ts";
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
    .option("--limit <n>", "at most so many", wholeNumberOption(1));
}

/** What to look for in the journal; `--profile` narrows it down as well. */
export function activityFilter(options: ActivityOptions, globals: GlobalOptions): ActivityFilter {
  const { outcome, account, supplyPoint, supplier, run, limit } = options;
  const { profile } = globals;
  return {
    ...(outcome === undefined ? {} : { outcomes: outcome }),
    ...(account === undefined ? {} : { externalAccountNumber: account }),
    ...(supplyPoint === undefined ? {} : { externalIdentifier: supplyPoint }),
    ...(supplier === undefined ? {} : { importSupplier: supplier }),
    ...(profile === undefined ? {} : { profile }),
    ...(run === undefined ? {} : { run }),
    ...(limit === undefined ? {} : { limit }),
  };
}
