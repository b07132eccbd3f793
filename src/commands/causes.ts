/** Declares `--by cause` and prints the causes of failures, for every command that shows them. */

import type { Command } from "commander";
import { toJson } from "../json/exact.ts";
import { fieldsOf } from "../text/fields.ts";
import { count } from "../text/numbers.ts";
import { type Cause, causeCodes, causeFields } from "../writes/causes.ts";
import { usageError } from "./command-error.ts";
import type { Invocation } from "./invocation.ts";
import { choiceOption } from "./option-values.ts";
import type { Column } from "./rows/columns.ts";
import { printRows } from "./rows/print.ts";

/** Declares `--by cause`. */
export function addByCause(command: Command): Command {
  return command.option(
    "--by <what>",
    "`cause` prints the causes of rejected, retryable and unknown ones, largest first",
    choiceOption(["cause"] as const),
  );
}

type CauseRow = Cause & { readonly number: number };

const number = {
  ...fieldsOf<CauseRow>()(
    "cause",
    "Cause",
    "number",
    "The number of the cause, from 1. More failures can change the number.",
    (row) => row.number,
  ),
  align: "right",
} as const;
const { key, operation, httpStatus, code, errorCodes, message, sample } = causeFields;
const size: Column<CauseRow> = {
  ...causeFields.count,
  align: "right",
  shown: (row) => count(row.count),
};

/** The columns of `--by cause`. */
export const causeColumns: readonly Column<CauseRow>[] = [
  number,
  operation,
  httpStatus,
  code,
  errorCodes,
  size,
  message,
  { ...sample, text: (row) => row.sample.join(" ") },
  key,
];

/** The columns for people. The codes of errors within the response replace the response's code. */
const brief: readonly Column<CauseRow>[] = [
  number,
  size,
  operation,
  httpStatus,
  { ...code, shown: causeCodes },
  message,
];

/** Prints causes, numbered from 1. `none` is the notice if there are none. */
export async function printCauses(
  invocation: Invocation,
  causes: readonly Cause[],
  none: string,
): Promise<void> {
  if (causes.length === 0) invocation.notice(none);
  await printRows(
    invocation,
    causeColumns,
    causes.map((cause, at) => ({ ...cause, number: at + 1 })),
    { brief },
  );
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
