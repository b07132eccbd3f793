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

/** A raw request before it is handled, or a refused connection. */
export interface ObservedRequest {
  /** Number of the request: 1, 2, 3, … */
  readonly n: number;
  /** Instant of the service's clock, epoch ms. */
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
  /** Records a request and returns its number. Reads the body if the fault leaves it whole. */
  arrived(context: Context<SandboxEnv>, endpoint: Endpoint, plan: FaultPlan): Promise<number>;
  ended(n: number, status: number | null): void;
  /** Records that a new connection was reset. */
  refused(): void;
}

/** Faults that are injected before the whole body is read. */
const early: readonly string[] = ["reset-headers", "reset-body"];

/** Returns a log for the observer. It does nothing if there is no observer. */
export function logArrivals(observer: Observer | undefined, now: () => number): ArrivalLog {
  if (observer === undefined) return { arrived: async () => 0, ended: () => {}, refused: () => {} };
  let last = 0;
  return {
    arrived: async ({ req }, endpoint, { before, after }) => {
      const whole = req.method === "POST" && !early.includes(before?.kind.name ?? "");
      const sha256 = whole
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
    refused: () => {
      last += 1;
      const facts = {
        endpoint: "connection",
        path: "",
        sha256: null,
        fault: "reset-accept",
      } as const;
      observer.arrived({ n: last, at: now(), ...facts });
      observer.ended(last, null);
    },
  };
}

function nameOf(fault: FaultSpec | undefined): string | null {
  if (fault === undefined) return null;
  return fault.value === undefined ? fault.kind.name : `${fault.kind.name}=${fault.value}`;
}
