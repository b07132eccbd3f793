/** Sends every HTTP request of the program, and reports when its headers have left. */
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

/** One HTTP request. */
export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /**
   * True if the response may be compressed with gzip. It is unpacked while it arrives. Default:
   * false.
   */
  readonly acceptsGzip?: boolean | undefined;
  /** True to use a new connection instead of an idle one. See `PostRequest`. Default: false. */
  readonly freshConnection?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Time limit from the call to the last byte, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Called when the headers are sent. From then on, the service might have received the request.
   */
  readonly onSent?: () => void;
}

/** A response whose body is still arriving. Reading it throws only ServiceError. */
export interface HttpAnswer {
  readonly status: number;
  /**
   * Returns the value of a header, or null if it is absent. Repeated headers are joined by commas.
   */
  header(name: string): string | null;
  readonly chunks: AsyncGenerator<Uint8Array, void, void>;
  /** Returns the number of received bytes of the body, before unpacking. */
  wireBytes(): number;
  /** Time at which the headers arrived, in epoch milliseconds. */
  readonly receivedAt: number;
  /** The facts about the request and its status, for errors of the response. */
  readonly facts: ServiceErrorFacts;
}

/** Sends HTTP requests. No other code sends data to the service. */
export interface Http {
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Replaces the connections for later calls. Calls in progress continue on the old ones. */
  renew(): void;
  /** Ends every connection. Cancels calls in progress and later calls. */
  close(): Promise<void>;
  /** The signal that `close` aborts. */
  readonly closed: AbortSignal;
}

interface HttpOptions extends ConnectionOptions {
  readonly userAgent: string;
  readonly clock: Clock;
  /** The rate limit, which stops requests during a pause and learns from each response. */
  readonly rateLimit: RateLimit;
  /**
   * Called with the Date header of a response and the time of its arrival, both in epoch
   * milliseconds.
   */
  readonly onDate?: (service: number, receivedAt: number) => void;
}

interface Sending {
  /** The departure of the request, or null before its headers are sent. */
  departure: Departure | null;
  readonly onSent: (() => void) | undefined;
}

/** Creates the sender of requests. Connections are opened at the first request. */
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

/** Creates a set of connections that is opened at the first request. */
function createPool(options: HttpOptions, closed: AbortSignal) {
  let opened: Promise<Dispatcher> | null = null;
  const leaving = new Set<Promise<Dispatcher>>();
  return {
    dispatcher() {
      opened ??= connectionsFor(options, closed);
      // Opening is tried again at the next call, because a missing file might then exist.
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
 * Opens the connections. undici is loaded only now, because loading it would delay the first frame
 * of the console.
 */
async function connectionsFor(options: HttpOptions, closed: AbortSignal): Promise<Dispatcher> {
  const { openConnections } = await import("./connections.ts");
  const open = await openConnections(options, closed);
  // A pause can begin while a request waits for its connection, so the rate limit is checked again
  // just before the headers are sent.
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
 * Detects if the headers of a request were sent. undici reports this on a diagnostics channel.
 * Error codes do not show it, because a reset can occur before and after.
 */
function watchHeaders(rateLimit: RateLimit) {
  const sendings = new WeakMap<object, Sending>();
  let creating: Sending | null = null;
  const onCreate = (message: unknown) => {
    const { request } = message as { request: object };
    if (creating) sendings.set(request, creating);
    // A CONNECT to a proxy is created within the same call, and its headers do not count.
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
    /** Runs `start`, which must create the request synchronously, and watches that request. */
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
        // undici closes the connection after the response, so it is never idle.
        ...(request.freshConnection ? { reset: true } : {}),
        signal,
      }),
    );
    // undici checks the signal only after it is connected, which can take too long.
    const { statusCode: status, headers, body } = await untilAborted(asked, signal);
    // Without a listener, an early stream error would end the process. Later readers still get the
    // error.
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

/** Reads the rate limit and the service's time from a response. */
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

/** Returns the culprit of a timeout. Without connections, it is the proxy's credential helper. */
function culpritOf({ proxyLogin }: HttpOptions, { kind }: ServiceError): ServiceErrorFacts {
  if (kind !== "timeout" || proxyLogin === undefined || !("run" in proxyLogin)) return {};
  return { culprit: { kind: "helper", program: proxyLogin.program } };
}

function withFacts({ kind, message, facts }: ServiceError, more: ServiceErrorFacts): ServiceError {
  return new ServiceError(kind, message, { ...facts, ...more });
}
