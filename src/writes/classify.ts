import { isProxyLoginRefused } from "../api/connection-error.ts";
import type { ServiceError } from "../api/errors.ts";
import type { Situation } from "./retry-table.ts";

/** Faults of this side that another try a moment later would only meet again. */
const lasting: readonly string[] = ["credentials", "tls", "invalid-request", "cancelled"];

/** What a status that is no success comes to; null for 2xx, whose body decides. */
export function situationOfStatus(httpStatus: number): Situation | null {
  switch (httpStatus) {
    case 400:
      return "400";
    case 401:
      return "401";
    case 403:
      return "403";
    case 404:
      return "404";
    case 429:
      return "429";
    case 500:
      return "500";
    // A gateway that stopped waiting says nothing about the request's outcome.
    case 408:
    case 425:
    case 499:
      return "no-answer";
    default:
  }
  if (httpStatus >= 200 && httpStatus < 300) return null;
  if (httpStatus >= 300 && httpStatus < 400) return "3xx";
  if (httpStatus >= 400 && httpStatus < 500) return "4xx";
  return httpStatus >= 500 ? "5xx" : "no-answer";
}

/**
 * What a failed call comes to. The status decides where there was one; without one, only a request
 * that certainly cannot have reached the service counts as never sent.
 */
export function situationOf({ facts }: ServiceError): Situation {
  if (facts.sent === false) return "never-sent";
  if (facts.httpStatus === undefined) return "no-answer";
  // A success that could not be read, or an answer that broke off, proves nothing.
  return situationOfStatus(facts.httpStatus) ?? "no-answer";
}

/** Whether trying again in a moment can help a request that was never sent. */
export function mayPass(error: ServiceError): boolean {
  return !lasting.includes(error.kind) && !isProxyLoginRefused(error);
}
