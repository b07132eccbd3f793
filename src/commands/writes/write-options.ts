import { type Command, InvalidArgumentError } from "commander";
import { parseDuration } from "../../text/durations.ts";
import { CommandError } from "../command-error.ts";

/** What every write can be told beside its own input. */
export interface WriteOptions {
  readonly dryRun?: boolean;
  /** Milliseconds. */
  readonly settle?: number;
}

/** Declares `--dry-run` and `--settle`. */
export function addWriteOptions(command: Command): Command {
  return addSettleOption(
    command.option("--dry-run", "print the exact request; send and record nothing"),
  );
}

/** Declares `--settle` alone, for what is sent out of the journal. */
export function addSettleOption(command: Command, byDefault = "10s by default"): Command {
  return command.option(
    "--settle <duration>",
    `wait so long before sending again what may still be running (${byDefault})`,
    settleOption,
  );
}

export interface AllowMissingOption {
  readonly allowMissing?: boolean;
}

/** Declares `--allow-missing`. */
export function addAllowMissing(command: Command): Command {
  return command.option(
    "--allow-missing",
    "send it without fields that supplyline expects and the interface does not call required",
  );
}

/** What the way out of a blocked form is told with. */
export interface AgainOptions {
  readonly again?: boolean;
  readonly reason?: string;
}

/** Declares `--again` and `--reason`. */
export function addAgainOptions(command: Command): Command {
  return command
    .option("--again", "send a form that the service has refused before (400); takes a reason")
    .option("--reason <text>", "why; it is kept in the journal");
}

/** The reason that `--again` was given with; undefined without it. Throws `usage`. */
export function againOf({ again, reason }: AgainOptions): { readonly reason: string } | undefined {
  if (again !== true && reason === undefined) return undefined;
  if (again !== true) throw new CommandError("usage", "--reason goes with --again");
  if (reason === undefined || reason.trim() === "")
    throw new CommandError("usage", "--again takes a reason", "Give it with --reason TEXT.");
  return { reason: reason.trim() };
}

/** Milliseconds; nought is allowed, because a test service needs no settling. */
function settleOption(text: string): number {
  const ms = parseDuration(text);
  if (ms === null) throw new InvalidArgumentError("Write a duration like 0s, 10s or 1m.");
  return ms;
}
