/** Injects the armed faults into the requests to one endpoint, and compresses the responses. */
import { pipeline, Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { setTimeout as delay } from "node:timers/promises";
import { createGzip, gzipSync } from "node:zlib";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, MiddlewareHandler, Next } from "hono";
import { type Endpoint, groups } from "../endpoints.ts";
import type { ArrivalLog } from "../observer.ts";
import type { SandboxEnv } from "../service.ts";
import {
  connectionClosed,
  cutAt,
  cutInHalf,
  cutToPrefix,
  reset,
  resetInBody,
  sendInterim,
} from "./connection.ts";
import type { FaultPlan, Faults } from "./faults.ts";
import { htmlPage, jsonText, reshaped, statusResponse } from "./responses.ts";
import { type DripRate, dripRate, durationMs, type FaultSpec } from "./specs.ts";

type SandboxContext = Context<SandboxEnv>;

/**
 * Returns the middleware that injects faults. It runs before the token is checked, like a failure
 * on the way to the service.
 */
export function faultMiddleware(
  faults: Faults,
  endpoint: Endpoint,
  closing: AbortSignal,
  arrivals: ArrivalLog,
): MiddlewareHandler<SandboxEnv> {
  return async (context, next) => {
    const plan = faults.plan(endpoint);
    context.set("lagMs", plan.lagMs);
    context.set("maxRows", plan.maxRows);
    const requestNumber = await arrivals.arrived(context, endpoint, plan);
    const response = await inject(plan, context, next, closing, encodingFor(context, endpoint));
    const sent = response ?? context.res;
    arrivals.ended(requestNumber, sent === RESPONSE_ALREADY_SENT ? null : sent.status);
    return response;
  };
}

/** The encoding of response bodies: reads are compressed if the client accepts gzip. */
interface Encoding {
  encode(response: Response): Promise<Response>;
  /** Encodes the bytes of a body that a fault has cut, or null if bodies are not compressed. */
  readonly encodeBytes: ((body: Uint8Array) => Uint8Array) | null;
}

function encodingFor({ req }: SandboxContext, endpoint: Endpoint): Encoding {
  const isRead = groups.reads?.includes(endpoint) === true;
  if (!isRead || !acceptsGzip(req.header("accept-encoding")))
    return { encode: async (response) => response, encodeBytes: null };
  const isList = groups.lists?.includes(endpoint) === true;
  return { encode: (response) => compressResponse(response, isList), encodeBytes: compressBytes };
}

async function inject(
  { delayMs, before, after }: FaultPlan,
  context: SandboxContext,
  next: Next,
  closing: AbortSignal,
  encoding: Encoding,
): Promise<Response | undefined> {
  if (delayMs > 0 && !(await pause(delayMs, closing))) return RESPONSE_ALREADY_SENT;
  if (before !== undefined) return injectBefore(before, context, next, closing);
  await next();
  const response =
    after === undefined
      ? await encoding.encode(context.res)
      : await injectAfter(after, context, closing, encoding);
  if (response !== context.res) replace(context, response);
  return undefined;
}

/** Replaces the response. Hono would otherwise copy its headers to the new response. */
function replace(context: SandboxContext, response: Response): void {
  context.res = undefined;
  context.res = response;
}

async function injectBefore(
  fault: FaultSpec,
  context: SandboxContext,
  next: Next,
  closing: AbortSignal,
): Promise<Response | undefined> {
  const { incoming, outgoing } = context.env;
  const kind = fault.kind.name;
  if (kind === "reset-headers") {
    reset(incoming.socket);
    return RESPONSE_ALREADY_SENT;
  }
  if (kind === "reset-body") {
    await resetInBody(incoming);
    return RESPONSE_ALREADY_SENT;
  }
  // The other faults act when the whole request has arrived. Hono stores the body for the handler.
  await context.req.arrayBuffer();
  if (kind === "reset-before") {
    reset(incoming.socket);
    return RESPONSE_ALREADY_SENT;
  }
  if (kind === "hang") {
    await connectionClosed(outgoing);
    return RESPONSE_ALREADY_SENT;
  }
  if (kind === "torn") {
    // The handler does not run, so the body of the request is sent back.
    const response = new Response(await context.req.text(), { status: 201 });
    if (fault.value === "prefix") await cutToPrefix(incoming.socket, response, null);
    else await cutInHalf(incoming.socket, response, framingOf(fault));
    return RESPONSE_ALREADY_SENT;
  }
  if (kind === "late") {
    reset(incoming.socket);
    if (!(await pause(durationMs(fault.value ?? "") ?? 0, closing))) return RESPONSE_ALREADY_SENT;
    await next();
    await context.res.body?.cancel();
    replace(context, RESPONSE_ALREADY_SENT);
    return undefined;
  }
  return statusResponse(fault, () => context.req.text());
}

function framingOf({ value }: FaultSpec): "length" | "chunked" | "close" {
  return value === "chunked" || value === "close" ? value : "length";
}

/**
 * Injects a fault into the response of the handler. Faults of the content change the body before it
 * is encoded. Faults of the connection change the encoded bytes.
 */
async function injectAfter(
  fault: FaultSpec,
  context: SandboxContext,
  closing: AbortSignal,
  encoding: Encoding,
): Promise<Response> {
  const { incoming, outgoing } = context.env;
  const { res } = context;
  switch (fault.kind.name) {
    case "cut":
    case "cut-close":
      await cutAt(
        incoming.socket,
        await encoding.encode(res),
        Number(fault.value),
        fault.kind.name === "cut",
      );
      return RESPONSE_ALREADY_SENT;
    case "truncate":
      if (fault.value === "prefix") await cutToPrefix(incoming.socket, res, encoding.encodeBytes);
      else await cutInHalf(incoming.socket, await encoding.encode(res), framingOf(fault));
      return RESPONSE_ALREADY_SENT;
    case "interim":
      sendInterim(incoming.socket, Number(fault.value));
      return encoding.encode(res);
    case "drip": {
      const rate = dripRate(fault.value ?? "16/50ms");
      const encoded = await encoding.encode(res);
      if (encoded.body === null || rate === undefined) return encoded;
      return new Response(slowed(encoded.body, rate, closing), encoded);
    }
    case "shape":
      return encoding.encode(jsonText(res.status, reshaped(await res.text(), fault.value ?? "")));
    case "malformed": {
      const body = (await res.text()).slice(0, 65_536);
      const half = body.slice(0, Math.floor(body.length / 2));
      return encoding.encode(jsonText(res.status, `${half}}{"`));
    }
    default:
  }
  await res.body?.cancel();
  switch (fault.kind.name) {
    case "reset-after":
      reset(incoming.socket);
      return RESPONSE_ALREADY_SENT;
    case "hang-after":
      await connectionClosed(outgoing);
      return RESPONSE_ALREADY_SENT;
    case "html":
      return htmlPage(res.status, "Welcome to the network. Please sign in.");
    default:
      return statusResponse(fault, () => context.req.text());
  }
}

/** Returns the same body, a few bytes at a time, until it is canceled or `closing` is aborted. */
function slowed(
  body: ReadableStream<Uint8Array>,
  rate: DripRate,
  closing: AbortSignal,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const canceled = new AbortController();
  const stop = AbortSignal.any([canceled.signal, closing]);
  let unsent: Uint8Array = new Uint8Array();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (unsent.length === 0) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        unsent = value;
      }
      if (!(await pause(rate.everyMs, stop))) return controller.close();
      controller.enqueue(unsent.subarray(0, rate.bytes));
      unsent = unsent.subarray(rate.bytes);
    },
    cancel(reason) {
      canceled.abort();
      return reader.cancel(reason);
    },
  });
}

function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return delay(ms, true, { signal }).catch(() => false);
}

/** Level 3 makes a list nine times smaller, in a third of the time of the default level 6. */
const gzipOptions = { level: 3 };

/**
 * Minimum size of a compressed body, in bytes. Shorter bodies become larger by compression, so web
 * frameworks do not compress them, either.
 */
const minCompressedBytes = 200;

/** Returns true if an Accept-Encoding header allows gzip (RFC 9110, 12.5.3). */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = new Map(
    (header ?? "").split(",").map((part) => {
      const [coding = "", ...parameters] = part.split(";").map((word) => word.trim().toLowerCase());
      const weight = parameters.find((word) => word.startsWith("q="));
      return [coding, weight === undefined ? 1 : Number(weight.slice(2))] as const;
    }),
  );
  return (weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0) > 0;
}

async function compressResponse(response: Response, isList: boolean): Promise<Response> {
  if (response.body === null) return response;
  const headers = new Headers(response.headers);
  headers.append("vary", "accept-encoding");
  const init = { status: response.status, headers };
  if (isList && response.status === 200) {
    headers.set("content-encoding", "gzip");
    return new Response(compressStream(response.body), init);
  }
  const body = new Uint8Array(await response.arrayBuffer());
  if (body.length < minCompressedBytes) return new Response(body, init);
  headers.set("content-encoding", "gzip");
  return new Response(compressBytes(body), init);
}

function compressBytes(body: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gzipSync(body, gzipOptions));
}

function compressStream(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const gzip = createGzip(gzipOptions);
  pipeline(Readable.fromWeb(body as NodeStream), gzip, () => {});
  return Readable.toWeb(gzip) as ReadableStream<Uint8Array>;
}
