/**
 * Creates the calls that read accounts, lists and supply points. Each call has a token, retries and
 * a time limit.
 */
import type * as z from "zod/mini";
import { isRecord } from "../json/exact.ts";
import { withServiceNames } from "./brand.ts";
import type { Clock } from "./clock.ts";
import { type Deadline, withDeadline } from "./deadline.ts";
import { errorOf } from "./error-body.ts";
import { isServiceError, ServiceError } from "./errors.ts";
import type { HttpResponse } from "./http.ts";
import type { RateLimit } from "./rate-limit.ts";
import { parseJson, readErrorText, readExactText, readText } from "./read-body.ts";
import { logAnswerBody } from "./request-log.ts";
import { accountStatus, supplyPointProcess } from "./response-schemas.ts";
import { withRetries } from "./retry.ts";
import type { CallOptions, RawResponse, ReadResult, Service } from "./service.ts";
import type { Authorization } from "./token.ts";
import { apiUrl, pathUrl, readPaths } from "./url.ts";

export interface Transport {
  readonly baseUrl: string;
  readonly brand: string;
  readonly clock: Clock;
  readonly authorization: Authorization;
  readonly closed: AbortSignal;
  readonly rateLimit: RateLimit;
  /** True if the responses to reads may be compressed with gzip. */
  readonly acceptsGzip: boolean;
}

const statusTimeoutMs = 30_000;
const listTimeoutMs = 600_000;

/** Creates the calls about accounts (INTERFACE 4.8–4.11). */
function accountCalls(transport: Transport): Service["accounts"] {
  const { baseUrl, brand, clock } = transport;
  return {
    async status(supplier, account, options = {}) {
      const url = apiUrl(baseUrl, readPaths.accountStatus(supplier, account));
      return getStatus(transport, url, options, "an account status", accountStatus);
    },
    async list(supplier, state, options = {}) {
      const url = apiUrl(baseUrl, readPaths.list(state, supplier));
      const response = await get(transport, url, listTimeoutMs, options, async (begun) => begun);
      const { chunks, header, wireBytes, facts } = response;
      const { hide } = transport.authorization;
      return { chunks, header, wireBytes, facts, brand, clock, hide };
    },
  };
}

/** Creates the calls about supply points (INTERFACE 4.7). */
function supplyPointCalls(transport: Transport): Service["supplyPoints"] {
  return {
    async status(supplier, identifier, options = {}) {
      const path = readPaths.supplyPointStatus(supplier, identifier);
      const url = apiUrl(transport.baseUrl, path);
      const name = "a supply point import process";
      return getStatus(transport, url, options, name, supplyPointProcess);
    },
  };
}

/** Creates the calls of every documented read. */
export function readCalls(transport: Transport): Pick<Service, "accounts" | "supplyPoints"> {
  return { accounts: accountCalls(transport), supplyPoints: supplyPointCalls(transport) };
}

const maxRawBytes = 64 * 1024 * 1024;

export async function readRaw(
  transport: Transport,
  path: string,
  options: CallOptions,
): Promise<RawResponse> {
  const url = pathUrl(transport.baseUrl, path);
  return get(transport, url, listTimeoutMs, options, async (response) => {
    const body = transport.authorization.hide(await readText(response, maxRawBytes));
    logAnswerBody(url, body);
    return { httpStatus: response.status, body };
  });
}

/**
 * Requests an object of INTERFACE 2. Fields that its schema does not have are only in the raw text.
 * `name` is the name of the object in errors.
 */
function getStatus<T>(
  transport: Transport,
  url: string,
  options: CallOptions,
  name: string,
  schema: z.ZodMiniType<T>,
): Promise<ReadResult<T>> {
  return get(transport, url, statusTimeoutMs, options, async (response) => {
    const raw = transport.authorization.hide(await readExactText(response));
    logAnswerBody(url, raw);
    const parsed = schema.safeParse(withServiceNames(parseJson(raw, response), transport.brand));
    if (!parsed.success || !isWellFormed(parsed.data)) {
      const facts = { ...response.facts, body: raw };
      throw new ServiceError("unreadable", `The response is not ${name}.`, facts);
    }
    const { data: value } = parsed;
    return { value, raw, httpStatus: response.status, receivedAt: transport.clock.now() };
  });
}

/** Returns false if a text in a value has half a surrogate pair, which no output can write. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  return !isRecord(value) || Object.values(value).every(isWellFormed);
}

const defaultRetries = 3;

/**
 * Sends a GET request and passes the successful response to `take`. Repeats the request if that is
 * safe, also if `take` throws because the response was cut short.
 */
async function get<T>(
  { clock, closed, authorization, acceptsGzip, rateLimit }: Transport,
  url: string,
  defaultTimeoutMs: number,
  options: CallOptions,
  take: (response: HttpResponse) => Promise<T>,
): Promise<T> {
  const { signal: canceled, timeoutMs = defaultTimeoutMs } = options;
  const attempt = async ({ signal, left }: Deadline) => {
    const response = await authorization.send({
      method: "GET",
      url,
      acceptsGzip,
      signal,
      timeoutMs: Math.max(1, left()),
    });
    if (response.status !== 200) {
      const text = await readErrorText(response);
      logAnswerBody(url, authorization.hide(text));
      throw errorOf(response, text, authorization.hide);
    }
    try {
      return await take(response);
    } catch (error) {
      if (!isServiceError(error) || error.facts.body === undefined) throw error;
      const body = authorization.hide(error.facts.body);
      throw new ServiceError(error.kind, error.message, { ...error.facts, body });
    }
  };
  return withDeadline({ clock, closed, signal: canceled, timeoutMs }, (deadline) => {
    const { retries = defaultRetries, rateLimitWaitMs, onRateLimitWait } = options;
    const limits = { clock, deadline, retries, rateLimitWaitMs, onRateLimitWait, rateLimit };
    return withRetries(limits, () => attempt(deadline));
  });
}
