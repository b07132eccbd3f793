/** Converts errors of connections and proxies to ServiceErrors. */
import {
  type Culprit,
  isServiceError,
  ServiceError,
  type ServiceErrorFacts,
  type ServiceErrorKind,
} from "./errors.ts";

const certificateRequired = "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED";

/** The error code of undici for a whole response whose length differs from its headers. */
const contradictingLength = "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";

/**
 * Converts an error of a connection to a ServiceError with these facts. Only the code of the error
 * is used, because its message can contain secrets. The facts are added to a ServiceError.
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

export function proxyRefusal(status: number, proxy: Culprit & { kind: "proxy" }): ServiceError {
  return new ServiceError("unreachable", `The proxy refused the connection (${status}).`, {
    culprit: { ...proxy, status },
  });
}

export function isProxyLoginRejected({ facts }: ServiceError): boolean {
  return facts.culprit?.kind === "proxy" && facts.culprit.status === 407;
}

function meaningOf(code: string | null): { kind: ServiceErrorKind; message: string } {
  if (code !== null && /HEADERS?_OVERFLOW/.test(code)) {
    return { kind: "unreadable", message: `The response headers are too large (${code}).` };
  }
  if (code === contradictingLength) {
    return {
      kind: "unreadable",
      message: `The server sent a response that contradicts its own Content-Length (${code}).`,
    };
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
  for (let error: unknown = thrown, depth = 0; error instanceof Error && depth < 5; depth++) {
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code === "string" && code !== "UND_ERR_SOCKET") return code;
    // undici has no error code for a response that is not HTTP.
    if (error.name === "HTTPParserError") return "HPE_INVALID";
    if (error instanceof AggregateError && error.errors[0] instanceof Error)
      error = error.errors[0];
    else if (error.cause instanceof Error) error = error.cause;
    else return typeof code === "string" ? code : null;
  }
  return null;
}

function isTlsCode(code: string): boolean {
  return (
    /CERT|SIGNED|^ERR_TLS|^ERR_SSL|^EPROTO$|^UNABLE_TO_/.test(code) && !code.startsWith("UND_ERR")
  );
}
