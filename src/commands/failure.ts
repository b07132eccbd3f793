/** Converts thrown values to the failures that commands report on stderr, as text or JSON. */

import { type FieldError, isServiceError } from "../api/errors.ts";
import { AppError, type ErrorContext, type InputIssue, isAppError } from "../errors/app-error.ts";
import {
  errorLine,
  errorWords,
  faultWords,
  isAbort,
  oneLine,
  oneParagraph,
} from "../errors/error-words.ts";
import { faultFacts, faultReason } from "../errors/fault-words.ts";
import { toJson } from "../json/exact.ts";
import { utcInstant } from "../text/dates.ts";
import { count } from "../text/numbers.ts";
import { safe } from "../text/sanitize.ts";
import { type TeamEntry, type TeamFacts, teamFields } from "../writes/team/ledger.ts";
import { type ExitCode, errorCodes, exitCode } from "./exit-codes.ts";

interface FailedItem {
  /** Position in the request, from 0. */
  readonly index: number;
  readonly transaction_id: string | null;
  readonly outcome: string;
}

export interface Failure {
  readonly exitCode: ExitCode;
  /** The kind of the error for scripts, or `fault`. */
  readonly kind: string;
  /** The event, its reason and the next step, on one line. Safe to show and without secrets. */
  readonly message: string;
  readonly httpStatus?: number | undefined;
  readonly code?: string | undefined;
  readonly errors?: readonly (FieldError | InputIssue)[] | undefined;
  /** Identifier of the supply point that already exists (INTERFACE 4.6). */
  readonly supplyPointIdentifier?: string | undefined;
  /** The outcome of each transaction of a rejected request (INTERFACE 4.2). */
  readonly items?: readonly FailedItem[] | undefined;
  readonly transactionData?: unknown;
  readonly journalId?: number | undefined;
  readonly team?: TeamFacts | undefined;
  readonly earlier?: TeamEntry | undefined;
  readonly details?: readonly string[] | undefined;
}

export function failureOf(
  thrown: unknown,
  context: ErrorContext = { doing: "the command" },
): Failure {
  if (isAppError(thrown, "call")) return failureOf(thrown.cause, thrown.facts.context);
  if (isServiceError(thrown)) {
    const { httpStatus, code, errors, supplyPointIdentifier } = thrown.facts;
    return {
      exitCode: errorCodes[thrown.kind],
      kind: thrown.kind,
      message: errorLine(thrown, context),
      httpStatus,
      code,
      errors,
      supplyPointIdentifier,
    };
  }
  if (isAppError(thrown)) {
    const { issues, moreIssues = 0, journalId } = thrown.facts;
    return {
      exitCode: errorCodes[thrown.kind],
      kind: kindOf(thrown),
      message: errorLine(thrown, context),
      journalId: journalId ?? undefined,
      errors: issues,
      details: issues && [
        ...issues.map(issueLine),
        ...(moreIssues > 0 ? [`and ${count(moreIssues)} more`] : []),
      ],
    };
  }
  return {
    exitCode: exitCode.fault,
    kind: "fault",
    message: oneLine(
      isAbort(thrown)
        ? errorWords(thrown, context)
        : faultWords(context.doing, faultReason(thrown)),
    ),
  };
}

/**
 * Returns the failure of an uncaught value. The message for a fault of this program quotes no data.
 */
export function crashOf(thrown: unknown): Failure {
  const failure = failureOf(thrown);
  if (failure.kind !== "fault") return failure;
  return { ...failure, message: oneLine(faultWords("the command", faultFacts(thrown))) };
}

function kindOf({ about, kind }: AppError): string {
  return ["cohort", "journal", "file"].includes(about) ? `${about}-${kind}` : kind;
}

export function withoutRemedy(error: unknown): unknown {
  if (!isAppError(error, "journal")) return error;
  return new AppError("journal", error.kind, error.message, { ...error.facts, remedy: null });
}

export function failureJson(failure: Failure): Record<string, unknown> {
  const { kind, message, httpStatus, code, errors, journalId } = failure;
  const { supplyPointIdentifier, items, transactionData } = failure;
  return {
    kind,
    message,
    http_status: httpStatus,
    code,
    errors: errors?.length === 0 ? undefined : errors,
    supply_point_identifier: supplyPointIdentifier,
    items,
    transaction_data: transactionData,
    journal_id: journalId,
    ...(failure.team === undefined ? {} : teamFields(failure.team)),
    earlier: failure.earlier === undefined ? undefined : earlierJson(failure.earlier),
  };
}

function earlierJson({ id, person, machine, at, state }: TeamEntry) {
  return { team_id: `t${id}`, by: person, machine, at: utcInstant(at), outcome: state };
}

function issueLine({ file, line, column, attr, detail }: InputIssue): string {
  const place = line === null ? [file] : [file, line, ...(column === null ? [] : [column])];
  return [...(file === "" ? [] : [place.join(":")]), ...(attr === null ? [] : [attr]), detail]
    .map(oneParagraph)
    .join(": ");
}

export function formatFailure(failure: Failure, asJson: boolean): string {
  if (asJson) return `${toJson({ error: failureJson(failure) })}\n`;
  const details = (failure.details ?? []).map((line) => `  ${safe(line)}\n`);
  return `supplyline: ${safe(failure.message)}\n${details.join("")}`;
}
