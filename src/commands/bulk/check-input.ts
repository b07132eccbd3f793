import { hashWhileReading } from "../../bulk/input/hashing.ts";
import { readPlanned } from "../../bulk/input/read-planned.ts";
import { type Survey, surveyInput } from "../../bulk/input/survey.ts";
import type { Planned, PlannedRequest, RowIssue } from "../../bulk/planned.ts";
import type { ReadingOptions } from "../../bulk/run-settings.ts";
import { AppError, type InputIssue } from "../../errors/app-error.ts";
import { count, plural } from "../../text/numbers.ts";
import { sameDecimal } from "../../writes/typed-numbers.ts";
import { usageError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { type Expected, nothingSent } from "../writes/gate.ts";
import type { Input } from "./input.ts";
import type { ProgressReporter } from "./progress-reporter.ts";

/** An input without a fault. */
export interface CheckedInput {
  readonly survey: Survey;
  /** SHA-256 of its bytes, as hexadecimal. */
  readonly sha256: string;
}

const mostTold = 100;
const warningsTold = 10;

/**
 * Reads all of an input. Throws `invalid-input` with what is wrong, line and column and reason; what
 * is odd about it is reported. `onRequest` gets each request as it is read. Nothing is sent.
 */
export async function checkInput(
  invocation: Invocation,
  input: Pick<Input, "name" | "bytes">,
  reading: ReadingOptions,
  reporter: ProgressReporter,
  onRequest: (request: PlannedRequest) => void = () => {},
): Promise<CheckedInput> {
  const { bytes, digest } = hashWhileReading(input.bytes());
  const planned = lookingAt(readPlanned(bytes, reading), onRequest);
  let survey: Survey;
  try {
    survey = await surveyInput(planned, {
      signal: invocation.io.signal,
      keep: mostTold,
      onProgress: ({ rows, problemCount }) => reporter.checking(input.name, rows, problemCount),
    });
  } finally {
    reporter.clear();
  }
  const { problems, problemCount, warnings, warningCount } = survey;
  if (problemCount > 0) {
    const told = problems.map((problem) => problemOf(problem, input.name));
    const message = `${plural(problemCount, "problem")} in ${input.name}, so nothing was sent`;
    const next = problemCount > mostTold ? `The first ${mostTold} of them are listed` : null;
    throw new AppError("command", "invalid-input", message, {
      issues: told,
      moreIssues: problemCount - told.length,
      remedy: next,
    });
  }
  if (survey.rows === 0) throw usageError(`the input ${input.name} holds no row`);
  for (const { line, column, message } of warnings.slice(0, warningsTold))
    invocation.warn(
      [`${input.name}:${line}`, ...(column === null ? [] : [column]), message].join(": "),
    );
  if (warningCount > warningsTold)
    invocation.warn(`${input.name}: ${count(warningCount - warningsTold)} more warnings.`);
  return { survey, sha256: digest() };
}

async function* lookingAt(
  planned: AsyncIterable<Planned>,
  look: (request: PlannedRequest) => void,
): AsyncGenerator<Planned> {
  for await (const one of planned) {
    if (one.kind === "request") look(one.request);
    yield one;
  }
}

function problemOf({ line, column, message }: RowIssue, file: string): InputIssue {
  return { attr: column, code: null, detail: message, file, line, column: null };
}

/** Throws `usage` if the input is not the one that the user expects, on every profile. */
export function checkExpected(
  { rows, sum }: Pick<Survey, "rows" | "sum">,
  { expectRows, expectSum }: Expected,
): void {
  if (expectRows !== undefined && expectRows !== rows)
    throw usageError(
      `--expect-rows ${expectRows}: the input has ${plural(rows, "row")}`,
      nothingSent,
    );
  if (expectSum !== undefined && (sum === null || !sameDecimal(expectSum, sum)))
    throw usageError(
      `--expect-sum ${expectSum}: the amounts add up to ${sum ?? "nothing"}`,
      nothingSent,
    );
}
