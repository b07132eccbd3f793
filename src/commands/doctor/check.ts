import { type Failure, failureOf } from "../failure.ts";

export interface Check {
  readonly check: string;
  readonly result: "ok" | "warn" | "fail" | "skipped";
  /** One line; never a secret. */
  readonly detail: string;
  /** How a command that runs into it would end; 0 unless it failed. */
  readonly exitCode: number;
}

export function ok(check: string, detail: string): Check {
  return { check, result: "ok", detail, exitCode: 0 };
}

/** Works, but something should be known or done. */
export function warn(check: string, detail: string): Check {
  return { check, result: "warn", detail, exitCode: 0 };
}

/** Could not be looked at, because of something before it. */
export function skipped(check: string, detail: string): Check {
  return { check, result: "skipped", detail, exitCode: 0 };
}

/** What was thrown, as a check that failed. */
export function failed(check: string, thrown: unknown): Check {
  return failedAs(check, failureOf(thrown, { doing: "this check" }));
}

export function failedAs(check: string, failure: Failure): Check {
  return { check, result: "fail", detail: failure.message, exitCode: failure.exitCode };
}
