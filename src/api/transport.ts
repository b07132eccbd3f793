/** Reads endpoints with a token, retries and a time limit. The calls of every resource use it. */
import type * as z from "zod/mini";
import { inNeutralWords } from "./brand.ts";
import type { Clock } from "./clock.ts";
import { type Deadline, withDeadline } from "./deadline.ts";
import { errorOf } from "./error-body.ts";
import { isServiceError, ServiceError } from "./errors.ts";
import type { HttpAnswer } from "./http.ts";
import type { RateLimit } from "./rate-limit.ts";
import { parseJson, readErrorText, readText } from "./read-body.ts";
import { withRetries } from "./retry.ts";
import type { Answer, CallOptions, PostAnswer } from "./service.ts";
import type { Authorisation } from "./token.ts";
import { apiUrl, pathUrl } from "./url.ts";

/** The dependencies that the calls of every resource share. */
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

/** One endpoint to read: its path, and the identifiers after it. */
export interface Read {
  readonly path: string;
  readonly identifiers: readonly string[];
  readonly timeoutMs: number;
}

/** Maximum size of a raw response in bytes. */
const rawLimit = 64 * 1024 * 1024;

/** Reads an endpoint without interpreting it. See {@link Service.read}. */
export async function readRaw(
  transport: Transport,
  path: string,
  options: CallOptions,
): Promise<PostAnswer> {
  const read = { url: pathUrl(transport.baseUrl, path), timeoutMs: listTimeoutMs };
  return get(transport, read, options, async (answer) => ({
    httpStatus: answer.status,
    body: transport.authorisation.hide(await readText(answer, rawLimit)),
  }));
}

const defaultRetries = 3;

/**
 * GETs an endpoint and passes the successful response to `take`. Repeats the request if that is
 * safe, also if `take` finds that the response was cut short.
 */
export async function get<T>(
  transport: Transport,
  read: Read | { readonly url: string; readonly timeoutMs: number },
  options: CallOptions,
  take: (answer: HttpAnswer) => Promise<T>,
): Promise<T> {
  const { clock, closed, authorisation } = transport;
  const url = "url" in read ? read.url : apiUrl(transport.baseUrl, read.path, read.identifiers);
  const timeoutMs = options.timeoutMs ?? read.timeoutMs;
  const attempt = async ({ signal, left }: Deadline) => {
    const answer = await authorisation.send({
      method: "GET",
      url,
      acceptsGzip: transport.acceptsGzip,
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
  return withDeadline({ clock, closed, signal: options.signal, timeoutMs }, (deadline) => {
    const { retries = defaultRetries, rateLimitWaitMs, onRateLimitWait } = options;
    const { rateLimit } = transport;
    const limits = { clock, deadline, retries, rateLimitWaitMs, onRateLimitWait, rateLimit };
    return withRetries(limits, () => attempt(deadline));
  });
}

export const statusTimeoutMs = 30_000;
export const listTimeoutMs = 600_000;

/**
 * GETs an object of INTERFACE 2. Fields that its schema does not have are only in the raw text.
 * `what` names the object in errors.
 */
export function getStatus<T>(
  transport: Transport,
  read: Read,
  options: CallOptions,
  what: string,
  schema: z.ZodMiniType<T>,
): Promise<Answer<T>> {
  return get(transport, read, options, async (answer) => {
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
