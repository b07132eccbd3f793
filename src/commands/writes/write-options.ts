/** Declares the options of commands that send entries, such as `--dry-run` and `--again`. */

import { type Command, InvalidArgumentError } from "commander";
import { parseDuration } from "../../text/durations.ts";
import { usageError } from "../command-error.ts";

export interface SendingOptions {
  readonly dryRun?: boolean | undefined;
  /** Wait in milliseconds before a request that might still be running is sent again. */
  readonly settle?: number | undefined;
}

export interface WriteOptions extends SendingOptions, GuardOverrideOptions {}

export function addSendingOptions(command: Command): Command {
  return addSettleOption(
    command.option("--dry-run", "print the exact request; send and record nothing"),
  );
}

export function addWriteOptions(command: Command): Command {
  return addAgainOptions(addSendingOptions(command));
}

export function addSettleOption(command: Command, byDefault = "10s by default"): Command {
  return command.option(
    "--settle <duration>",
    `wait before a request that might still be running is sent again (${byDefault})`,
    settleOption,
  );
}

export interface AllowMissingOption {
  readonly allowMissing?: boolean;
}

export function addAllowMissing(command: Command): Command {
  return command.option(
    "--allow-missing",
    "send it without fields that supplyline expects and the interface does not call required",
  );
}

/** The options that a form of transactions sends with its request. They are on by default. */
export interface TransactionOptions {
  readonly checkPreviouslyAdded: boolean;
  readonly forceAddToCurrentStatement: boolean;
}

export function transactionQuery({
  checkPreviouslyAdded,
  forceAddToCurrentStatement,
}: TransactionOptions) {
  return {
    ...(checkPreviouslyAdded ? {} : { check_previously_added: "false" }),
    ...(forceAddToCurrentStatement ? {} : { force_add_to_current_statement: "false" }),
  };
}

export interface GuardOverrideOptions {
  readonly again?: boolean;
  readonly reason?: string;
}

export function addAgainOptions(command: Command): Command {
  return command
    .option(
      "--again",
      "send it although it might take effect twice, or the form was refused (400) before; takes --reason",
    )
    .option("--reason <text>", "the reason to send it again; stored in the journal");
}

/**
 * Returns the reason of `--again`, or null without both options. Throws `usage` if only one of
 * `--again` and `--reason` is given.
 */
export function againOf({ again, reason }: GuardOverrideOptions): string | null {
  if (again !== true && reason === undefined) return null;
  if (again !== true) throw usageError("--reason needs --again");
  if (reason === undefined || reason.trim() === "")
    throw usageError("--again needs a reason", "Give it with --reason TEXT.");
  return reason.trim();
}

/**
 * Parses the value of `--settle` to milliseconds. 0 is allowed, because a test service needs no wait.
 */
function settleOption(text: string): number {
  const ms = parseDuration(text);
  if (ms === null) throw new InvalidArgumentError("Write a duration like 0s, 10s or 1m.");
  return ms;
}
