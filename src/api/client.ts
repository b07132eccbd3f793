import { accountCalls } from "./accounts.ts";
import { systemClock } from "./clock.ts";
import { withDeadline, withWholeDeadline } from "./deadline.ts";
import { createHttp } from "./http.ts";
import { post } from "./post.ts";
import { createRateLimit } from "./rate-limit.ts";
import { withRetries } from "./retry.ts";
import type { Service, ServiceOptions } from "./service.ts";
import { supplyPointCalls } from "./supply-points.ts";
import { createAuthorisation } from "./token.ts";
import { readRaw, type Transport } from "./transport.ts";
import { normaliseBaseUrl } from "./url.ts";

const defaultIdleTimeoutMs = 30_000;
const tokenTimeoutMs = 30_000;

/**
 * The service behind a base URL. Nothing is sent before the first call. Throws `invalid-request`
 * for an address no token may be sent to.
 */
export function createService(options: ServiceOptions): Service {
  const clock = options.clock ?? systemClock;
  const baseUrl = normaliseBaseUrl(options.baseUrl);
  let clockAheadMs: number | null = null;
  const http = createHttp({
    onDate: (service, receivedAt) => {
      clockAheadMs = receivedAt - service;
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
  const rateLimit = createRateLimit(clock, options.onRateLimited);
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
        // Its headers are all that is asked for; leaving the loop ends the answer.
        for await (const _ of answer.chunks) break;
      }),
    clockAheadMs: () => clockAheadMs,
    close: () => http.close(),
  };
}
