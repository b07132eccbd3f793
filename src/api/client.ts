/** Creates the client of the service, which makes all calls of the program. */
import { systemClock } from "./clock.ts";
import { withDeadline, withFixedDeadline } from "./deadline.ts";
import { errorOf } from "./error-body.ts";
import { isServiceError, ServiceError } from "./errors.ts";
import { createHttp } from "./http.ts";
import { createRateLimit } from "./rate-limit.ts";
import { readErrorText, readText } from "./read-body.ts";
import { readCalls, readRaw, type Transport } from "./read-calls.ts";
import { logAnswerBody, logRequestBody } from "./request-log.ts";
import { withRetries } from "./retry.ts";
import type { PostOptions, PostRequest, RawResponse, Service, ServiceOptions } from "./service.ts";
import { createAuthorization } from "./token.ts";
import { normalizeBaseUrl } from "./url.ts";

const defaultIdleTimeoutMs = 30_000;
const tokenTimeoutMs = 30_000;
/** The local clock is trusted if it differs from the service's clock by at most this time. */
const maxApartMs = 3_600_000;

/**
 * Creates the client of a base URL. Sends nothing before the first call. Throws `invalid-request`
 * if the address is not https or loopback.
 */
export function createService(options: ServiceOptions): Service {
  const clock = options.clock ?? systemClock;
  const baseUrl = normalizeBaseUrl(options.baseUrl);
  /** The service's last Date header and its arrival time, both in epoch milliseconds. */
  let dated: { readonly service: number; readonly receivedAt: number } | null = null;
  const rateLimit = createRateLimit(clock, options.onRateLimited);
  const http = createHttp({
    rateLimit,
    onDate: (service, receivedAt) => {
      dated = { service, receivedAt };
    },
    clock,
    proxy: options.proxy,
    proxyLogin: options.proxyLogin,
    ca: options.ca,
    idleTimeoutMs: options.idleTimeoutMs ?? defaultIdleTimeoutMs,
    userAgent: options.userAgent ?? "supplyline",
  });
  const authorization = createAuthorization({
    http,
    credentials: options.credentials,
    credentialHelper: options.credentialHelper,
    graphqlUrl: options.graphqlUrl
      ? normalizeBaseUrl(options.graphqlUrl) + (options.graphqlUrl.endsWith("/") ? "/" : "")
      : `${baseUrl}/v1/graphql/`,
    mutation: options.mutation,
    tokenPath: options.tokenPath,
    authForm: options.authForm ?? "auto",
    knownForm: options.knownForm ?? null,
    now: () => clock.now(),
    timeoutMs: tokenTimeoutMs,
  });
  const transport: Transport = {
    baseUrl,
    brand: options.brand ?? "service",
    clock,
    authorization,
    closed: http.closed,
    rateLimit,
    acceptsGzip: options.acceptsGzip ?? true,
  };
  return {
    baseUrl,
    ...readCalls(transport),
    read: (path, options = {}) => readRaw(transport, path, options),
    post: (request, options) => post(transport, request, options),
    authenticate: ({
      fresh = false,
      signal,
      timeoutMs = tokenTimeoutMs,
      retries = 3,
      rateLimitWaitMs,
    } = {}) =>
      withDeadline({ clock, closed: http.closed, signal, timeoutMs }, (deadline) => {
        return withRetries({ clock, deadline, retries, rateLimitWaitMs, rateLimit }, () =>
          authorization.authenticate({ fresh, signal: deadline.signal }),
        );
      }),
    rateLimit,
    renewConnections: () => http.renew(),
    reach: ({ signal, timeoutMs = tokenTimeoutMs } = {}) =>
      withFixedDeadline(
        { clock, closed: http.closed, signal, timeoutMs },
        async (deadlineSignal) => {
          const url = `${baseUrl}/`;
          const response = await http.send({
            method: "GET",
            url,
            signal: deadlineSignal,
            timeoutMs,
          });
          // Only the headers are needed, so an unreadable body is no failure.
          await response.chunks.next().catch(() => {});
          await response.chunks.return();
        },
      ),
    clockAheadMs: () => (dated === null ? null : dated.receivedAt - dated.service),
    trustedNow: () => {
      const now = clock.now();
      return dated !== null && Math.abs(now - dated.service) <= maxApartMs ? now : null;
    },
    wrongByMs: () => {
      const ahead = dated === null ? 0 : dated.receivedAt - dated.service;
      return Math.abs(ahead) > maxApartMs ? ahead : 0;
    },
    close: () => http.close(),
  };
}

/** Maximum size of the response to a write. The response can contain the request. */
const maxPostResponseBytes = 32 * 1024 * 1024;

async function post(
  transport: Transport,
  request: PostRequest,
  options: PostOptions,
): Promise<RawResponse> {
  const query = new URLSearchParams(request.query).toString();
  const { authorization, clock, closed } = transport;
  const { signal, timeoutMs, mayLeave, onHeadersSent } = options;
  const url = `${transport.baseUrl}${request.path}${query === "" ? "" : `?${query}`}`;
  const send = async (deadlineSignal: AbortSignal): Promise<RawResponse> => {
    logRequestBody(url, request.body);
    const response = await authorization.send({
      method: "POST",
      url,
      headers: { "content-type": "application/json" },
      body: request.body,
      freshConnection: request.freshConnection,
      signal: deadlineSignal,
      timeoutMs,
      mayLeave,
      onSent: onHeadersSent,
    });
    if (response.status >= 200 && response.status < 300) {
      // The journal stores the body, which must not contain a token.
      const body = authorization.hide(await readText(response, maxPostResponseBytes));
      logAnswerBody(url, body);
      return { httpStatus: response.status, body };
    }
    const text = await readErrorText(response);
    logAnswerBody(url, authorization.hide(text));
    throw errorOf(response, text, authorization.hide);
  };
  try {
    // The time limit includes the wait for a token.
    return await withFixedDeadline({ clock, closed, signal, timeoutMs }, send);
  } catch (error) {
    // An error of the token call is not about this request, so `sent` is false.
    if (!isServiceError(error) || error.facts.url === url) throw error;
    throw new ServiceError(error.kind, error.message, { ...error.facts, sent: false });
  }
}
