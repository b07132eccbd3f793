/**
 * Converts a validated body to the bytes to send, and reports its issues at their places in the
 * input.
 */

import { AppError, type InputIssue } from "../../errors/app-error.ts";
import type { Form } from "../../forms/fields.ts";
import { atPath, pathText } from "../../forms/places.ts";
import type { Issue } from "../../forms/rules.ts";
import { placeServiceIssues } from "../../forms/service-errors.ts";
import type { Validation } from "../../forms/validate.ts";
import type { JsonObject, Path } from "../../json/exact.ts";
import { bytesOf } from "../../json/print.ts";
import { plural } from "../../text/numbers.ts";
import type { Invocation } from "../invocation.ts";
import { type Explain, fieldErrorWords, issueLine } from "./field-errors.ts";

/** A valid body as bytes to send. */
export interface CheckedBody {
  readonly bytes: Uint8Array;
  /** Reports a rejection at the places of its fields: `notes.json:3:7`, or an option. */
  readonly explain: Explain;
}

type Place = Pick<InputIssue, "file" | "line" | "column">;

/** The source of a body. */
interface Origin {
  /** The name for messages, such as `notes.json` or `standard input`. */
  readonly name: string;
  /** Returns the place of a field in the source. */
  readonly placeAt: (path: Path) => Place;
}

/**
 * Returns the bytes of a valid body, and reports its warnings. Throws `invalid-input` with all
 * issues, so that nothing is sent.
 */
export function checkedBody(
  invocation: Invocation,
  form: Form,
  validation: Validation,
  origin: Origin,
): CheckedBody {
  const problem = (issue: Issue) => problemOf(issue, origin);
  if (!validation.ok)
    throw invalid(origin.name, validation.issues.map(problem), nextStep(validation.issues));
  for (const warning of validation.warnings) {
    const place = placeText(problem(warning));
    const words = atPath(warning);
    invocation.warn(place === null ? words : `${place}: ${words}`);
  }
  return {
    bytes: bytesOf(validation.body),
    explain: explainer(form, validation.body, origin),
  };
}

/** Returns all issues of an input as one error. */
function invalid(
  name: string,
  problems: readonly InputIssue[],
  next: string | null = null,
): AppError<"command"> {
  return new AppError(
    "command",
    "invalid-input",
    `${plural(problems.length, "problem")} in ${name}, so nothing was sent`,
    { issues: problems, remedy: next },
  );
}

/** Returns the hint to `--allow-missing` if all issues are missing fields, else null. */
function nextStep(issues: readonly Issue[]): string | null {
  return issues.every(({ about }) => about === "missing")
    ? "--allow-missing sends it without these fields"
    : null;
}

function problemOf(issue: Issue, { placeAt }: Origin): InputIssue {
  const place = placeAt(issue.path);
  return {
    attr: issue.path.length === 0 ? null : pathText(issue.path),
    code: null,
    detail: issue.onWire ?? issue.message,
    file: place.file,
    line: issue.line ?? place.line,
    column: issue.line === undefined ? place.column : (issue.column ?? null),
  };
}

function placeText({ file, line, column }: Place): string | null {
  if (file === "") return null;
  return [file, ...(line === null ? [] : [line, ...(column === null ? [] : [column])])].join(":");
}

function explainer(form: Form, body: JsonObject, { placeAt }: Origin): Explain {
  const place = (path: Path) => placeText(placeAt(path));
  return ({ facts }) => {
    const { errors = [] } = facts;
    if (errors.length === 0)
      return placeServiceIssues(form, body, facts).placed.map((issue) =>
        issueLine(place(issue.path), atPath(issue), null),
      );
    return errors.map((error) => {
      const [found] = placeServiceIssues(form, body, { errors: [error] }).placed;
      const words = fieldErrorWords(form, body, error);
      return issueLine(found === undefined ? null : place(found.path), words, error.code);
    });
  };
}
