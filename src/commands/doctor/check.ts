/** Defines the result of one check of `doctor`, and creates such results. */

import { type Failure, failureOf } from "../failure.ts";

export interface Check {
  readonly check: string;
  readonly result: "ok" | "warn" | "fail" | "skipped";
  /** A description in one line, never a secret. */
  readonly detail: string;
  /** The exit code of a command with this problem, or 0 if the check has not failed. */
  readonly exitCode: number;
}

export function ok(check: string, detail: string): Check {
  return { check, result: "ok", detail, exitCode: 0 };
}

export function warn(check: string, detail: string): Check {
  return { check, result: "warn", detail, exitCode: 0 };
}

export function skipped(check: string, detail: string): Check {
  return { check, result: "skipped", detail, exitCode: 0 };
}

export function failed(check: string, thrown: unknown): Check {
  return failedAs(check, failureOf(thrown, { doing: "this check" }));
}

export function failedAs(check: string, failure: Failure): Check {
  return { check, result: "fail", detail: failure.message, exitCode: failure.exitCode };
}
