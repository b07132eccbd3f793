/**
 * Reports every request to an observer, so that tests can compare the arrived requests with the
 * requests that a client reports.
 */
import { createHash } from "node:crypto";
import type { Context } from "hono";
import type { Endpoint } from "./endpoints.ts";
import type { FaultPlan } from "./faults/faults.ts";
import type { FaultSpec } from "./faults/specs.ts";
import type { SandboxEnv } from "./service.ts";

/** A request before it is handled, or a new connection that is reset. */
export interface ObservedRequest {
  /** Number of the request or connection: 1, 2, 3, … */
  readonly n: number;
  /** Instant of the sandbox's clock, epoch ms. */
  readonly at: number;
  readonly endpoint: Endpoint | "connection";
  /** Path and query. */
  readonly path: string;
  /**
   * Hash of the whole body as hexadecimal, or null if there was no body or not all of it was read.
   */
  readonly sha256: string | null;
  /** The injected fault with its value, for example `truncate=close`. */
  readonly fault: string | null;
}

/** Called while requests are served. It must not throw. */
export interface Observer {
  arrived(arrival: ObservedRequest): void;
  /** Reports the end of a request with the status of its response, or null if there was none. */
  ended(n: number, status: number | null): void;
}

export interface ArrivalLog {
  /** Reports a request and returns its number. Reads the body if the fault allows that. */
  arrived(context: Context<SandboxEnv>, endpoint: Endpoint, plan: FaultPlan): Promise<number>;
  ended(n: number, status: number | null): void;
  /** Reports that a new connection was reset. */
  connectionReset(): void;
}

/** Faults that are injected before the whole body is read. */
const earlyFaults: readonly string[] = ["reset-headers", "reset-body"];

/** Returns a log for the observer. It does nothing if there is no observer. */
export function logArrivals(observer: Observer | undefined, now: () => number): ArrivalLog {
  if (observer === undefined)
    return { arrived: async () => 0, ended: () => {}, connectionReset: () => {} };
  let last = 0;
  return {
    arrived: async ({ req }, endpoint, { before, after }) => {
      const isBodyRead = req.method === "POST" && !earlyFaults.includes(before?.kind.name ?? "");
      const sha256 = isBodyRead
        ? createHash("sha256")
            .update(new Uint8Array(await req.arrayBuffer()))
            .digest("hex")
        : null;
      const { pathname, search } = new URL(req.url);
      const path = pathname + search;
      last += 1;
      observer.arrived({
        n: last,
        at: now(),
        endpoint,
        path,
        sha256,
        fault: nameOf(before ?? after),
      });
      return last;
    },
    ended: (n, status) => observer.ended(n, status),
    connectionReset: () => {
      last += 1;
      observer.arrived({
        n: last,
        at: now(),
        endpoint: "connection",
        path: "",
        sha256: null,
        fault: "reset-accept",
      });
      observer.ended(last, null);
    },
  };
}

/** Returns the name of a fault with its value. */
function nameOf(fault: FaultSpec | undefined): string | null {
  if (fault === undefined) return null;
  return fault.value === undefined ? fault.kind.name : `${fault.kind.name}=${fault.value}`;
}
