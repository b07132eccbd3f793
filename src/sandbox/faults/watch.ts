/** Tells an observer what comes in; costs nothing where there is none. */
import { createHash } from "node:crypto";
import type { Context } from "hono";
import type { Endpoint } from "../endpoints.ts";
import type { Observer } from "../observer.ts";
import type { SandboxEnv } from "../service.ts";
import type { FaultPlan } from "./faults.ts";
import type { FaultSpec } from "./parse.ts";

export interface Watch {
  /** Returns the arrival's number. Reads the body where the fault leaves it whole. */
  arrived(context: Context<SandboxEnv>, endpoint: Endpoint, plan: FaultPlan): Promise<number>;
  ended(n: number, status: number | null): void;
  /** A new connection was reset. */
  refused(): void;
}

/** These strike before the whole body was read. */
const early: readonly string[] = ["reset-headers", "reset-body"];

export function watchFor(observer: Observer | undefined, now: () => number): Watch {
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
