/** Declares `--by cause` and prints the causes of failures, for every command that shows them. */

import type { Command } from "commander";
import { toJson } from "../json/exact.ts";
import { count } from "../text/numbers.ts";
import {
  type Cause,
  causeCodes,
  causeFields,
  type NumberedCause,
  numbered,
} from "../writes/causes.ts";
import { usageError } from "./command-error.ts";
import type { Invocation } from "./invocation.ts";
import { choiceOption } from "./option-values.ts";
import type { Column } from "./rows/columns.ts";
import { printRows } from "./rows/print.ts";

export function addByCause(command: Command): Command {
  return command.option(
    "--by <what>",
    "`cause` prints the causes of rejected, retryable and unknown ones, largest first",
    choiceOption(["cause"] as const),
  );
}

const number = { ...causeFields.number, align: "right" } as const;
const size: Column<NumberedCause> = {
  ...causeFields.count,
  align: "right",
  shown: (row) => count(row.count),
};

export const causeColumns: readonly Column<NumberedCause>[] = Object.values({
  ...causeFields,
  number,
  count: size,
});

const { operation, httpStatus, code, message } = causeFields;

/** The columns for people. The codes of errors within the response replace the response's code. */
const brief: readonly Column<NumberedCause>[] = [
  number,
  size,
  operation,
  httpStatus,
  { ...code, shown: causeCodes },
  message,
];

export async function printCauses(
  invocation: Invocation,
  causes: readonly Cause[],
  none: string,
): Promise<void> {
  if (causes.length === 0) invocation.notice(none);
  await printRows(invocation, causeColumns, numbered(causes), { brief });
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
