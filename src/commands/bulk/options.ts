import type { Command } from "commander";
import type { ReadingOptions } from "../../bulk/run-settings.ts";
import type { AppError } from "../../errors/app-error.ts";
import type { FormKind } from "../../forms/forms.ts";
import { forms } from "../../forms/forms.ts";
import { formatOf } from "../../rows/layout.ts";
import { localZone } from "../../text/dates.ts";
import { usageError } from "../command-error.ts";
import type { Io } from "../io.ts";
import { wholeNumberOption } from "../option-values.ts";
import type { Expected } from "../writes/confirm-write.ts";
import {
  addAgainOptions,
  addSettleOption,
  type GuardOverrideOptions,
  type TransactionOptions,
  transactionQuery,
} from "../writes/write-options.ts";

/** The options of both commands. Default for a resumed run: the value that it began with. */
interface SendOptions extends GuardOverrideOptions {
  readonly concurrency?: number;
  /** Wait in milliseconds before a request that might still be running is sent again. */
  readonly settle?: number;
}

export interface BulkResumeOptions extends SendOptions {
  readonly dryRun?: boolean;
}

export interface BulkRunOptions extends SendOptions, Expected, TransactionOptions {
  /** A file, or `-` for standard input. Absent with `--where`. */
  readonly from?: string;
  readonly supplier?: string;
  readonly where?: string;
  /** The text of the note for each selected account. */
  readonly body?: string;
  readonly dryRun?: boolean;
  readonly results?: string;
  readonly skipBadRows?: string;
  readonly allowMissing?: boolean;
  readonly groupByAccount?: boolean;
}

/** Maximum of `--concurrency`, to protect the service. */
const maxConcurrency = 256;

/** `concurrency` and `settle` describe the defaults. */
export function addRunOptions(command: Command, concurrency: string, settle: string): Command {
  return addAgainOptions(
    addSettleOption(
      command.option(
        "--concurrency <n>",
        `requests in flight at the most (${concurrency}); half of it after a 429 or a failure`,
        wholeNumberOption(1, maxConcurrency),
      ),
      settle,
    ),
  );
}

/** Throws `usage` for an option that does not apply to the kind. */
export function readingOf(io: Io, kind: FormKind, options: BulkRunOptions): ReadingOptions {
  const { from, groupByAccount } = options;
  const query = transactionQuery(options);
  if (kind !== "transactions") {
    const [name] = Object.keys(query);
    if (name !== undefined) throw transactionsOnly(kind, `--no-${name.replaceAll("_", "-")}`);
    if (options.expectSum !== undefined) throw transactionsOnly(kind, "--expect-sum");
  }
  if (options.allowMissing === true && ["notes", "supply-points"].includes(kind))
    throw usageError(
      `--allow-missing does not apply to ${kind}: the interface names all their required fields`,
      "Leave it out.",
    );
  if (groupByAccount === true && forms[kind].itemsField === null)
    throw usageError(`--group-by-account: a request of ${kind} has one row`, "Leave it out.");
  return {
    kind,
    format: from === undefined ? "jsonl" : formatOf(from),
    group: groupByAccount === true ? "account" : "none",
    query,
    allowMissing: options.allowMissing === true,
    typedAt: {
      now: io.clock.now(),
      timeZone: localZone(),
    },
  };
}

function transactionsOnly(kind: FormKind, option: string): AppError<"command"> {
  return usageError(`${option} is for transactions, and these are ${kind}`);
}
