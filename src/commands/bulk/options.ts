import type { Command } from "commander";
import { wholeNumberOption } from "../option-values.ts";
import type { Expected } from "../writes/gate.ts";
import {
  addAgainOptions,
  addSettleOption,
  type GuardOverrideOptions,
} from "../writes/write-options.ts";

/** The options of `run` and `resume`; a resumed run has those that it was started with as defaults. */
interface TurnOptions extends GuardOverrideOptions {
  readonly concurrency?: number;
  /** Milliseconds. */
  readonly settle?: number;
}

export interface BulkResumeOptions extends TurnOptions {
  readonly dryRun?: boolean;
}

export interface BulkRunOptions extends TurnOptions, Expected {
  /** A file, or `-` for standard input; absent with `--where`. */
  readonly from?: string;
  readonly supplier?: string;
  /** A filter of accounts. */
  readonly where?: string;
  /** The text of the note for each of them. */
  readonly body?: string;
  readonly dryRun?: boolean;
  readonly results?: string;
  readonly allowMissing?: boolean;
  readonly groupByAccount?: boolean;
  readonly checkPreviouslyAdded: boolean;
  readonly forceAddToCurrentStatement: boolean;
}

/** More at a time would be no kindness to any service. */
const mostAtOnce = 256;

/** Declares the options of `run` and `resume`, with their defaults. */
export function addRunOptions(command: Command, concurrency: string, settle: string): Command {
  return addAgainOptions(
    addSettleOption(
      command.option(
        "--concurrency <n>",
        `requests in flight at the most (${concurrency}); half of it after a 429 or a failure`,
        wholeNumberOption(1, mostAtOnce),
      ),
      settle,
    ),
  );
}
