import { type FieldError, isServiceError } from "../api/errors.ts";
import { isSettingsError } from "../settings/settings-error.ts";
import { describeError, type ErrorContext, oneLine } from "../text/describe-error.ts";
import { redact } from "../text/redact.ts";
import { safe } from "../text/sanitise.ts";
import { CommandError, FailedCall } from "./command-error.ts";
import {
  commandFailureCodes,
  type ExitCode,
  exitCode,
  readFailureCodes,
  settingsFailureCodes,
} from "./exit-codes.ts";

/** Any thrown value as a command tells it. */
export interface Failure {
  readonly exitCode: ExitCode;
  /** Machine-readable: the kind of the error that was thrown, or `fault`. */
  readonly kind: string;
  /** What happened, why and what to do next, on one line; safe to show and without secrets. */
  readonly message: string;
  readonly httpStatus?: number | undefined;
  readonly code?: string | undefined;
  readonly errors?: readonly FieldError[] | undefined;
}

/** The failure behind a thrown value; `context` is used where the value brings none of its own. */
export function failureOf(
  thrown: unknown,
  context: ErrorContext = { doing: "the command" },
): Failure {
  if (thrown instanceof FailedCall) return failureOf(thrown.error, thrown.context);
  if (isServiceError(thrown)) {
    const { httpStatus, code, errors } = thrown.facts;
    return {
      exitCode: readFailureCodes[thrown.kind],
      kind: thrown.kind,
      message: oneLine(describeError(thrown, context)),
      httpStatus,
      code,
      errors,
    };
  }
  if (isSettingsError(thrown)) {
    return {
      exitCode: settingsFailureCodes[thrown.kind],
      kind: thrown.kind,
      // The act that mends it may be a command to be pasted: it is given as it is.
      message:
        sentences(thrown.message, null) +
        (thrown.fix ? ` To go on: ${oneParagraph(thrown.fix)}` : ""),
    };
  }
  if (thrown instanceof CommandError) {
    return {
      exitCode: commandFailureCodes[thrown.kind],
      kind: thrown.kind,
      message: sentences(thrown.message, thrown.next),
    };
  }
  return {
    exitCode: exitCode.fault,
    kind: "fault",
    message: oneLine(describeError(thrown, context)),
  };
}

/** The error object of `--json`; parts that are not known are left out. */
export function failureJson(failure: Failure): Record<string, unknown> {
  const { kind, message, httpStatus, code, errors } = failure;
  return {
    kind,
    message,
    ...(httpStatus === undefined ? {} : { http_status: httpStatus }),
    ...(code === undefined ? {} : { code }),
    ...(errors === undefined || errors.length === 0 ? {} : { errors }),
  };
}

function sentences(what: string, next: string | null): string {
  const parts = next === null ? [what] : [what, next];
  return parts.map((part) => ended(capital(oneParagraph(part)))).join(" ");
}

function oneParagraph(text: string): string {
  return safe(redact(text).replace(/\s+/g, " ").trim());
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function ended(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
