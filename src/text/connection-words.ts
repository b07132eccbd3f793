/** Describes failed connections: the reason, the responsible party, and the remedy. */
import type { Culprit, ProxyLoginSource, ServiceError } from "../api/errors.ts";
import { quoted } from "./service-words.ts";

const UNREACHABLE: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "nothing accepts connections there"],
  ["ENOTFOUND", "its name cannot be resolved"],
  ["EAI_AGAIN", "name resolution does not answer"],
  ["EHOSTUNREACH", "there is no route to it"],
  ["ENETUNREACH", "this machine has no network that leads there"],
  ["ENETDOWN", "the network of this machine is down"],
  ["ETIMEDOUT", "the connection was not answered in time"],
  ["UND_ERR_CONNECT_TIMEOUT", "the connection was not answered in time"],
  ["ECONNRESET", "the connection was broken off"],
  ["EPIPE", "the connection was broken off"],
  ["ECONNABORTED", "the connection was broken off"],
  ["UND_ERR_SOCKET", "the connection was broken off"],
  ["HPE_INVALID", "the server there does not speak HTTP"],
]);

interface TlsWords {
  readonly reason: string;
  /** The remedy, or null if a private certificate authority is the likely reason. */
  readonly remedy: string | null;
}

const unknownAuthority = "its certificate comes from an authority that is unknown here";
const otherVersion: TlsWords = {
  reason: "it offers no TLS version that supplyline accepts (1.2 or later)",
  remedy: "Ask its operator to enable TLS 1.2 or later.",
};
const noTls: TlsWords = {
  reason: "the server there does not speak TLS",
  remedy: "Check the port and the scheme of the base URL.",
};
const otherProtocol: TlsWords = {
  reason: "it accepts no connection for HTTP/1.1",
  remedy: "Ask its operator to allow HTTP/1.1, for example beside HTTP/2.",
};
const certificateWanted: TlsWords = {
  reason: "it asks for a client certificate",
  remedy:
    "supplyline cannot present a client certificate: ask the platform operator for an address that needs none.",
};

const TLS: ReadonlyMap<string, TlsWords> = new Map([
  [
    "CERT_HAS_EXPIRED",
    {
      reason: "its certificate has expired",
      remedy:
        "Check this machine's clock; if it is right, the operator has to renew the certificate.",
    },
  ],
  [
    "CERT_NOT_YET_VALID",
    {
      reason: "its certificate is not valid yet",
      remedy:
        "Check this machine's clock; if it is right, the operator has to replace the certificate.",
    },
  ],
  [
    "CERT_REVOKED",
    {
      reason: "its certificate was revoked",
      remedy: "The operator has to replace the certificate.",
    },
  ],
  [
    "ERR_TLS_CERT_ALTNAME_INVALID",
    {
      reason: "its certificate is for another host name",
      remedy:
        "Use the host name of the certificate in the base URL, or ask the operator for a certificate with this name.",
    },
  ],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", { reason: "its certificate is self-signed", remedy: null }],
  ["SELF_SIGNED_CERT_IN_CHAIN", { reason: unknownAuthority, remedy: null }],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", { reason: unknownAuthority, remedy: null }],
  ["UNABLE_TO_GET_ISSUER_CERT", { reason: unknownAuthority, remedy: null }],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", { reason: unknownAuthority, remedy: null }],
  ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", otherVersion],
  ["ERR_SSL_UNSUPPORTED_PROTOCOL", otherVersion],
  ["ERR_SSL_VERSION_TOO_LOW", otherVersion],
  ["ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL", otherProtocol],
  ["ERR_SSL_WRONG_VERSION_NUMBER", noTls],
  ["ERR_SSL_PACKET_LENGTH_TOO_LONG", noTls],
  ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", certificateWanted],
  [
    "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE",
    {
      reason:
        "it accepts none of the TLS versions and ciphers of this machine, or asks for a client certificate",
      remedy: "Ask its operator which of these it is.",
    },
  ],
]);

const privateAuthorityRemedy =
  "If the service has a private certificate authority, name its file in NODE_EXTRA_CA_CERTS or in the profile: `supplyline profiles edit NAME --ca-file FILE`.";

interface ConnectionProblem {
  readonly sentence: string;
  readonly why: string;
  readonly remedy: string;
}

export function unreachableWords(systemCode: string | undefined): string | null {
  return UNREACHABLE.get(systemCode ?? "") ?? null;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function unreachableReason(error: ServiceError): string {
  return reasonWithCode(unreachableWords(error.facts.systemCode), error);
}

export function tlsProblem(error: ServiceError, at: string): ConnectionProblem {
  const known = TLS.get(error.facts.systemCode ?? "");
  return {
    sentence: `there is no secure connection to ${at}, so nothing was sent`,
    why: reasonWithCode(known?.reason ?? null, error),
    remedy: known?.remedy ?? privateAuthorityRemedy,
  };
}

export function culpritProblem(
  error: ServiceError,
  culprit: Culprit,
  at: string,
): ConnectionProblem {
  switch (culprit.kind) {
    case "proxy":
      return proxyProblem(error, culprit, at);
    case "helper": {
      const program = quoted(culprit.program);
      const why =
        error.kind === "timeout"
          ? `The credential helper ${program} did not respond in time; nothing was sent to ${at}`
          : capital(quoted(error.message));
      return {
        sentence: "there are no credentials to use",
        why,
        remedy: `Run ${program} by hand to see what it waits for or reports.`,
      };
    }
    case "client-certificate":
      return {
        sentence: `${at} asks for a client certificate${error.facts.httpStatus === undefined ? "" : ` (${error.facts.httpStatus}); it did not check the request`}`,
        why: capital(quoted(error.message)),
        remedy: certificateWanted.remedy ?? "",
      };
  }
}

function proxyProblem(
  error: ServiceError,
  { address, status, login }: Culprit & { kind: "proxy" },
  at: string,
): ConnectionProblem {
  const proxy = `the proxy ${quoted(address)}`;
  if (status === 407) {
    return {
      sentence:
        login !== null
          ? `${proxy} did not accept the user name and password`
          : `${proxy} asks for a user name and password`,
      why: `${capital(proxy)} answered 407${login !== null ? "; they were tried once, because repeated wrong passwords can lock the account" : ""}`,
      remedy: proxyLoginRemedy(login),
    };
  }
  if (status !== undefined) {
    const failed = status >= 500;
    return {
      sentence: failed
        ? `${proxy} could not connect to ${at}`
        : `${proxy} refused to connect to ${at}`,
      why: `It answered ${status}`,
      remedy: failed
        ? "Try again; if it persists, check the base URL and ask the operator of the proxy."
        : "Ask the operator of the proxy to allow this host, or name the host in NO_PROXY.",
    };
  }
  if (error.kind === "tls") return tlsProblem(error, proxy);
  return {
    sentence:
      error.kind === "timeout"
        ? `${proxy} did not answer in time`
        : `${proxy} could not be reached`,
    why: unreachableReason(error),
    remedy:
      "Check the proxy address (in the profile or HTTPS_PROXY) and the network. The request did not reach the service.",
  };
}

function proxyLoginRemedy(login: ProxyLoginSource | null): string {
  switch (login?.kind) {
    case "helper":
      return `Correct the user name and password that the credential helper ${quoted(login.program)} gives.`;
    case "variable":
      return `Correct the user name and password in ${quoted(login.name)}.`;
    case undefined:
      return "Name a credential helper for the proxy in the profile: `supplyline profiles edit NAME --proxy-credential-helper CMD`.";
  }
}

function reasonWithCode(words: string | null, error: ServiceError): string {
  const { systemCode } = error.facts;
  return words === null
    ? capital(quoted(error.message))
    : `${capital(words)} (${quoted(systemCode ?? "")})`;
}
