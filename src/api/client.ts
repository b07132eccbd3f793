/** Creates the client of the platform's service, which makes all calls of the program. */
import { systemClock } from "./clock.ts";
import { withDeadline, withWholeDeadline } from "./deadline.ts";
import { errorOf } from "./error-body.ts";
import { isServiceError, ServiceError } from "./errors.ts";
import { createHttp } from "./http.ts";
import { createRateLimit } from "./rate-limit.ts";
import { readErrorText, readText } from "./read-body.ts";
import { accountCalls, readRaw, supplyPointCalls, type Transport } from "./read-calls.ts";
import { withRetries } from "./retry.ts";
import type { PostAnswer, PostOptions, PostRequest, Service, ServiceOptions } from "./service.ts";
import { createAuthorisation } from "./token.ts";
import { normaliseBaseUrl } from "./url.ts";

const defaultIdleTimeoutMs = 30_000;
const tokenTimeoutMs = 30_000;
/** Maximum difference between two clocks that counts as equal, in milliseconds. */
const maxApartMs = 3_600_000;

/**
 * Creates the client of a base URL. Sends nothing before the first call. Throws `invalid-request`
 * if a token may not be sent to the address.
 */
export function createService(options: ServiceOptions): Service {
  const clock = options.clock ?? systemClock;
  const baseUrl = normaliseBaseUrl(options.baseUrl);
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
  const authorisation = createAuthorisation({
    http,
    credentials: options.credentials,
    credentialHelper: options.credentialHelper,
    graphqlUrl: options.graphqlUrl
      ? normaliseBaseUrl(options.graphqlUrl) + (options.graphqlUrl.endsWith("/") ? "/" : "")
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
    authorisation,
    closed: http.closed,
    rateLimit,
    acceptsGzip: options.acceptsGzip ?? true,
  };
  return {
    baseUrl,
    accounts: accountCalls(transport),
    supplyPoints: supplyPointCalls(transport),
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
          authorisation.authenticate({ fresh, signal: deadline.signal }),
        );
      }),
    rateLimit,
    renewConnections: () => http.renew(),
    reach: ({ signal, timeoutMs = tokenTimeoutMs } = {}) =>
      withWholeDeadline({ clock, closed: http.closed, signal, timeoutMs }, async (whole) => {
        const url = `${baseUrl}/`;
        const answer = await http.send({ method: "GET", url, signal: whole, timeoutMs });
        // Only the headers are needed. A response with an unreadable body is a response, too.
        await answer.chunks.next().catch(() => {});
        await answer.chunks.return();
      }),
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

/** Maximum size of the response to a write, in bytes. The response can repeat the request. */
const answerLimit = 32 * 1024 * 1024;

/** Sends a write. See `Service.post`. */
async function post(
  transport: Transport,
  request: PostRequest,
  options: PostOptions,
): Promise<PostAnswer> {
  const query = new URLSearchParams(request.query).toString();
  const { authorisation, clock, closed } = transport;
  const { signal, timeoutMs, onHeadersSent } = options;
  const url = `${transport.baseUrl}${request.path}${query === "" ? "" : `?${query}`}`;
  const send = async (ending: AbortSignal): Promise<PostAnswer> => {
    const answer = await authorisation.send({
      method: "POST",
      url,
      headers: { "content-type": "application/json" },
      body: request.body,
      freshConnection: request.freshConnection,
      signal: ending,
      timeoutMs,
      onSent: onHeadersSent,
    });
    if (answer.status >= 200 && answer.status < 300) {
      // The journal stores the body, which must not contain a token.
      const body = authorisation.hide(await readText(answer, answerLimit));
      return { httpStatus: answer.status, body };
    }
    throw errorOf(answer, await readErrorText(answer), authorisation.hide);
  };
  try {
    // The time limit includes the wait for a token. A timeout during that wait is reported as such.
    return await withWholeDeadline({ clock, closed, signal, timeoutMs }, send);
  } catch (error) {
    // An error of the token call is not about this request, so `sent` is false.
    if (!isServiceError(error) || error.facts.url === url) throw error;
    throw new ServiceError(error.kind, error.message, { ...error.facts, sent: false });
  }
}
