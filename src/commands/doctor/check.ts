/** Defines the result of one check of `doctor`, and creates such results. */

import { type Failure, failureOf } from "../failure.ts";

/** One line of the output of `doctor`. */
export interface Check {
  readonly check: string;
  readonly result: "ok" | "warn" | "fail" | "skipped";
  /** A description in one line, never a secret. */
  readonly detail: string;
  /** The exit code of a command with this problem, or 0 if the check has not failed. */
  readonly exitCode: number;
}

/** Returns a passed check. */
export function ok(check: string, detail: string): Check {
  return { check, result: "ok", detail, exitCode: 0 };
}

/** Returns a passed check with a warning. */
export function warn(check: string, detail: string): Check {
  return { check, result: "warn", detail, exitCode: 0 };
}

/** Returns a check that was skipped because an earlier one failed. */
export function skipped(check: string, detail: string): Check {
  return { check, result: "skipped", detail, exitCode: 0 };
}

/** Returns a failed check for an error. */
export function failed(check: string, thrown: unknown): Check {
  return failedAs(check, failureOf(thrown, { doing: "this check" }));
}

/** Returns a failed check for a failure that was already described. */
export function failedAs(check: string, failure: Failure): Check {
  return { check, result: "fail", detail: failure.message, exitCode: failure.exitCode };
}
