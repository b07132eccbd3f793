/** Every failure between this program and the service, as one typed error. */

/**
 * The kinds of errors. The name of the kind for an aborted call is a contract with scripts.
 *
 * - `rejected`: 400, the service refused the request (INTERFACE 7.1–7.3)
 * - `unauthorized`: 401 · `forbidden`: 403
 * - `not-found`: 404 (INTERFACE 7.5)
 * - `rate-limited`: 429
 * - `unavailable`: 5xx
 * - `redirect`: any 3xx; nothing is forwarded
 * - `unexpected-status`: any other status the interface does not name
 * - `unreadable`: a success whose body is cut short, malformed or of another shape, or a response
 *   with too large headers
 * - `other-item`: a success that names another item than the request
 * - `too-large`: a response over the size or nesting limit
 * - `unreachable`: no connection, or one that broke before a response
 * - `tls`: no secure connection: a certificate that is not accepted, or no TLS in common
 * - `timeout`: no byte for the idle time, or the whole call over its deadline
 * - `credentials`: no API key or token to use, or ObtainToken refused the key
 * - `invalid-request`: an argument that must not reach the wire (for example the identifier `..`)
 */
export type ServiceErrorKind =
  | "rejected"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "rate-limited"
  | "unavailable"
  | "redirect"
  | "unexpected-status"
  | "unreadable"
  | "other-item"
  | "too-large"
  | "unreachable"
  | "tls"
  | "timeout"
  | "credentials"
  | "cancelled"
  | "invalid-request";

/** One issue of the service with one input (INTERFACE 7.2). */
export interface FieldError {
  /** Dot-delimited path to the input, with array positions counted from 0, or null if unknown. */
  readonly attr: string | null;
  readonly code: string | null;
  readonly detail: string;
}

/**
 * The party that failed, if it was not the service itself:
 * - `proxy`: it could not be reached, or its response to CONNECT was `status`; `login` is the
 * source of the user name and password that it received, or null without one
 * - `helper`: a credential helper (`program`) that did not answer in time
 * - `client-certificate`: the server requires a certificate of this machine before it reads any
 * request
 */
export type Culprit =
  | {
      readonly kind: "proxy";
      /** Its origin, without user name and password. */
      readonly address: string;
      readonly status?: number;
      readonly login: ProxyLoginSource | null;
    }
  | { readonly kind: "helper"; readonly program: string }
  | { readonly kind: "client-certificate" };

/** The place where the user name and password for a proxy are set. */
export type ProxyLoginSource =
  | { readonly kind: "helper"; readonly program: string }
  | { readonly kind: "variable"; readonly name: string };

/** The facts about a failure besides its kind. Absent facts are unknown. */
export interface ServiceErrorFacts {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpStatus?: number | undefined;
  /** The service's machine-readable code, if its body had one. */
  readonly code?: string | undefined;
  /** The service's message, untrusted text. */
  readonly detail?: string | undefined;
  readonly errors?: readonly FieldError[] | undefined;
  /** Identifier of the supply point that already exists (INTERFACE 4.6); untrusted. */
  readonly supplyPointIdentifier?: string | undefined;
  /** The raw body as text, possibly cut at a stated size; untrusted. */
  readonly body?: string | undefined;
  /** From Retry-After, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /**
   * True if request headers were sent. False means that the service cannot have seen the request.
   */
  readonly sent?: boolean | undefined;
  /** Node's or undici's code, for example ECONNREFUSED or CERT_HAS_EXPIRED. */
  readonly systemCode?: string | undefined;
  /** Absent if it is the service, or unknown. */
  readonly culprit?: Culprit | undefined;
}

/**
 * The only error that `src/api` throws. `message` is a short technical sentence without secrets.
 * `errors/error-words` turns the kind and facts into a message for users.
 */
export class ServiceError extends Error {
  readonly kind: ServiceErrorKind;
  readonly facts: ServiceErrorFacts;

  constructor(kind: ServiceErrorKind, message: string, facts: ServiceErrorFacts = {}) {
    super(message);
    this.name = "ServiceError";
    this.kind = kind;
    this.facts = facts;
  }
}

/**
 * Statuses of a server or gateway that stopped waiting: they leave the outcome of the request
 * unknown.
 */
export const gaveUpStatuses: readonly number[] = [408, 425, 444, 460, 499];

/**
 * Statuses of a request that was refused because of another one, which might have been the same.
 */
export const conflictStatuses: readonly number[] = [409, 423];

/** Narrows an unknown thrown value. */
export function isServiceError(value: unknown, kind?: ServiceErrorKind): value is ServiceError {
  return value instanceof ServiceError && (kind === undefined || value.kind === kind);
}

/** Returns the message of a thrown value. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Maximum length of a code, because codes are stored in the journal and shown in one line. */
const longestCode = 200;

/** Returns a code of the service with a bounded length. */
export function boundedCode(code: string): string {
  return code.length > longestCode ? `${code.slice(0, longestCode)}\u2026` : code;
}
