import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Dispatcher } from "undici";
import type { Clock } from "./clock.ts";
import { connectionError } from "./connection-error.ts";
import type { ConnectionOptions } from "./connections.ts";
import { follow, untilAborted } from "./deadline.ts";
import { ServiceError, type ServiceErrorFacts } from "./errors.ts";
import { type RateLimit, retryAfter } from "./rate-limit.ts";
import { bodyError, receivedBody } from "./received-body.ts";
import type { Departure } from "./spacing.ts";

/** A request as it is sent. */
export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /**
   * True if the response may be compressed, as one gzip member. It is unpacked while it arrives.
   */
  readonly acceptsGzip?: boolean | undefined;
  /** True to avoid a connection that was idle; see `PostRequest`. */
  readonly freshConnection?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Total deadline in milliseconds, from the call to the last byte. */
  readonly timeoutMs: number;
  /** Called when the headers are sent: from then on the service might have seen the request. */
  readonly onSent?: () => void;
}

/** A response whose body is still arriving. Reading it throws only ServiceError. */
export interface HttpAnswer {
  readonly status: number;
  /**
   * Returns the value of a header, or null if it is absent. Repeated values are joined by commas.
   */
  header(name: string): string | null;
  readonly chunks: AsyncGenerator<Uint8Array, void, void>;
  /**
   * Returns the number of received bytes of the body. A compressed body has fewer than its chunks.
   */
  wireBytes(): number;
  /** Time at which the headers arrived, in epoch milliseconds. */
  readonly receivedAt: number;
  /** Facts about the request, for errors of the response. */
  readonly facts: ServiceErrorFacts;
}

/** The only way for bytes to leave the program. */
export interface Http {
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Uses new connections from now on. Calls in progress end on their connections. */
  renew(): void;
  /** Ends every connection and cancels calls in progress and later ones. */
  close(): Promise<void>;
  /** Aborted by `close`. */
  readonly closed: AbortSignal;
}

interface HttpOptions extends ConnectionOptions {
  readonly userAgent: string;
  readonly clock: Clock;
  /** Delays requests while the service requires a pause, and learns from each response. */
  readonly rateLimit: RateLimit;
  /** Called with the time of a response's Date header and the time of its arrival. */
  readonly onDate?: (service: number, receivedAt: number) => void;
}

interface Sending {
  /** The departure, or null before the headers are sent. */
  departure: Departure | null;
  readonly onSent: (() => void) | undefined;
}

/**
 * Returns the function that sends requests. Connections to the service are created at the first
 * request.
 */
export function createHttp(options: HttpOptions): Http {
  const watch = watchHeaders(options.rateLimit);
  const closing = new AbortController();
  const pooled = createPool(options, closing.signal);
  const fresh = createPool(options, closing.signal);
  return {
    closed: closing.signal,
    send: (request) => {
      const { dispatcher } = request.freshConnection ? fresh : pooled;
      return send(request, options, dispatcher, watch, closing.signal);
    },
    renew: pooled.renew,
    async close() {
      closing.abort(new ServiceError("cancelled", "The service was closed."));
      watch.close();
      await Promise.all([pooled.destroy(), fresh.destroy()]);
    },
  };
}

/** Returns connections that are opened at the first request. */
function createPool(options: HttpOptions, closed: AbortSignal) {
  let opened: Promise<Dispatcher> | null = null;
  const leaving = new Set<Promise<Dispatcher>>();
  return {
    dispatcher() {
      opened ??= connectionsFor(options, closed);
      // A file that could not be read may be there the next time.
      opened.catch(() => {
        opened = null;
      });
      return opened;
    },
    /** Replaces the connections. Each closes after its calls in progress. */
    renew() {
      const left = opened;
      opened = null;
      if (left === null) return;
      leaving.add(left);
      const end = left.then((open) => open.close());
      end.catch(() => {}).finally(() => leaving.delete(left));
    },
    async destroy() {
      const all = [...leaving, ...(opened === null ? [] : [opened])];
      await Promise.all(all.map(async (one) => (await one.catch(() => null))?.destroy()));
    },
  };
}

/**
 * Opens the connections. undici takes longer to load than a first frame may, so it is loaded when
 * something is sent.
 */
async function connectionsFor(options: HttpOptions, closed: AbortSignal): Promise<Dispatcher> {
  const { openConnections } = await import("./connections.ts");
  const open = await openConnections(options, closed);
  // A pause can begin while a request waits for its connection, so the last check is before the
  // headers are sent.
  return open.compose((dispatch) => (request, handler) => {
    const start = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (controller, context) => {
      const refusal = options.rateLimit.mayLeave();
      if (refusal !== null) throw refusal;
      start?.(controller, context);
    };
    return dispatch(request, handler);
  });
}

/**
 * Detects whether a request's headers were put on the wire. undici reports it on a diagnostics channel;
 * error codes do not (a reset comes before and after).
 */
function watchHeaders(rateLimit: RateLimit) {
  const sendings = new WeakMap<object, Sending>();
  let creating: Sending | null = null;
  const onCreate = (message: unknown) => {
    const { request } = message as { request: object };
    if (creating) sendings.set(request, creating);
    // A proxy's CONNECT is created within the same call: its headers are not those of the request.
    creating = null;
  };
  const onSend = (message: unknown) => {
    const sending = sendings.get((message as { request: object }).request);
    if (!sending) return;
    sending.departure = rateLimit.departed();
    sending.onSent?.();
  };
  subscribe("undici:request:create", onCreate);
  subscribe("undici:client:sendHeaders", onSend);
  return {
    /** Runs `start`, which creates the request synchronously, and follows that request. */
    follow<T>(sending: Sending, start: () => T): T {
      creating = sending;
      try {
        return start();
      } finally {
        creating = null;
      }
    },
    close() {
      unsubscribe("undici:request:create", onCreate);
      unsubscribe("undici:client:sendHeaders", onSend);
    },
  };
}

async function send(
  request: HttpRequest,
  options: HttpOptions,
  dispatcher: () => Promise<Dispatcher>,
  watch: ReturnType<typeof watchHeaders>,
  closed: AbortSignal,
): Promise<HttpAnswer> {
  const sending: Sending = { departure: null, onSent: request.onSent };
  const base = { method: request.method, url: request.url };
  const facts = (): ServiceErrorFacts => ({ ...base, sent: sending.departure !== null });
  const from = request.signal ? [request.signal, closed] : [closed];
  const { signal, end } = follow(options.clock, from, request.timeoutMs);
  const accepted = request.acceptsGzip ? "gzip" : "identity";
  let connections: Dispatcher | null = null;
  const failure = (thrown: unknown): ServiceError =>
    signal.aborted
      ? withFacts(signal.reason, {
          ...facts(),
          ...(connections === null ? culpritOf(options, signal.reason) : {}),
        })
      : connectionError(thrown, facts());
  try {
    signal.throwIfAborted();
    const url = new URL(request.url);
    const open = await untilAborted(dispatcher(), signal);
    connections = open;
    const asked = watch.follow(sending, () =>
      open.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: {
          accept: "application/json",
          "accept-encoding": accepted,
          "user-agent": options.userAgent,
          ...request.headers,
        },
        body: request.body ?? null,
        // undici closes such a connection after the response, so that none is ever idle.
        ...(request.freshConnection ? { reset: true } : {}),
        signal,
      }),
    );
    // undici checks the signal only once there is a connection, which can take too long.
    const { statusCode: status, headers, body } = await untilAborted(asked, signal);
    // Without a listener an early stream error would crash. Later readers still get it.
    body.on("error", () => {});
    const receivedAt = options.clock.now();
    const header = (name: string) => {
      const value = headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(", ") : (value ?? null);
    };
    learnFrom(options, { status, header, receivedAt, departure: sending.departure });
    const encoding = header("content-encoding");
    const ended = { failure: (thrown: unknown) => bodyError(failure(thrown), status), end };
    return {
      status,
      header,
      ...receivedBody(body, encoding === null ? null : { encoding, accepted }, ended),
      receivedAt,
      facts: { ...base, sent: true, httpStatus: status },
    };
  } catch (thrown) {
    end();
    options.rateLimit.unanswered();
    throw failure(thrown);
  }
}

/** Takes the rate limit and the time of the service from a response. */
function learnFrom(
  { rateLimit, onDate }: HttpOptions,
  {
    status,
    header,
    receivedAt,
    departure,
  }: Pick<HttpAnswer, "status" | "header" | "receivedAt"> & {
    readonly departure: Departure | null;
  },
): void {
  const retryAfterMs = retryAfter(header("retry-after"), receivedAt);
  if (departure !== null) {
    const isTooMany = status === 429;
    if (isTooMany || (status >= 300 && retryAfterMs !== undefined)) {
      rateLimit.limited({ isTooMany, retryAfterMs }, departure);
    } else rateLimit.answered(departure);
  }
  const date = Date.parse(header("date") ?? "");
  if (!Number.isNaN(date)) onDate?.(date, receivedAt);
}

/**
 * Returns the party that a call waited for too long: without connections it is the proxy's
 * credential helper.
 */
function culpritOf({ proxyLogin }: HttpOptions, { kind }: ServiceError): ServiceErrorFacts {
  if (kind !== "timeout" || proxyLogin === undefined || !("run" in proxyLogin)) return {};
  return { culprit: { kind: "helper", program: proxyLogin.program } };
}

function withFacts({ kind, message, facts }: ServiceError, more: ServiceErrorFacts): ServiceError {
  return new ServiceError(kind, message, { ...facts, ...more });
}
