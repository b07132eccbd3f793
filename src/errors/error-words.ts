/** Describes any error in words for users, for the console and the commands. */
import {
  type Culprit,
  isServiceError,
  type ServiceError,
  type ServiceErrorKind,
} from "../api/errors.ts";
import { capital, unreachableWords } from "../text/connection-words.ts";
import { safe } from "../text/sanitize.ts";
import { quoted, redact } from "../text/service-words.ts";
import { type AppError, type ErrorContext, isAppError } from "./app-error.ts";
import { describeServiceError } from "./describe-service-error.ts";

/** The description of an error. Every part is one line, safe to show and without secrets. */
export interface ErrorWords {
  readonly sentence: string;
  /** The service's message or the technical reason, or null if there is nothing to add. */
  readonly why: string | null;
  /** The next step, or null if the sentence has it. */
  readonly remedy: string | null;
  readonly fix: string | null;
}

/**
 * Describes any thrown value. An error that is neither a ServiceError, an AppError nor an abort is
 * a defect of this program.
 */
export function errorWords(error: unknown, context: ErrorContext): ErrorWords {
  if (isServiceError(error)) {
    return { ...describeServiceError(error, context), fix: null };
  }
  if (isAppError(error, "call")) return errorWords(error.cause, error.facts.context ?? context);
  if (isAppError(error)) return appWords(error);
  if (isAbort(error)) {
    return {
      sentence: `${capital(quoted(context.doing))} was canceled.`,
      why: null,
      remedy: "Start it again when you want it.",
      fix: null,
    };
  }
  return faultWords(context.doing, faultMessage(error));
}

/**
 * Returns a label of a few words for a table cell, such as `no answer` or `HTTP 503`. The label
 * contains no text of the service.
 */
export function errorWord(error: unknown): string {
  if (isAppError(error, "call")) return errorWord(error.cause);
  if (isAppError(error))
    return error.kind === "full" ? "disk full" : error.kind.replaceAll("-", " ");
  if (!isServiceError(error)) return isAbort(error) ? "canceled" : "failed";
  const { httpStatus } = error.facts;
  if (httpStatus !== undefined && httpStatus >= 300) return `HTTP ${httpStatus}`;
  return serviceLabels[error.kind] ?? "failed";
}

const serviceLabels: Readonly<Partial<Record<ServiceErrorKind, string>>> = {
  timeout: "no answer",
  unreachable: "not reached",
  tls: "TLS failed",
  credentials: "no token",
  unreadable: "unreadable",
};

/**
 * Describes a problem of the service as the end of a sentence, such as the reason for the pause of
 * a run. The result contains no text of the service.
 */
export function problemWords({ kind, facts }: ServiceError): string {
  const { httpStatus, systemCode, culprit } = facts;
  if (culprit !== undefined) return culpritWords(culprit.kind);
  switch (kind) {
    case "unreachable": {
      const why = unreachableWords(systemCode);
      return `the service cannot be reached${why === null ? "" : `: ${why}`}`;
    }
    case "tls":
      return "there is no secure connection to the service";
    case "timeout":
      return "the service does not answer in time";
    case "rate-limited":
      return "the service asks for a pause (429)";
    case "redirect":
      return `the service answers with a redirect${httpStatus === undefined ? "" : ` (${httpStatus})`}`;
    case "other-item":
      return "the service answers for other items";
    case "unreadable":
      return "the service's responses cannot be read";
    case "rejected":
    case "unauthorized":
    case "forbidden":
    case "not-found":
    case "unavailable":
    case "unexpected-status":
    case "too-large":
    case "credentials":
    case "cancelled":
    case "invalid-request":
      return httpStatus === undefined
        ? "the service's responses are not valid"
        : `the service answers ${httpStatus}`;
  }
}

function culpritWords(kind: Culprit["kind"]): string {
  switch (kind) {
    case "proxy":
      return "the proxy does not connect to the service";
    case "helper":
      return "the credential helper does not respond";
    case "client-certificate":
      return "the service asks for a client certificate";
  }
}

/** Describes a defect of this program. `why` must be safe to show. */
export function faultWords(doing: string, why: string): ErrorWords {
  return {
    sentence: `${capital(quoted(doing))}: a fault of this program.`,
    why,
    remedy:
      "Try again; if it happens again, report it with this message and `supplyline --version`.",
    fix: null,
  };
}

export function oneLine({ sentence, why, remedy, fix }: ErrorWords): string {
  const parts = [
    sentence,
    why === null ? null : withFullStop(why),
    remedy,
    fix && `To fix it: ${fix}`,
  ];
  return parts.filter((part) => part !== null && part !== "").join(" ");
}

export function errorLine(error: unknown, context: ErrorContext): string {
  return oneLine(errorWords(error, context));
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

function appWords({ message, facts }: AppError): ErrorWords {
  return {
    sentence: sentenceOf(message),
    why: null,
    remedy: facts.remedy ? sentenceOf(facts.remedy) : null,
    // A command that users paste must not be changed.
    fix: facts.fix ? oneParagraph(facts.fix) : null,
  };
}

/** Returns the name and the message of a thrown value, safe to show. */
function faultMessage(error: unknown): string {
  if (error instanceof Error) return quoted(`${error.name}: ${error.message}`);
  return quoted(typeof error === "string" ? error : Object.prototype.toString.call(error));
}

function sentenceOf(text: string): string {
  return withFullStop(capital(oneParagraph(text)));
}

function withFullStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Formats a text on one line, safe to show and without secrets. */
export function oneParagraph(text: string): string {
  return safe(redact(text).replace(/\s+/g, " ").trim());
}
