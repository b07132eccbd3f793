/** Why there was no connection, by the code that Node or undici gave. */
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
  ["HPE_INVALID", "what answers there does not speak HTTP"],
]);

/** Why a certificate was not trusted, by Node's code. */
const CERTIFICATE: ReadonlyMap<string, string> = new Map([
  ["CERT_HAS_EXPIRED", "its certificate has expired"],
  ["CERT_NOT_YET_VALID", "its certificate is not valid yet (is this machine's clock right?)"],
  ["CERT_REVOKED", "its certificate was revoked"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another host name"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "its certificate is signed by itself alone"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "its certificate comes from an authority unknown here"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "its certificate comes from an authority unknown here"],
  ["UNABLE_TO_GET_ISSUER_CERT", "its certificate comes from an authority unknown here"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "its certificate comes from an authority unknown here"],
]);

/** A reason in words for a failed connection, or null for a code without one. */
export function unreachableWords(systemCode: string | undefined): string | null {
  return UNREACHABLE.get(systemCode ?? "") ?? null;
}

/** A reason in words for a certificate that was not trusted, or null for a code without one. */
export function certificateWords(systemCode: string | undefined): string | null {
  return CERTIFICATE.get(systemCode ?? "") ?? null;
}
