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
  cutShort,
  cutToPrefix,
  reset,
  resetInBody,
} from "./connection.ts";
import type { FaultPlan, Faults } from "./faults.ts";
import { jsonText, page, reshaped, statusAnswer } from "./responses.ts";
import { type DripRate, dripRate, durationMs, type FaultSpec } from "./specs.ts";

type Ctx = Context<SandboxEnv>;

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
    const n = await arrivals.arrived(context, endpoint, plan);
    const answer = await inject(plan, context, next, closing, encodingFor(context, endpoint));
    const answered = answer ?? context.res;
    arrivals.ended(n, answered === RESPONSE_ALREADY_SENT ? null : answered.status);
    return answer;
  };
}

/** Encodes the body of a response: reads are compressed if the client accepts it. */
interface Encoding {
  whole(answer: Response): Promise<Response>;
  /** Encodes the bytes of a body that a fault has cut, or null if they are not compressed. */
  readonly bytes: ((body: Uint8Array) => Uint8Array) | null;
}

function encodingFor({ req }: Ctx, endpoint: Endpoint): Encoding {
  const isRead = groups.reads?.includes(endpoint) === true;
  if (!isRead || !acceptsGzip(req.header("accept-encoding")))
    return { whole: async (answer) => answer, bytes: null };
  const isList = groups.lists?.includes(endpoint) === true;
  return { whole: (answer) => compressed(answer, isList), bytes: compressedBytes };
}

async function inject(
  { delayMs, before, after }: FaultPlan,
  context: Ctx,
  next: Next,
  closing: AbortSignal,
  encoding: Encoding,
): Promise<Response | undefined> {
  if (delayMs > 0 && !(await pause(delayMs, closing))) return RESPONSE_ALREADY_SENT;
  if (before !== undefined) return injectBefore(before, context, next, closing);
  await next();
  const answer =
    after === undefined
      ? await encoding.whole(context.res)
      : await injectAfter(after, context, closing, encoding);
  if (answer !== context.res) replace(context, answer);
  return undefined;
}

/** Replaces the response without keeping its headers. */
function replace(context: Ctx, response: Response): void {
  context.res = undefined;
  context.res = response;
}

async function injectBefore(
  fault: FaultSpec,
  context: Ctx,
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
  // The other faults have read the whole request. The handler can still read it.
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
    // Any bytes can be the beginning of a response, so the body of the request is used.
    const answer = new Response(await context.req.text(), { status: 201 });
    await cutShort(incoming.socket, answer, fault.value ?? "length");
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
  return statusAnswer(fault, () => context.req.text());
}

/**
 * Injects faults of the connection into the bytes that leave, and faults of the content into the
 * body before that.
 */
async function injectAfter(
  fault: FaultSpec,
  context: Ctx,
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
        await encoding.whole(res),
        Number(fault.value),
        fault.kind.name === "cut",
      );
      return RESPONSE_ALREADY_SENT;
    case "truncate":
      if (fault.value === "prefix") await cutToPrefix(incoming.socket, res, encoding.bytes);
      else await cutShort(incoming.socket, await encoding.whole(res), fault.value ?? "length");
      return RESPONSE_ALREADY_SENT;
    case "drip": {
      const rate = dripRate(fault.value ?? "16/50ms");
      const whole = await encoding.whole(res);
      if (whole.body === null || rate === undefined) return whole;
      return new Response(dripped(whole.body, rate, closing), whole);
    }
    case "shape":
      return encoding.whole(jsonText(res.status, reshaped(await res.text(), fault.value ?? "")));
    case "malformed": {
      const body = (await res.text()).slice(0, 65_536);
      const half = body.slice(0, Math.floor(body.length / 2));
      return encoding.whole(jsonText(res.status, `${half}}{"`));
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
      return page(res.status, "Welcome to the network. Please sign in.");
    default:
      return statusAnswer(fault, () => context.req.text());
  }
}

/**
 * Returns the same body, a few bytes at a time. Stops when the reader cancels or `closing` is
 * aborted.
 */
function dripped(
  body: ReadableStream<Uint8Array>,
  rate: DripRate,
  closing: AbortSignal,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const left = new AbortController();
  const stop = AbortSignal.any([left.signal, closing]);
  let rest: Uint8Array = new Uint8Array();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (rest.length === 0) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        rest = value;
      }
      if (!(await pause(rate.everyMs, stop))) return controller.close();
      controller.enqueue(rest.subarray(0, rate.bytes));
      rest = rest.subarray(rate.bytes);
    },
    cancel(reason) {
      left.abort();
      return reader.cancel(reason);
    },
  });
}

/** Waits. Returns false if `signal` is aborted first. */
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return delay(ms, true, { signal }).catch(() => false);
}

/** Level 3 makes a list nine times smaller in a third of the time of the usual level 6. */
const options = { level: 3 };

/**
 * Minimum size in bytes. Compression makes shorter bodies larger, and web frameworks skip them,
 * too.
 */
const leastBytes = 200;

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

/** Compresses the body of a response. A list is compressed while its rows are created. */
async function compressed(answer: Response, isList: boolean): Promise<Response> {
  if (answer.body === null) return answer;
  const headers = new Headers(answer.headers);
  headers.append("vary", "accept-encoding");
  const as = { status: answer.status, headers };
  if (isList && answer.status === 200) {
    headers.set("content-encoding", "gzip");
    return new Response(compressing(answer.body), as);
  }
  const body = new Uint8Array(await answer.arrayBuffer());
  if (body.length < leastBytes) return new Response(body, as);
  headers.set("content-encoding", "gzip");
  return new Response(compressedBytes(body), as);
}

function compressedBytes(body: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gzipSync(body, options));
}

/** Compresses a stream. Ends its source when the reader cancels. */
function compressing(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const gzip = createGzip(options);
  pipeline(Readable.fromWeb(body as NodeStream), gzip, () => {});
  return Readable.toWeb(gzip) as ReadableStream<Uint8Array>;
}
