/** The exit codes of commands, and the code for each error, outcome and ending. */

import type { ServiceErrorKind } from "../api/errors.ts";
import type { AppErrorKind } from "../errors/app-error.ts";
import type { WriteResult } from "../writes/send/events.ts";
import type { EndedKind } from "./io.ts";

/** The exit codes of commands. Scripts rely on these numbers. */
export const exitCode = {
  done: 0,
  fault: 1,
  /** Usage or invalid input. Nothing was sent. */
  usage: 2,
  credentials: 3,
  rejected: 4,
  notFound: 5,
  /** No usable response, and certainly no effect. */
  unavailable: 6,
  unknownOutcome: 7,
  watchTimedOut: 8,
  /** A watch that ended in another final state than the requested one. */
  otherFinalState: 9,
  /** Differences were found, or a condition is met. */
  conditionMet: 10,
  hangUp: 129,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The exit code of each kind of error. A write that might have taken effect ends with 7 instead. */
export const errorCodes: Readonly<Record<ServiceErrorKind | AppErrorKind, ExitCode>> = {
  rejected: exitCode.rejected,
  unauthorized: exitCode.credentials,
  forbidden: exitCode.credentials,
  credentials: exitCode.credentials,
  "not-found": exitCode.notFound,
  "rate-limited": exitCode.unavailable,
  unavailable: exitCode.unavailable,
  redirect: exitCode.unavailable,
  "unexpected-status": exitCode.unavailable,
  unreadable: exitCode.unavailable,
  "other-item": exitCode.unavailable,
  "too-large": exitCode.unavailable,
  unreachable: exitCode.unavailable,
  tls: exitCode.unavailable,
  timeout: exitCode.unavailable,
  cancelled: exitCode.interrupted,
  "invalid-request": exitCode.usage,
  fault: exitCode.fault,
  usage: exitCode.usage,
  "invalid-input": exitCode.usage,
  invalid: exitCode.usage,
  blocked: exitCode.usage,
  duplicate: exitCode.usage,
  "not-possible": exitCode.usage,
  purged: exitCode.usage,
  "unknown-profile": exitCode.usage,
  corrupt: exitCode.usage,
  helper: exitCode.credentials,
  full: exitCode.fault,
  "read-only": exitCode.fault,
  busy: exitCode.fault,
  failing: exitCode.fault,
  "no-profile": exitCode.credentials,
  sandbox: exitCode.usage,
  output: exitCode.fault,
  name: exitCode.usage,
  exists: exitCode.usage,
  unknown: exitCode.usage,
  supplier: exitCode.usage,
  changed: exitCode.usage,
  damaged: exitCode.usage,
  "older-journal": exitCode.usage,
  "too-new": exitCode.usage,
  exposed: exitCode.usage,
  unwritable: exitCode.fault,
  "in-use": exitCode.unavailable,
  "input-changed": exitCode.usage,
  "not-recorded": exitCode.usage,
  recorded: exitCode.usage,
  "wrong-service": exitCode.usage,
  "team-unavailable": exitCode.unavailable,
  "team-credentials": exitCode.credentials,
  "team-version": exitCode.usage,
  "team-not-set-up": exitCode.usage,
  "not-approved": exitCode.usage,
};

/**
 * The exit code for each reason to end the program. A reader that closed the pipe is not a failure.
 */
export const endingCodes: Readonly<Record<EndedKind, ExitCode>> = {
  interrupted: exitCode.interrupted,
  "hang-up": exitCode.hangUp,
  "reader-gone": exitCode.done,
};

const mostSevereFirst: readonly ExitCode[] = [
  exitCode.interrupted,
  exitCode.fault,
  exitCode.usage,
  exitCode.credentials,
  exitCode.unknownOutcome,
  exitCode.unavailable,
  exitCode.rejected,
  exitCode.notFound,
  exitCode.otherFinalState,
  exitCode.watchTimedOut,
  exitCode.conditionMet,
];

export function mostSevere(codes: Iterable<number>): number {
  const all = new Set(codes);
  return mostSevereFirst.find((code) => all.has(code)) ?? exitCode.done;
}

export function exitCodeOf(
  result: Pick<
    WriteResult,
    "outcome" | "reason" | "mayHaveTakenEffect" | "httpStatus" | "error" | "refusal"
  >,
): ExitCode {
  switch (result.outcome) {
    case "confirmed":
    case "closed":
      return exitCode.done;
    case "unknown":
      return exitCode.unknownOutcome;
    case "rejected":
      return rejectedCode(result.httpStatus);
    case "retryable":
      // An effect is possible after a 500, but not after a 429.
      return result.mayHaveTakenEffect ? exitCode.unknownOutcome : exitCode.unavailable;
    case "unsent":
      return unsentCode(result);
  }
}

function rejectedCode(httpStatus: number | null): ExitCode {
  if (httpStatus === 401 || httpStatus === 403) return exitCode.credentials;
  return httpStatus === 404 ? exitCode.notFound : exitCode.rejected;
}

function unsentCode({
  reason,
  error,
  refusal,
}: Pick<WriteResult, "reason" | "error" | "refusal">): ExitCode {
  if (reason === "cancelled") return exitCode.interrupted;
  if (reason === "credentials") return exitCode.credentials;
  if (reason === "sent-before" || reason === "refused-before") return exitCode.usage;
  if (reason === "team-refused" || reason === "not-approved") return exitCode.usage;
  // The database can also have refused the login, or have no ledger.
  if (reason === "team-away" && refusal?.kind === "away") return errorCodes[refusal.error.kind];
  return error?.kind === "invalid-request" ? exitCode.usage : exitCode.unavailable;
}
