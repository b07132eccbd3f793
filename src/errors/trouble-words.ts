/** Describes the current problem of the service for the pause message of a bulk run. */
import type { Culprit, ServiceError } from "../api/errors.ts";
import { unreachableWords } from "../text/connection-words.ts";

/** Describes a problem of the service as the end of a sentence, without untrusted text. */
export function troubleWords({ kind, facts }: ServiceError): string {
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
    default:
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
