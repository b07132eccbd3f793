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

export interface ObservedRequest {
  readonly n: number;
  /** Instant of the sandbox's clock, epoch ms. */
  readonly at: number;
  readonly endpoint: Endpoint | "connection";
  readonly path: string;
  /** Hash of the whole body as hexadecimal, or null if there was none or not all was read. */
  readonly sha256: string | null;
  /** The injected fault with its value, for example `truncate=close`. */
  readonly fault: string | null;
}

/** Called while requests are served. It must not throw. */
export interface Observer {
  arrived(arrival: ObservedRequest): void;
  ended(n: number, status: number | null): void;
}

export interface ArrivalLog {
  arrived(context: Context<SandboxEnv>, endpoint: Endpoint, plan: FaultPlan): Promise<number>;
  ended(n: number, status: number | null): void;
  connectionReset(): void;
}

const earlyFaults: readonly string[] = ["reset-headers", "reset-body"];

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

function nameOf(fault: FaultSpec | undefined): string | null {
  if (fault === undefined) return null;
  return fault.value === undefined ? fault.kind.name : `${fault.kind.name}=${fault.value}`;
}
