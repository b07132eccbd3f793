/** Describes a failed call to the service in words for users. */
import {
  conflictStatuses,
  type ServiceError,
  type ServiceErrorKind,
  unprovenStatuses,
} from "../api/errors.ts";
import { asCommand } from "../text/as-command.ts";
import {
  capital,
  culpritProblem,
  tlsProblem,
  unreachableReason,
} from "../text/connection-words.ts";
import { formatDuration } from "../text/durations.ts";
import { safe } from "../text/sanitize.ts";
import { quoted, serviceWords, statusAndCode } from "../text/service-words.ts";
import { shellQuote } from "../text/shell-quote.ts";
import type { ErrorContext } from "./app-error.ts";
import { rejectionRemedy } from "./rejection-remedy.ts";

/** The description of a failed call. Every part is one line and safe to show. */
interface ServiceErrorWords {
  readonly sentence: string;
  /** The service's message, or the technical reason, or null if there is nothing to add. */
  readonly why: string | null;
  readonly remedy: string;
}

function addressOf(error: ServiceError, context: ErrorContext): string {
  const url = context.baseUrl ?? error.facts.url;
  if (url === undefined) return "the service";
  const origin = URL.canParse(url) ? new URL(url).origin : null;
  return origin === null || origin === "null" ? "the service" : quoted(origin);
}

function withProfile(command: string, context: ErrorContext): string {
  const profile = context.profile === undefined ? "" : ` --profile ${shellQuote(context.profile)}`;
  return `\`${safe(command + profile)}\``;
}

/** The kinds of errors whose responses prove nothing about the request. */
const unprovenKinds: readonly ServiceErrorKind[] = ["other-item", "unreadable"];

/** Returns true if the failed call was a write that the service might have applied. */
function mayHaveTakenEffect(error: ServiceError): boolean {
  const { method = "GET", url = "", sent, httpStatus = 0 } = error.facts;
  if (method === "GET" || method === "HEAD" || sent === false) return false;
  // A 4xx about this request rejects it, except for a few statuses. A validation changes nothing.
  const isRejected = httpStatus >= 400 && httpStatus < 500 && !unprovenKinds.includes(error.kind);
  if (isRejected && ![...unprovenStatuses, ...conflictStatuses].includes(httpStatus)) return false;
  return url.includes("/data-import/") && !url.includes("/validate/");
}

function gaveNoToken({ facts: { httpStatus, detail } }: ServiceError): boolean {
  return httpStatus !== undefined && (httpStatus >= 400 || detail !== undefined);
}

/** Returns true if the call for a token failed. The response of such a call is never shown. */
function isTokenCall({ facts }: ServiceError): boolean {
  return facts.url !== undefined && !facts.url.includes("/data-import/");
}

/**
 * Returns the advice, or the advice to verify the request first if it might have taken effect and
 * can be verified.
 */
function safeRemedy(error: ServiceError, { isVerifiable = true }: ErrorContext, advice: string) {
  if (!mayHaveTakenEffect(error)) return advice;
  const doubt = "It is unknown whether the service applied the request.";
  return isVerifiable ? `${doubt} Verify it before you send it again.` : doubt;
}

function notFoundDescription(
  error: ServiceError,
  context: ErrorContext,
): Omit<ServiceErrorWords, "why"> {
  const { subject } = context;
  const note = statusAndCode(error);
  if (subject === undefined) {
    return {
      sentence: `the service has nothing by that name${note}`,
      remedy: "Check the names and the profile's base URL.",
    };
  }
  const supplier = quoted(subject.supplier);
  if (subject.kind === "supplier") {
    return {
      sentence: `no such supplier, or nothing to list: ${supplier}${note}`,
      remedy:
        "Check the supplier code; it is case-sensitive. A supplier without accounts can get the same response.",
    };
  }
  const id = quoted(subject.id ?? "");
  if (subject.kind === "supply-point") {
    return {
      sentence: `no import of a supply point ${id} is known for supplier ${supplier}${note}`,
      remedy:
        "Check the supplier code and the external identifier; it might never have been sent for import.",
    };
  }
  const list = asCommand(
    {
      kind: "accounts-list",
      supplier: subject.supplier,
      state: "all",
      filter: subject.id === undefined ? undefined : `ext:${subject.id}`,
    },
    context.profile ?? null,
  );
  return {
    sentence: `the service has no account ${id} for supplier ${supplier}${note}`,
    remedy: `Check the supplier code and the external account number${list === null ? "." : `; \`${quoted(list)}\` lists them.`}`,
  };
}

function fieldNames({ field }: ErrorContext): (attr: string) => string {
  return field ?? ((attr) => attr);
}

function retryAfter(error: ServiceError): string {
  const { retryAfterMs } = error.facts;
  return retryAfterMs === undefined
    ? "Wait a minute, then try again."
    : `Try again in ${formatDuration(Math.max(0, retryAfterMs))}, as the service asks.`;
}

type ErrorDescription = Omit<ServiceErrorWords, "why"> & { readonly why?: string | null };

/** Describes the failure by its kind. If `why` is absent, the message of the service is used. */
function descriptionOf(error: ServiceError, context: ErrorContext): ErrorDescription {
  const note = statusAndCode(error);
  const at = addressOf(error, context);
  const message = capital(quoted(error.message));
  const login = withProfile("supplyline login --api-key-stdin", context);
  const doctor = withProfile("supplyline doctor", context);
  const { culprit } = error.facts;
  if (culprit !== undefined) {
    const problem = culpritProblem(error, culprit, at);
    return { ...problem, remedy: safeRemedy(error, context, problem.remedy) };
  }
  switch (error.kind) {
    case "rejected":
      return {
        sentence: `the service rejected the request${note}`,
        remedy:
          rejectionRemedy(error, context) ??
          "Correct the request as its message asks; the same request would be rejected again.",
      };
    case "unauthorized":
      return {
        sentence: `the service did not accept the token${note}`,
        remedy: context.fromEnvironment
          ? "Put a key or token that is still valid into SUPPLYLINE_API_KEY or SUPPLYLINE_TOKEN, and start again; the current one might be revoked."
          : `Log in again with ${login}; if that does not help, the API key might be revoked.`,
      };
    case "forbidden":
      return {
        sentence: `the token is not allowed to do this${note}`,
        remedy: "Ask the platform operator for the permission, or use a profile that has it.",
      };
    case "not-found":
      return notFoundDescription(error, context);
    case "rate-limited":
      return {
        sentence: `too many requests${note}`,
        remedy: retryAfter(error),
      };
    case "unavailable":
      return {
        sentence: `the service could not answer${note}`,
        remedy: safeRemedy(
          error,
          context,
          "Try again shortly; if it persists, report it to the platform operator.",
        ),
      };
    case "redirect":
      return {
        sentence: `${at} answered with a redirect${note}, which is never followed`,
        why: serviceWords(error, fieldNames(context)) ?? message,
        remedy: safeRemedy(
          error,
          context,
          "Check the profile's base URL: it must be the service itself, with the right scheme.",
        ),
      };
    case "unexpected-status":
      return {
        sentence: `the service sent a response that its interface does not define${note}`,
        remedy: safeRemedy(
          error,
          context,
          `Check the profile's base URL; ${doctor} checks whether it is the service.`,
        ),
      };
    case "unreadable":
      return {
        sentence: `the response was unreadable${note}`,
        why: message,
        remedy: isTokenCall(error)
          ? `Try again; if it persists, something else answers at the GraphQL address (a proxy, a sign-in page): ${doctor} checks it.`
          : safeRemedy(
              error,
              context,
              "Try again; if it persists, look at the raw response in the console and report it to the platform operator.",
            ),
      };
    case "other-item":
      return {
        sentence: `the response is for another item${note}`,
        why: message,
        remedy: safeRemedy(
          error,
          context,
          "Try again; if it persists, report it to the platform operator.",
        ),
      };
    case "too-large":
      return {
        sentence: `the response is larger than supplyline accepts${note}`,
        why: message,
        remedy: safeRemedy(
          error,
          context,
          `Check the profile's base URL; ${doctor} checks whether it is the service.`,
        ),
      };
    case "unreachable":
      return {
        sentence: error.facts.sent
          ? `the connection to ${at} broke before the response arrived`
          : `${at} could not be reached`,
        why: unreachableReason(error),
        remedy: safeRemedy(
          error,
          context,
          `Check the network, VPN and proxy, then try again; ${doctor} checks them.`,
        ),
      };
    case "tls":
      return tlsProblem(error, at);
    case "timeout":
      return {
        sentence: `${at} did not answer in time`,
        why: message,
        remedy: safeRemedy(
          error,
          context,
          "Try again; if the service is slow, start supplyline with a longer --timeout.",
        ),
      };
    case "credentials":
      return {
        sentence: gaveNoToken(error)
          ? "the service gave no token for the API key"
          : "there is no token to use",
        why: serviceWords(error, fieldNames(context)) ?? message,
        remedy: context.fromEnvironment
          ? "Give an API key in SUPPLYLINE_API_KEY, or a token in SUPPLYLINE_TOKEN, and start again."
          : context.unusedSecret === undefined
            ? `Give an API key with ${login}, or in SUPPLYLINE_API_KEY.`
            : `Give an API key with ${login}. ${context.unusedSecret}`,
      };
    case "cancelled":
      return {
        sentence: "cancelled",
        remedy: safeRemedy(error, context, "You can start it again."),
      };
    case "invalid-request":
      return {
        sentence: "it was not sent, because the request would not be valid",
        why: message,
        remedy: "Correct the value and try again.",
      };
  }
}

/**
 * Describes a failed call: the action and the failure, the reason if it is known, and the next
 * step. A 404 depends on the requested subject (INTERFACE 7.5), and is not the status UNKNOWN.
 */
export function describeServiceError(
  error: ServiceError,
  context: ErrorContext,
): ServiceErrorWords {
  const doing = capital(quoted(context.doing));
  const { sentence, remedy, why } = descriptionOf(error, context);
  return {
    sentence: error.kind === "cancelled" ? `${doing} was canceled.` : `${doing}: ${sentence}.`,
    why: why === undefined ? serviceWords(error, fieldNames(context)) : why,
    remedy,
  };
}
