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
import { toJson } from "../json/print.ts";
import { count } from "../text/numbers.ts";
import { safe } from "../text/sanitise.ts";
import { type ExitCode, errorCodes, exitCode } from "./exit-codes.ts";

/** One transaction of a refused request. */
interface FailedItem {
  /** From 0, in the order of the request. */
  readonly index: number;
  readonly transaction_id: string | null;
  readonly outcome: string;
}

/** Any thrown value as a command reports it. */
export interface Failure {
  readonly exitCode: ExitCode;
  /** Machine-readable: the kind of the error that was thrown, or `fault`. */
  readonly kind: string;
  /** What happened, why and what to do next, on one line; safe to show and without secrets. */
  readonly message: string;
  readonly httpStatus?: number | undefined;
  readonly code?: string | undefined;
  readonly errors?: readonly (FieldError | InputIssue)[] | undefined;
  /** Of the supply point that exists already (INTERFACE 4.6). */
  readonly supplyPointIdentifier?: string | undefined;
  /** The outcome of each transaction of a rejected request (INTERFACE 4.2). */
  readonly items?: readonly FailedItem[] | undefined;
  /** The first transaction that failed, as the service gave it. */
  readonly transactionData?: unknown;
  /** The write it is about, by its number in the journal. */
  readonly journalId?: number | undefined;
  /** Lines below the message, for people. */
  readonly details?: readonly string[] | undefined;
}

/** The failure behind a thrown value; `context` is used where the value brings none of its own. */
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
        ...issues.map(problemLine),
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

/** The failure behind something that no one caught; of a fault of this program it quotes nothing. */
export function crashOf(thrown: unknown): Failure {
  const failure = failureOf(thrown);
  if (failure.kind !== "fault") return failure;
  return { ...failure, message: oneLine(faultWords("the command", faultFacts(thrown))) };
}

/** Returns the kind of an error as scripts know it. */
function kindOf({ about, kind }: AppError): string {
  return ["cohort", "journal", "file"].includes(about) ? `${about}-${kind}` : kind;
}

/** Returns an error of the journal without the advice that nothing was sent; others as they are. */
export function withoutRemedy(error: unknown): unknown {
  if (!isAppError(error, "journal")) return error;
  return new AppError("journal", error.kind, error.message, { ...error.facts, remedy: null });
}

/** The error object of `--json`; parts that are not known are left out. */
export function failureJson(failure: Failure): Record<string, unknown> {
  const { kind, message, httpStatus, code, errors, journalId } = failure;
  const { supplyPointIdentifier, items, transactionData } = failure;
  return {
    kind,
    message,
    ...(httpStatus === undefined ? {} : { http_status: httpStatus }),
    ...(code === undefined ? {} : { code }),
    ...(errors === undefined || errors.length === 0 ? {} : { errors }),
    ...(supplyPointIdentifier === undefined
      ? {}
      : { supply_point_identifier: supplyPointIdentifier }),
    ...(items === undefined ? {} : { items }),
    ...(transactionData === undefined ? {} : { transaction_data: transactionData }),
    ...(journalId === undefined ? {} : { journal_id: journalId }),
  };
}

/** `notes.json:3:7: notes.0.body: …`, the shape that editors jump to. */
function problemLine({ file, line, column, attr, detail }: InputIssue): string {
  const place = line === null ? [file] : [file, line, ...(column === null ? [] : [column])];
  return [...(file === "" ? [] : [place.join(":")]), ...(attr === null ? [] : [attr]), detail]
    .map(oneParagraph)
    .join(": ");
}

/** A failure for stderr, in words or as the object of `--json`; whole lines. */
export function formatFailure(failure: Failure, asJson: boolean): string {
  if (asJson) return `${toJson({ error: failureJson(failure) })}\n`;
  const below = (failure.details ?? []).map((line) => `  ${safe(line)}\n`);
  return `supplyline: ${safe(failure.message)}\n${below.join("")}`;
}
