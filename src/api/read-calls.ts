/**
 * Creates the calls that read accounts, lists and supply points, with a token, retries and a time
 * limit.
 */
import type * as z from "zod/mini";
import { accountStatus, supplyPointProcess } from "./answers.ts";
import { inNeutralWords } from "./brand.ts";
import type { Clock } from "./clock.ts";
import { type Deadline, withDeadline } from "./deadline.ts";
import { errorOf } from "./error-body.ts";
import { isServiceError, ServiceError } from "./errors.ts";
import type { HttpAnswer } from "./http.ts";
import type { RateLimit } from "./rate-limit.ts";
import { parseJson, readErrorText, readText } from "./read-body.ts";
import { withRetries } from "./retry.ts";
import type { Answer, CallOptions, ListState, PostAnswer, Service } from "./service.ts";
import type { Authorisation } from "./token.ts";
import { apiUrl, pathUrl } from "./url.ts";

/** The dependencies that all calls share. */
export interface Transport {
  readonly baseUrl: string;
  readonly brand: string;
  readonly clock: Clock;
  readonly authorisation: Authorisation;
  /** Aborted when the service is closed. */
  readonly closed: AbortSignal;
  readonly rateLimit: RateLimit;
  /** True if the responses to reads may be compressed. */
  readonly acceptsGzip: boolean;
}

const statusTimeoutMs = 30_000;
const listTimeoutMs = 600_000;

/** The path of an account's status below the base URL, without the identifiers (INTERFACE 4.8). */
export const accountStatusPath = "v1/data-import/account-transfer-status";

/** Returns the path of a list (INTERFACE 4.9–4.11). */
export function listPath(state: ListState): string {
  return `v1/data-import/${state}-account-import-processes`;
}

/** Creates the calls about accounts (INTERFACE 4.8–4.11). */
export function accountCalls(transport: Transport): Service["accounts"] {
  const { baseUrl, brand, clock } = transport;
  return {
    async status(supplier, account, options = {}) {
      const url = apiUrl(baseUrl, accountStatusPath, [supplier, account]);
      return getStatus(transport, url, options, "an account status", accountStatus);
    },
    async list(supplier, state, options = {}) {
      const url = apiUrl(baseUrl, listPath(state), [supplier]);
      const begun = await get(transport, url, listTimeoutMs, options, async (answer) => answer);
      const { chunks, header, wireBytes, facts } = begun;
      return { chunks, header, wireBytes, facts, brand, clock };
    },
  };
}

/**
 * The path of a supply point's process below the base URL, without the identifiers (INTERFACE 4.7).
 */
export const supplyPointStatusPath = "v2/data-import/supply-points";

/** Creates the calls about supply points (INTERFACE 4.7). */
export function supplyPointCalls(transport: Transport): Service["supplyPoints"] {
  return {
    async status(supplier, identifier, options = {}) {
      const url = apiUrl(transport.baseUrl, supplyPointStatusPath, [supplier, identifier]);
      const what = "a supply point import process";
      return getStatus(transport, url, options, what, supplyPointProcess);
    },
  };
}

/** Maximum size of a raw response in bytes. */
const rawLimit = 64 * 1024 * 1024;

/** Reads an endpoint without interpreting it. See {@link Service.read}. */
export async function readRaw(
  transport: Transport,
  path: string,
  options: CallOptions,
): Promise<PostAnswer> {
  const url = pathUrl(transport.baseUrl, path);
  return get(transport, url, listTimeoutMs, options, async (answer) => ({
    httpStatus: answer.status,
    body: transport.authorisation.hide(await readText(answer, rawLimit)),
  }));
}

/**
 * GETs an object of INTERFACE 2. Fields that its schema does not have are only in the raw text.
 * `what` names the object in errors.
 */
function getStatus<T>(
  transport: Transport,
  url: string,
  options: CallOptions,
  what: string,
  schema: z.ZodMiniType<T>,
): Promise<Answer<T>> {
  return get(transport, url, statusTimeoutMs, options, async (answer) => {
    const raw = transport.authorisation.hide(await readText(answer));
    const parsed = schema.safeParse(inNeutralWords(parseJson(raw, answer), transport.brand));
    if (!parsed.success) {
      const facts = { ...answer.facts, body: raw };
      throw new ServiceError("unreadable", `The response is not ${what}.`, facts);
    }
    const { data: value } = parsed;
    return { value, raw, httpStatus: answer.status, receivedAt: transport.clock.now() };
  });
}

const defaultRetries = 3;

/**
 * GETs an endpoint and passes the successful response to `take`. Repeats the request if that is
 * safe, also if `take` finds that the response was cut short.
 */
async function get<T>(
  { clock, closed, authorisation, acceptsGzip, rateLimit }: Transport,
  url: string,
  defaultTimeoutMs: number,
  options: CallOptions,
  take: (answer: HttpAnswer) => Promise<T>,
): Promise<T> {
  const { signal: canceled, timeoutMs = defaultTimeoutMs } = options;
  const attempt = async ({ signal, left }: Deadline) => {
    const answer = await authorisation.send({
      method: "GET",
      url,
      acceptsGzip,
      signal,
      timeoutMs: Math.max(1, left()),
    });
    if (answer.status !== 200) {
      throw errorOf(answer, await readErrorText(answer), authorisation.hide);
    }
    try {
      return await take(answer);
    } catch (error) {
      if (!isServiceError(error) || error.facts.body === undefined) throw error;
      const body = authorisation.hide(error.facts.body);
      throw new ServiceError(error.kind, error.message, { ...error.facts, body });
    }
  };
  return withDeadline({ clock, closed, signal: canceled, timeoutMs }, (deadline) => {
    const { retries = defaultRetries, rateLimitWaitMs, onRateLimitWait } = options;
    const limits = { clock, deadline, retries, rateLimitWaitMs, onRateLimitWait, rateLimit };
    return withRetries(limits, () => attempt(deadline));
  });
}
