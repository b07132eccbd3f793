/** Declares `--by cause` and prints the causes of failures, for every command that shows them. */

import type { Command } from "commander";
import { toJson } from "../json/exact.ts";
import { count } from "../text/numbers.ts";
import type { Cause } from "../writes/causes.ts";
import { causeJson } from "../writes/causes.ts";
import { usageError } from "./command-error.ts";
import type { Invocation } from "./invocation.ts";
import { choiceOption } from "./option-values.ts";
import { type Column, codeColumn, column, httpStatusColumn } from "./rows/columns.ts";
import { printRows } from "./rows/print.ts";

/** Declares `--by cause`. */
export function addByCause(command: Command): Command {
  return command.option(
    "--by <what>",
    "`cause` prints the causes of rejected, retryable and unknown ones, largest first",
    choiceOption(["cause"] as const),
  );
}

type CauseRow = ReturnType<typeof causeJson>;

const causeNumber = {
  ...column(
    "cause",
    "Cause",
    "number",
    "The number of the cause, from 1. More failures can change the number.",
  ),
  align: "right",
} as const;
const operation = column("operation", "Operation", "text", "For example `notes create`.");
const size: Column<CauseRow> = {
  ...column("count", "Count", "number", "Failures with this cause."),
  align: "right",
  shown: (row) => count(row.count),
};
const message = column("message", "Message", "text or null", "The message of the first failure.");

/** The columns of `--by cause`. */
export const causeColumns: readonly Column<CauseRow>[] = [
  causeNumber,
  operation,
  httpStatusColumn,
  codeColumn,
  column(
    "error_codes",
    "Error codes",
    "array",
    "The codes of the errors within the response, sorted.",
  ),
  size,
  message,
  {
    ...column(
      "sample",
      "Sample",
      "array",
      "Up to five of the failures: lines of the run, or journal entries.",
    ),
    text: ({ sample }) => sample.join(" "),
  },
  column("key", "Key", "text", "The permanent name of the cause, for `--cause`."),
];

/** The columns for people. The codes of errors within the response replace the response's code. */
const brief: readonly Column<CauseRow>[] = [
  causeNumber,
  size,
  operation,
  httpStatusColumn,
  {
    ...codeColumn,
    shown: ({ code, error_codes: codes }) => (codes.length > 0 ? codes.join(", ") : (code ?? "")),
  },
  message,
];

/** Prints causes, numbered from 1. `none` is the notice if there are none. */
export async function printCauses(
  invocation: Invocation,
  causes: readonly Cause[],
  none: string,
): Promise<void> {
  if (causes.length === 0) invocation.notice(none);
  await printRows(invocation, causeColumns, causes.map(causeJson), { brief });
}

/**
 * Returns the cause that `--cause` names by number or key. Throws `usage` with the existing causes
 * for any other text.
 */
export function chosenCause(causes: readonly Cause[], typed: string): Cause {
  const chosen = /^\d+$/.test(typed)
    ? causes[Number(typed) - 1]
    : causes.find(({ key }) => key === typed);
  if (chosen !== undefined) return chosen;
  const known =
    causes.length === 0
      ? "There are no failures."
      : `Causes: ${causes.map(({ key }, index) => `${index + 1} (${key})`).join(", ")}.`;
  throw usageError(`--cause: there is no cause ${toJson(typed)}`, known);
}
