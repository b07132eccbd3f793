/** Defines the error of a failed call to the service: its kind, and the facts about the failure. */

/**
 * The kinds of errors. Scripts depend on the spelling of each kind. The kind of an aborted call has
 * a separate comment below.
 *
 * - `rejected`: 400, the service rejected the request (INTERFACE 7.1–7.3)
 * - `unauthorized`: 401
 * - `forbidden`: 403
 * - `not-found`: 404 (INTERFACE 7.5)
 * - `rate-limited`: 429
 * - `unavailable`: 5xx
 * - `redirect`: any 3xx, which is not followed
 * - `unexpected-status`: any other status, which the interface does not document
 * - `unreadable`: a 2xx response whose body is incomplete, malformed or of another shape, or a
 *   response whose headers are too large
 * - `other-item`: a 2xx response that names an item that was not requested
 * - `too-large`: a response over the size or nesting limit
 * - `unreachable`: no connection, or one that broke before a response
 * - `tls`: no secure connection, because of a certificate or the TLS version
 * - `timeout`: no byte within the idle time, or no complete response before the deadline
 * - `credentials`: no API key or token, or ObtainToken rejected the key
 * - `invalid-request`: an argument that must not be sent, for example the identifier `..`
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
  /** supplyline aborted the call. */
  | "cancelled"
  | "invalid-request";

/**
 * The origin of each kind: the status or the body of a response, a connection without a response, a
 * service that does not answer, or the caller.
 */
export const errorOrigins: Readonly<
  Record<ServiceErrorKind, "status" | "body" | "connection" | "silence" | "caller" | "cancelled">
> = {
  rejected: "status",
  unauthorized: "status",
  forbidden: "status",
  "not-found": "status",
  "rate-limited": "status",
  unavailable: "status",
  redirect: "status",
  "unexpected-status": "status",
  unreadable: "body",
  "other-item": "body",
  "too-large": "body",
  unreachable: "connection",
  tls: "connection",
  timeout: "silence",
  credentials: "caller",
  "invalid-request": "caller",
  cancelled: "cancelled",
};

/** One problem that the service reports for one input (INTERFACE 7.2). */
export interface FieldError {
  /** Dot-delimited path to the input, with array indexes from 0, or null if it is unknown. */
  readonly attr: string | null;
  readonly code: string | null;
  /** The message of the service (untrusted). */
  readonly detail: string;
}

/**
 * The party that failed, if it was not the service itself:
 * - `proxy`: the proxy is unreachable, or responded to CONNECT with `status`
 * - `helper`: the credential helper `program` failed or did not respond in time
 * - `client-certificate`: the server requires a client certificate before it reads a request
 */
export type Culprit =
  | {
      readonly kind: "proxy";
      /** The origin of the proxy's URL, without user name and password. */
      readonly address: string;
      /** The status of its response to CONNECT. Absent if there was no response. */
      readonly status?: number;
      readonly login: ProxyLoginSource | null;
    }
  | { readonly kind: "helper"; readonly program: string }
  | { readonly kind: "client-certificate" };

export type ProxyLoginSource =
  | { readonly kind: "helper"; readonly program: string }
  | { readonly kind: "variable"; readonly name: string };

/** The facts about a failure, apart from its kind. An absent fact is unknown. */
export interface ServiceErrorFacts {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpStatus?: number | undefined;
  /** The machine-readable code of the service. Absent if the body has none. */
  readonly code?: string | undefined;
  /** The message of the service (untrusted). */
  readonly detail?: string | undefined;
  readonly errors?: readonly FieldError[] | undefined;
  /** The identifier of the supply point that already exists (INTERFACE 4.6, untrusted). */
  readonly supplyPointIdentifier?: string | undefined;
  /** The raw body as text (untrusted), possibly cut to a maximum length. */
  readonly body?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** False if the headers were not sent, so that the service cannot have received the request. */
  readonly sent?: boolean | undefined;
  /** Node's or undici's code, for example ECONNREFUSED or CERT_HAS_EXPIRED. */
  readonly systemCode?: string | undefined;
  /** The party that failed. Absent if it is the service or unknown. */
  readonly culprit?: Culprit | undefined;
}

/**
 * The only error that `src/api` throws. `message` is a short technical sentence without secrets.
 * `errors/error-words.ts` converts it to a message for users.
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
 * Statuses in the range 400–499 that do not prove that the service rejected the request. A server
 * or gateway stopped waiting (408, 444, 460, 499) or did not want to risk a replay (425).
 */
export const unprovenStatuses: readonly number[] = [408, 425, 444, 460, 499];

/**
 * Statuses of a request that was rejected because of another request. The other request can be an
 * earlier attempt of the same write.
 */
export const conflictStatuses: readonly number[] = [409, 423];

export function isServiceError(value: unknown, kind?: ServiceErrorKind): value is ServiceError {
  return value instanceof ServiceError && (kind === undefined || value.kind === kind);
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Maximum length of a code. Codes are stored in the journal and shown in one line. */
const maxCodeLength = 200;

export function boundedCode(code: string): string {
  return code.length > maxCodeLength ? `${code.slice(0, maxCodeLength)}\u2026` : code;
}
