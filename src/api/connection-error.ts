/** Converts errors of connections and proxies to ServiceErrors. */
import {
  type Culprit,
  isServiceError,
  ServiceError,
  type ServiceErrorFacts,
  type ServiceErrorKind,
} from "./errors.ts";

/** OpenSSL's error code if the server requires a client certificate. */
const certificateRequired = "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED";

/**
 * Converts an error of the connection to a ServiceError. Only the code of the error is used. If the
 * error already is a ServiceError (of the proxy), the facts are added.
 */
export function connectionError(thrown: unknown, facts: ServiceErrorFacts): ServiceError {
  if (isServiceError(thrown)) {
    return new ServiceError(thrown.kind, thrown.message, { ...thrown.facts, ...facts });
  }
  const code = codeOf(thrown);
  const { kind, message } = meaningOf(code);
  return new ServiceError(kind, message, {
    ...facts,
    systemCode: code ?? undefined,
    ...(code === certificateRequired ? { culprit: { kind: "client-certificate" } } : {}),
  });
}

/** Returns the error for a proxy that responded to CONNECT without opening a tunnel. */
export function proxyRefusal(status: number, proxy: Culprit & { kind: "proxy" }): ServiceError {
  return new ServiceError("unreachable", `The proxy refused the connection (${status}).`, {
    culprit: { ...proxy, status },
  });
}

/** Returns true if the proxy refused the user name and password, or requires them. */
export function isProxyLoginRefused({ facts }: ServiceError): boolean {
  return facts.culprit?.kind === "proxy" && facts.culprit.status === 407;
}

function meaningOf(code: string | null): { kind: ServiceErrorKind; message: string } {
  if (code !== null && /HEADERS?_OVERFLOW/.test(code)) {
    return { kind: "unreadable", message: `The response headers are too large (${code}).` };
  }
  if (code !== null && /TIMEOUT|TIMEDOUT/.test(code)) {
    return { kind: "timeout", message: `No response arrived in time (${code}).` };
  }
  if (code !== null && isTlsCode(code)) {
    return { kind: "tls", message: `There is no secure connection (${code}).` };
  }
  return { kind: "unreachable", message: `No connection (${code ?? "unknown reason"}).` };
}

function codeOf(thrown: unknown): string | null {
  for (let at: unknown = thrown, depth = 0; at instanceof Error && depth < 5; depth++) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === "string" && code !== "UND_ERR_SOCKET") return code;
    // undici has no error code for a response that is not HTTP.
    if (at.name === "HTTPParserError") return "HPE_INVALID";
    if (at instanceof AggregateError && at.errors[0] instanceof Error) at = at.errors[0];
    else if (at.cause instanceof Error) at = at.cause;
    else return typeof code === "string" ? code : null;
  }
  return null;
}

function isTlsCode(code: string): boolean {
  return (
    /CERT|SIGNED|^ERR_TLS|^ERR_SSL|^EPROTO$|^UNABLE_TO_/.test(code) && !code.startsWith("UND_ERR")
  );
}
