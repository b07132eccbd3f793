import {
  conflictStatuses,
  gaveUpStatuses,
  isServiceError,
  type ServiceError,
  type ServiceErrorKind,
} from "../api/errors.ts";
import { asCommand } from "./as-command.ts";
import { capital, culpritTrouble, tlsTrouble, unreachableReason } from "./connection-words.ts";
import { formatDuration } from "./durations.ts";
import { rejectionRemedy } from "./rejection-remedy.ts";
import { safe } from "./sanitise.ts";
import { answered, quoted, serviceWords } from "./service-words.ts";
import { shellQuote } from "./shell-quote.ts";

/** A failure for people; every part is one line and safe to show. */
export interface ErrorWords {
  /** What happened, to what. */
  readonly what: string;
  /** The service's own words, or the technical reason; null when there is nothing to add. */
  readonly why: string | null;
  /** What to do next. */
  readonly next: string;
}

/** What was being done when it failed. */
export interface ErrorContext {
  /** For example `reading the status of EXT-1`. */
  readonly doing: string;
  /** What `--profile` has to say to mean the same place; undefined where nothing needs to be said. */
  readonly profile?: string | undefined;
  /** The place comes from environment variables: no profile leads to it, nothing is kept for it. */
  readonly fromEnvironment?: boolean;
  readonly baseUrl?: string | undefined;
  /** A sentence about secrets in the environment that are not used here. */
  readonly unusedSecret?: string | undefined;
  /** How people read an `attr` of the service; as received where absent. */
  readonly field?: ((attr: string) => string) | undefined;
  readonly subject?:
    | {
        /** `supplier` for the lists. */
        readonly kind: "account" | "supply-point" | "supplier";
        readonly supplier: string;
        readonly id?: string | undefined;
      }
    | undefined;
}

function place(error: ServiceError, context: ErrorContext): string {
  const known = context.baseUrl ?? error.facts.url;
  if (known === undefined) return "the service";
  const origin = URL.canParse(known) ? new URL(known).origin : null;
  return origin === null || origin === "null" ? "the service" : quoted(origin);
}

function withProfile(command: string, context: ErrorContext): string {
  const profile = context.profile === undefined ? "" : ` --profile ${shellQuote(context.profile)}`;
  return `\`${safe(command + profile)}\``;
}

/** Answers that prove nothing about the request. */
const unproven: readonly ServiceErrorKind[] = ["other-item", "unreadable"];

/** Returns true if the failed call was a write that the service might have carried out all the same. */
function mayHaveTakenEffect(error: ServiceError): boolean {
  const { method = "GET", url = "", sent, httpStatus = 0 } = error.facts;
  if (method === "GET" || method === "HEAD" || sent === false) return false;
  // A 4xx refuses, if it is about this request and not about another; a validation changes nothing.
  const isRefused = httpStatus >= 400 && httpStatus < 500 && !unproven.includes(error.kind);
  if (isRefused && ![...gaveUpStatuses, ...conflictStatuses].includes(httpStatus)) return false;
  return url.includes("/data-import/") && !url.includes("/validate/");
}

/** Whether it was the call for a token that failed: its answer is shown nowhere. */
function isTokenCall({ facts }: ServiceError): boolean {
  return facts.url !== undefined && !facts.url.includes("/data-import/");
}

function tryAgain(error: ServiceError, advice: string): string {
  if (!mayHaveTakenEffect(error)) return advice;
  return "Whether the service carried it out is not known: find out before sending it again.";
}

/** A 404, by what was asked for. */
function missing(error: ServiceError, context: ErrorContext): Omit<ErrorWords, "why"> {
  const { subject } = context;
  const note = answered(error);
  if (subject === undefined) {
    return {
      what: `the service has nothing by that name${note}`,
      next: "Check the names and the profile's base URL.",
    };
  }
  const supplier = quoted(subject.supplier);
  if (subject.kind === "supplier") {
    return {
      what: `no such supplier, or nothing to list: ${supplier}${note}`,
      next: "Check the supplier code, capital letters too. A supplier with nothing staged or imported may answer the same.",
    };
  }
  const id = quoted(subject.id ?? "");
  if (subject.kind === "supply-point") {
    return {
      what: `no import of a supply point ${id} is known for supplier ${supplier}${note}`,
      next: "Check the supplier code and the external identifier; it may never have been sent for import.",
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
    what: `the service knows of no account ${id} for supplier ${supplier}${note}`,
    next: `Check the supplier code and the external account number${list === null ? "." : `; \`${quoted(list)}\` lists what is there.`}`,
  };
}

function fieldOf({ field }: ErrorContext): (attr: string) => string {
  return field ?? ((attr) => attr);
}

function retryAfter(error: ServiceError): string {
  const { retryAfterMs } = error.facts;
  return retryAfterMs === undefined
    ? "Wait a minute, then try again."
    : `Try again in ${formatDuration(Math.max(0, retryAfterMs))}, as the service asks.`;
}

type Happened = Omit<ErrorWords, "why"> & { readonly why?: string | null };

/** What happened, by kind; `why` where it is not simply the service's own words. */
function happened(error: ServiceError, context: ErrorContext): Happened {
  const note = answered(error);
  const at = place(error, context);
  const message = capital(quoted(error.message));
  const login = withProfile("supplyline login --api-key-stdin", context);
  const doctor = withProfile("supplyline doctor", context);
  const { culprit } = error.facts;
  if (culprit !== undefined) {
    const trouble = culpritTrouble(error, culprit, at);
    return { ...trouble, next: tryAgain(error, trouble.next) };
  }
  switch (error.kind) {
    case "rejected":
      return {
        what: `the service rejected the request${note}`,
        next:
          rejectionRemedy(error, context) ??
          "Correct what it names; the same request would be rejected again.",
      };
    case "unauthorized":
      return {
        what: `the service did not accept the token${note}`,
        next: context.fromEnvironment
          ? "Put a key or token that is still valid into SUPPLYLINE_API_KEY or SUPPLYLINE_TOKEN, and start again; the one there may have been withdrawn."
          : `Log in again with ${login}; if that does not help, the API key may have been withdrawn.`,
      };
    case "forbidden":
      return {
        what: `the token is not allowed to do this${note}`,
        next: "Ask the platform operator for the permission, or use a profile that has it.",
      };
    case "not-found":
      return missing(error, context);
    case "rate-limited":
      return { what: `the service has had too many requests${note}`, next: retryAfter(error) };
    case "unavailable":
      return {
        what: `the service could not answer${note}`,
        next: tryAgain(
          error,
          "Try again shortly; if it persists, report it to the platform operator.",
        ),
      };
    case "redirect":
      return {
        what: `${at} answered with a redirect${note}, which is never followed`,
        why: serviceWords(error, fieldOf(context)) ?? message,
        next: tryAgain(
          error,
          "Check the profile's base URL: it must be the service itself, with the right scheme.",
        ),
      };
    case "unexpected-status":
      return {
        what: `the service gave an answer that its interface does not name${note}`,
        next: tryAgain(
          error,
          `Check the profile's base URL; ${doctor} checks whether it is the service.`,
        ),
      };
    case "unreadable":
      return {
        what: `the answer was unreadable${note}`,
        why: message,
        next: isTokenCall(error)
          ? `Try again; if it persists, something else answers at the GraphQL address (a proxy, a sign-in page): ${doctor} checks it.`
          : tryAgain(
              error,
              "Try again; if it persists, look at the raw answer in the console and report it to the platform operator.",
            ),
      };
    case "other-item":
      return {
        what: `the service answered for another item${note}`,
        why: message,
        next: tryAgain(error, "Try again; if it persists, report it to the platform operator."),
      };
    case "too-large":
      return {
        what: `the answer was larger than this program takes${note}`,
        why: message,
        next: tryAgain(
          error,
          `Check the profile's base URL; ${doctor} checks whether it is the service.`,
        ),
      };
    case "unreachable":
      return {
        what: error.facts.sent
          ? `the connection to ${at} broke before the answer came`
          : `${at} could not be reached`,
        why: unreachableReason(error),
        next: tryAgain(
          error,
          `Check the network, VPN and proxy, then try again; ${doctor} looks at each.`,
        ),
      };
    case "tls":
      return tlsTrouble(error, at);
    case "timeout":
      return {
        what: `${at} did not answer in time`,
        why: message,
        next: tryAgain(error, "Try again; --timeout gives it longer."),
      };
    case "credentials":
      return {
        what: "there is no token to use",
        why: serviceWords(error, fieldOf(context)) ?? message,
        next: context.fromEnvironment
          ? "Give an API key in SUPPLYLINE_API_KEY, or a token in SUPPLYLINE_TOKEN, and start again."
          : context.unusedSecret === undefined
            ? `Give an API key with ${login}, or in SUPPLYLINE_API_KEY.`
            : `Give an API key with ${login}. ${context.unusedSecret}`,
      };
    case "cancelled":
      return {
        what: "cancelled",
        next: tryAgain(error, "Nothing more is under way; start it again when you want it."),
      };
    case "invalid-request":
      return {
        what: "it was not sent, because the request would not be valid",
        why: message,
        next: "Correct the value and try again.",
      };
  }
}

/** Returns true for the reason of a signal that was aborted without one of ours. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

function issueWords(error: unknown): string {
  if (error instanceof Error) return quoted(`${error.name}: ${error.message}`);
  return quoted(typeof error === "string" ? error : Object.prototype.toString.call(error));
}

/**
 * Any thrown value in words for people: what happened to what, why as far as is known, and what to
 * do next. 404 is described by what was requested (INTERFACE 7.5); it is not the status
 * UNKNOWN. What is not a ServiceError is a fault of this program and is called so. Everything is
 * safe for a terminal and without secrets.
 */
export function describeError(error: unknown, context: ErrorContext): ErrorWords {
  const doing = capital(quoted(context.doing));
  if (isServiceError(error)) {
    const { what, next, why } = happened(error, context);
    const sentence = error.kind === "cancelled" ? `${doing} was canceled.` : `${doing}: ${what}.`;
    return {
      what: sentence,
      why: why === undefined ? serviceWords(error, fieldOf(context)) : why,
      next,
    };
  }
  if (isAbort(error)) {
    return {
      what: `${doing} was canceled.`,
      why: null,
      next: "Start it again when you want it.",
    };
  }
  return faultWords(context.doing, issueWords(error));
}

/** The words for a fault of this program; `why` is safe to show. */
export function faultWords(doing: string, why: string): ErrorWords {
  return {
    what: `${capital(quoted(doing))}: a fault of this program.`,
    why,
    next: "Try again; if it happens again, report it with this message and `supplyline --version`.",
  };
}

/** The words on one line, for stderr and status bars. */
export function oneLine(words: ErrorWords): string {
  if (words.why === null) return `${words.what} ${words.next}`;
  const why = /[.!?\u2026]$/.test(words.why) ? words.why : `${words.why}.`;
  return `${words.what} ${why} ${words.next}`;
}
