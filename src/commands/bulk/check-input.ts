/** Checks the input of a bulk run before anything is sent. */

import { type Checked, checkRows } from "../../bulk/check.ts";
import type { HeldBackCounter } from "../../bulk/held-back.ts";
import type { InputIssue as RowIssue } from "../../bulk/input/issues.ts";
import type { ReadingOptions } from "../../bulk/run-settings.ts";
import { AppError, type InputIssue } from "../../errors/app-error.ts";
import { count, plural } from "../../text/numbers.ts";
import { sameDecimal } from "../../writes/gate.ts";
import { usageError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { type Expected, nothingSent } from "../writes/confirm-write.ts";
import type { Input } from "./input.ts";
import { progressReporterFor } from "./progress-reporter.ts";

const maxWarnings = 10;

/**
 * Checks all rows of an input and reports the warnings. Throws `invalid-input` with the line, the
 * column and the reason of the first errors. Sends nothing.
 */
export async function checkInput(
  invocation: Invocation,
  { name, bytes }: Pick<Input, "name" | "bytes">,
  reading: ReadingOptions,
  guard: HeldBackCounter | null,
): Promise<Checked> {
  const reporter = progressReporterFor(invocation);
  let checked: Checked;
  try {
    checked = await checkRows(bytes(), reading, {
      signal: invocation.io.signal,
      guard,
      onProgress: ({ rows, errors }) => reporter.checking(name, rows, errors),
    });
  } finally {
    reporter.clear();
  }
  const { errors, firstErrors, warnings, firstWarnings } = checked.issues;
  if (errors > 0) {
    const more = errors - firstErrors.length;
    throw new AppError(
      "command",
      "invalid-input",
      `${plural(errors, "problem")} in ${name}, so nothing was sent`,
      {
        issues: firstErrors.map((issue) => problemOf(issue, name)),
        moreIssues: more,
        remedy: more > 0 ? `The first ${firstErrors.length} of them are listed` : null,
      },
    );
  }
  if (checked.rows === 0) throw usageError(`the input ${name} holds no row`);
  for (const { line, column, message } of firstWarnings.slice(0, maxWarnings))
    invocation.warn([`${name}:${line}`, ...(column === null ? [] : [column]), message].join(": "));
  if (warnings > maxWarnings)
    invocation.warn(`${name}: ${count(warnings - maxWarnings)} more warnings.`);
  return checked;
}

function problemOf({ line, column, message }: RowIssue, file: string): InputIssue {
  return { attr: column, code: null, detail: message, file, line, column: null };
}

/**
 * Throws `usage` if the input does not match `--expect-rows` or `--expect-sum`, for every profile.
 */
export function checkExpected(
  { rows, sum }: Pick<Checked, "rows" | "sum">,
  { expectRows, expectSum }: Expected,
): void {
  if (expectRows !== undefined && expectRows !== rows)
    throw usageError(
      `--expect-rows ${expectRows}: the input has ${plural(rows, "row")}`,
      nothingSent,
    );
  if (expectSum !== undefined && !sameDecimal(expectSum, sum))
    throw usageError(
      `--expect-sum ${expectSum}: the amounts add up to ${sum ?? "nothing"}`,
      nothingSent,
    );
}
