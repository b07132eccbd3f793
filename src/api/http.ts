/** Sends the HTTP requests of the program, and reports when the headers of a request are sent. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import type { Clock } from "./clock.ts";
import { connectionError } from "./connection-error.ts";
import type { ConnectionOptions } from "./connections.ts";
import { follow, untilAborted } from "./deadline.ts";
import { ServiceError, type ServiceErrorFacts } from "./errors.ts";
import { type RateLimit, retryAfter } from "./rate-limit.ts";
import { bodyError, receivedBody } from "./received-body.ts";
import { logRequest } from "./request-log.ts";
import { skipInterim } from "./skip-interim.ts";
import type { Departure } from "./spacing.ts";

export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** True if the response may be compressed with gzip. It arrives decompressed. Default: false. */
  readonly acceptsGzip?: boolean | undefined;
  /** True to use a new connection instead of an idle one. See `PostRequest`. Default: false. */
  readonly freshConnection?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Time limit from the call to the last byte, in milliseconds. */
  readonly timeoutMs: number;
  /** Called when the headers are sent. After that, the service might have received the request. */
  readonly onSent?: () => void;
  /** Called just before the headers are sent. If it returns false, nothing is sent. Default: true. */
  readonly mayLeave?: (() => boolean) | undefined;
}

/** A response whose body is still arriving. Reading it throws only ServiceError. */
export interface HttpResponse {
  readonly status: number;
  /** Returns a header, or null if it is absent. Repeated headers are joined by commas. */
  header(name: string): string | null;
  /** The decompressed chunks of the body, as they arrive. */
  readonly chunks: AsyncGenerator<Uint8Array, void, void>;
  /** Returns the number of received bytes of the body, before decompression. */
  wireBytes(): number;
  /** Time at which the headers arrived, in epoch milliseconds. */
  readonly receivedAt: number;
  readonly facts: ServiceErrorFacts;
}

/** Sends HTTP requests. No other code sends data to the service. */
export interface Http {
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Replaces the connections for later calls. Calls in progress continue on the old ones. */
  renew(): void;
  /** Closes every connection. Cancels calls in progress and later calls. */
  close(): Promise<void>;
  readonly closed: AbortSignal;
}

interface HttpOptions extends ConnectionOptions {
  readonly userAgent: string;
  readonly clock: Clock;
  /** The rate limit, which rejects requests during a pause and learns from each response. */
  readonly rateLimit: RateLimit;
  /** Called with a response's Date header and its arrival time, both in epoch milliseconds. */
  readonly onDate?: (service: number, receivedAt: number) => void;
}

interface Sending {
  /** The departure of the request, or null before its headers are sent. */
  departure: Departure | null;
  readonly onSent: () => void;
}

/** Creates the sender of requests. Connections are opened at the first request. */
export function createHttp(options: HttpOptions): Http {
  const headerWatch = watchHeaders(options.rateLimit);
  const closing = new AbortController();
  const pooled = createPool(options, closing.signal);
  const fresh = createPool({ ...options, neverIdle: true }, closing.signal);
  return {
    closed: closing.signal,
    send: (request) => {
      const { dispatcher } = request.freshConnection ? fresh : pooled;
      return send(request, options, dispatcher, headerWatch, closing.signal);
    },
    renew: pooled.renew,
    async close() {
      closing.abort(new ServiceError("cancelled", "The service was closed."));
      headerWatch.close();
      await Promise.all([pooled.destroy(), fresh.destroy()]);
    },
  };
}

function createPool(options: HttpOptions, closed: AbortSignal) {
  let opened: Promise<Dispatcher> | null = null;
  const replaced = new Set<Promise<Dispatcher>>();
  return {
    dispatcher() {
      opened ??= connectionsFor(options, closed);
      // The next call tries again, because the reason might then be fixed.
      opened.catch(() => {
        opened = null;
      });
      return opened;
    },
    /** Replaces the connections. The old ones are closed after their calls in progress. */
    renew() {
      const old = opened;
      opened = null;
      if (old === null) return;
      replaced.add(old);
      const end = old.then((connections) => connections.close());
      end.catch(() => {}).finally(() => replaced.delete(old));
    },
    async destroy() {
      const all = [...replaced, ...(opened === null ? [] : [opened])];
      await Promise.all(
        all.map(async (connections) => (await connections.catch(() => null))?.destroy()),
      );
    },
  };
}

/** Opens the connections. undici is loaded only now, so that it does not delay the first frame. */
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
      const { mayLeave } = request as Pick<HttpRequest, "mayLeave">;
      if (mayLeave?.() === false) throw new ServiceError("timeout", "it was too late to be sent");
      start?.(controller, context);
    };
    return dispatch(request, handler);
  });
}

/**
 * Watches the diagnostics channels of undici for the time at which the headers of a request are
 * sent. An error code is not enough, because a reset can occur before and after that time.
 */
function watchHeaders(rateLimit: RateLimit) {
  const sendings = new WeakMap<object, Sending>();
  let creating: Sending | null = null;
  const onCreate = (message: unknown) => {
    const { request } = message as { request: object };
    if (creating) sendings.set(request, creating);
    // A CONNECT to a proxy is created in the same call, and its headers are ignored.
    creating = null;
  };
  const onSend = (message: unknown) => {
    const { request, socket } = message as { request: object; socket: Readable };
    const sending = sendings.get(request);
    if (!sending) return;
    skipInterim(socket);
    sending.departure = rateLimit.departed();
    sending.onSent();
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

/** Returns the response to a request. Throws a ServiceError with the facts of the request. */
async function send(
  request: HttpRequest,
  options: HttpOptions,
  dispatcher: () => Promise<Dispatcher>,
  headerWatch: ReturnType<typeof watchHeaders>,
  closed: AbortSignal,
): Promise<HttpResponse> {
  const course = logRequest(request, options.clock);
  const onSent = () => {
    course.sent();
    request.onSent?.();
  };
  const sending: Sending = { departure: null, onSent };
  const base = { method: request.method, url: request.url };
  const facts = (): ServiceErrorFacts => ({ ...base, sent: sending.departure !== null });
  const sources = request.signal ? [request.signal, closed] : [closed];
  const { signal, end } = follow(options.clock, sources, request.timeoutMs);
  const accepted = request.acceptsGzip ? "gzip" : "identity";
  let connections: Dispatcher | null = null;
  const errorFor = (thrown: unknown): ServiceError =>
    signal.aborted
      ? new ServiceError(signal.reason.kind, signal.reason.message, {
          ...signal.reason.facts,
          ...facts(),
          ...(connections === null ? culpritOf(options, signal.reason) : {}),
        })
      : connectionError(thrown, facts());
  try {
    signal.throwIfAborted();
    const url = new URL(request.url);
    const open = await untilAborted(dispatcher(), signal);
    connections = open;
    const responding = headerWatch.follow(sending, () =>
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
        ...(request.mayLeave ? { mayLeave: request.mayLeave } : {}),
        signal,
      }),
    );
    // undici checks the signal only after it is connected, which can take too long.
    const { statusCode: status, headers, body } = await untilAborted(responding, signal);
    // Without a listener, an early error of the stream would end the process. The reader of the
    // body still gets the error.
    body.on("error", () => {});
    const receivedAt = options.clock.now();
    const header = (name: string) => {
      const value = headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(", ") : (value ?? null);
    };
    learnFrom(options, { status, header, receivedAt, departure: sending.departure });
    course.answered(status, header("retry-after"));
    const encoding = header("content-encoding");
    const received = receivedBody(body, encoding === null ? null : { encoding, accepted }, {
      failure: (thrown) => {
        const error = bodyError(errorFor(thrown), status);
        course.failed(error);
        return error;
      },
      end: () => {
        end();
        course.ended(received.wireBytes());
      },
    });
    return {
      status,
      header,
      ...received,
      receivedAt,
      facts: { ...base, sent: true, httpStatus: status },
    };
  } catch (thrown) {
    end();
    options.rateLimit.unanswered();
    const error = errorFor(thrown);
    course.failed(error);
    throw error;
  }
}

function learnFrom(
  { rateLimit, onDate }: HttpOptions,
  {
    status,
    header,
    receivedAt,
    departure,
  }: Pick<HttpResponse, "status" | "header" | "receivedAt"> & {
    readonly departure: Departure | null;
  },
): void {
  const retryAfterMs = retryAfter(header, receivedAt);
  if (departure !== null) {
    const isTooMany = status === 429;
    if (isTooMany || (status >= 300 && retryAfterMs !== undefined)) {
      rateLimit.limited({ isTooMany, retryAfterMs }, departure);
    } else rateLimit.answered(departure);
  }
  const date = Date.parse(header("date") ?? "");
  if (!Number.isNaN(date)) onDate?.(date, receivedAt);
}

/** Returns the culprit of a timeout before there are connections: the proxy's credential helper. */
function culpritOf({ proxyLogin }: HttpOptions, { kind }: ServiceError): ServiceErrorFacts {
  if (kind !== "timeout" || proxyLogin === undefined || !("run" in proxyLogin)) return {};
  return { culprit: { kind: "helper", program: proxyLogin.program } };
}
