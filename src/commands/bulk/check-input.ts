/**
 * Checks the input of a bulk run with the duplicate guard before anything is sent, and prints the
 * dry run: the first and last requests, and the rows that the duplicate guard would hold back.
 */

import {
  type Checked,
  type CheckOptions,
  canLeaveOutBadRows,
  checkRows,
  withoutBadRows,
} from "../../bulk/check.ts";
import {
  type HeldBack,
  HeldBackCounter,
  heldBackCauses,
  sameIdsWords,
  unaskedWords,
  withoutHeldBack,
} from "../../bulk/held-back.ts";
import type { InputIssue as RowIssue } from "../../bulk/input/issues.ts";
import type { PlannedRequest } from "../../bulk/input/planner.ts";
import type { ReadingOptions } from "../../bulk/run-settings.ts";
import { AppError, type InputIssue } from "../../errors/app-error.ts";
import { count, plural } from "../../text/numbers.ts";
import { sameDecimal } from "../../writes/gate.ts";
import { hasJournal } from "../../writes/journal/journal-file.ts";
import { kindOf } from "../../writes/kinds/kinds.ts";
import { processLife } from "../../writes/owner.ts";
import { openSettledJournal } from "../../writes/recover.ts";
import { refuseTeam } from "../../writes/refuse-team.ts";
import { usageError } from "../command-error.ts";
import { exitCode } from "../exit-codes.ts";
import { printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { jsonOutput } from "../rows/print.ts";
import type { Target } from "../target.ts";
import { journalOptions } from "../with-journal.ts";
import { type Expected, nothingSent } from "../writes/confirm-write.ts";
import { type DryRequest, dryWrite, printDryRunNotice, printRequest } from "../writes/dry-run.ts";
import { withWrites } from "../writes/with-writes.ts";
import type { Input } from "./input.ts";
import { progressReporterFor } from "./progress.ts";

/**
 * Runs work with the duplicate guard, which asks the team, too, except for a dry run. The guard is null
 * if there is no journal yet, and for an embedded sandbox, which has no earlier entries. Rejects with a
 * journal error, or with a team error if nothing could be sent.
 */
export async function withDuplicateGuard<T>(
  invocation: Invocation,
  target: Target,
  dryRun: boolean,
  work: (guard: HeldBackCounter | null) => Promise<T>,
): Promise<T> {
  const { profile, service } = target;
  if (profile.team !== undefined && !dryRun)
    return withWrites(invocation, target, ({ context }) => {
      refuseTeam(context);
      return work(new HeldBackCounter(context.journal, service.baseUrl, context));
    });
  const folder = invocation.folders.stateDir;
  if (profile.baseUrl === null || !hasJournal(folder)) return work(null);
  const { io } = invocation;
  const { journal } = await openSettledJournal(
    journalOptions(invocation, folder),
    processLife(io.pid),
    io.clock.now,
  );
  try {
    return await work(new HeldBackCounter(journal, service.baseUrl));
  } finally {
    await journal.close();
  }
}

const maxWarnings = 10;

/**
 * Checks all rows of an input and reports the warnings. Throws `invalid-input` with the line, the
 * column and the reason of the first errors. With `skipsBadRows`, rows with an error are left out
 * instead, unless the error is about the input as a whole or no row is left. Sends nothing.
 */
export async function checkInput(
  invocation: Invocation,
  { name, bytes }: Pick<Input, "name" | "bytes">,
  reading: ReadingOptions,
  {
    skipsBadRows,
    ...options
  }: Required<Pick<CheckOptions, "guard" | "suppliers">> & { readonly skipsBadRows: boolean },
): Promise<Checked> {
  const reporter = progressReporterFor(invocation);
  let checked: Checked;
  try {
    checked = await checkRows(bytes(), reading, {
      signal: invocation.io.signal,
      ...options,
      onProgress: ({ rows, errors }) => reporter.checking(name, rows, errors),
    });
  } finally {
    reporter.clear();
  }
  const { errors, firstErrors, warnings, firstWarnings } = checked.issues;
  if (errors > 0 && !(skipsBadRows && canLeaveOutBadRows(checked))) {
    const unlisted = errors - firstErrors.length;
    const good = checked.rows - checked.issues.rows;
    const remedies = [
      ...(unlisted > 0 ? [`The first ${firstErrors.length} of them are listed`] : []),
      ...(canLeaveOutBadRows(checked)
        ? [`--skip-bad-rows FILE sends the other ${plural(good, "row")}`]
        : []),
    ];
    throw new AppError(
      "command",
      "invalid-input",
      `${plural(errors, "problem")} in ${name}, so nothing was sent`,
      {
        issues: firstErrors.map((issue) => problemOf(issue, name)),
        moreIssues: unlisted,
        remedy: remedies.join(". ") || null,
      },
    );
  }
  if (checked.rows === 0) throw usageError(`the input ${name} holds no row`);
  for (const { line, column, message } of firstWarnings.slice(0, maxWarnings))
    invocation.warn([`${name}:${line}`, ...(column === null ? [] : [column]), message].join(": "));
  if (warnings > maxWarnings)
    invocation.warn(`${name}: ${count(warnings - maxWarnings)} more warnings.`);
  return withoutBadRows(checked);
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

/** Maximum number of requests printed before the last one. */
const maxFirst = 3;

/**
 * Prints the first requests and the last request of a run, and the number of rows. Sends nothing.
 * With `isAgain` (`--again`), the rows that the duplicate guard holds back would be sent, too.
 */
export async function printDryRun(
  invocation: Invocation,
  baseUrl: string,
  checked: Checked,
  isAgain: boolean,
): Promise<number> {
  const { out, globals } = invocation;
  const { rows, requests, sum, last, heldBack: held } = checked;
  const { kind } = checked.reading;
  const first = checked.first.slice(0, maxFirst).map((request) => dryRequestOf(baseUrl, request));
  const final = last === null || requests <= first.length ? null : dryRequestOf(baseUrl, last);
  const sameIds = sameIdsWords(held);
  if (sameIds !== null) invocation.warn(sameIds);
  if (printsJson(globals)) {
    const facts = { kind, rows, requests, ...(sum === null ? {} : { sum }) };
    await out.line(
      jsonOutput(globals, { ...facts, held_back: heldJson(held), first, last: final }),
    );
    return exitCode.done;
  }
  printDryRunNotice(invocation);
  for (const request of first) await printWithBlankLine(invocation, request);
  if (final !== null) {
    const between = requests - first.length - 1;
    if (between > 0) await out.line(`… ${plural(between, "more request")} …\n`);
    await printWithBlankLine(invocation, final);
  }
  const toSend = isAgain ? checked : withoutHeldBack(checked, held);
  const requestText =
    toSend.requests === toSend.rows ? "" : ` as ${plural(toSend.requests, "request")}`;
  const amounts = toSend.sum === null ? "" : `; the amounts add up to ${toSend.sum}`;
  await out.line(`It would send ${plural(toSend.rows, "row")}${requestText}${amounts}.`);
  for (const line of heldBackWords(held, isAgain)) await out.line(line);
  return exitCode.done;
}

/**
 * Returns lines with the number of rows that the duplicate guard holds back, and one for each cause.
 * Returns no line if there are none.
 */
export function heldBackWords(held: HeldBack, isAgain: boolean): readonly string[] {
  const unasked = unaskedWords(held);
  if (held.rows === 0) return unasked === null ? [] : [unasked];
  const summary = isAgain
    ? `${count(held.rows)} of them would be held back without --again --reason TEXT. The reason passes the listed entries and nothing found later.`
    : `${plural(held.rows, "row")} would be held back; --again --reason TEXT sends ${held.rows === 1 ? "it" : "them"} as well.`;
  return [summary, ...heldBackCauses(held), ...(unasked === null ? [] : [unasked])];
}

export function heldJson({ rows, first }: HeldBack) {
  return {
    rows,
    first: first.map(({ line, earlier, words }) => ({
      line,
      ...(earlier === null || earlier.isRemoved ? {} : { journal_id: earlier.journalId }),
      message: words,
    })),
  };
}

async function printWithBlankLine(invocation: Invocation, request: DryRequest): Promise<void> {
  await printRequest(invocation, request);
  await invocation.out.line("");
}

function dryRequestOf(baseUrl: string, { write }: PlannedRequest): DryRequest {
  return dryWrite(baseUrl, { ...write, path: kindOf(write.operation).path });
}
