/**
 * Chooses the faults of each request from the armed faults, and derives the settings of the service
 * from them.
 */
import { type Endpoint, groups } from "../endpoints.ts";
import type { FaultSettings } from "../service.ts";
import { sequence } from "../world/numbers.ts";
import type { Stage } from "./specs.ts";
import { durationMs, type FaultSpec, parseFault } from "./specs.ts";

/** One request's faults: a delay, changes to a list, and at most one before or after the effect. */
export interface FaultPlan {
  readonly delayMs: number;
  /** Age of the list in the response, in ms. */
  readonly lagMs: number;
  /** Maximum number of rows in the list of the response, or Infinity for all. */
  readonly maxRows: number;
  readonly before?: FaultSpec;
  readonly after?: FaultSpec;
}

export interface Faults {
  /** Replaces the armed faults. Throws an Error that names an invalid spec, and changes nothing. */
  set(specs: readonly string[]): void;
  plan(endpoint: Endpoint): FaultPlan;
  resetsConnection(): boolean;
  settings(): FaultSettings;
}

interface Armed {
  readonly spec: FaultSpec;
  readonly draw: () => number;
  remaining: number;
  /** The time at which a rate limit accepts the next request. */
  freeAt: number;
}

/** Gives the random numbers of the faults another sequence than those of the accounts. */
const salt = 0xfa017;

export function faults(
  specs: readonly string[],
  seed: number,
  now: () => number = Date.now,
): Faults {
  let armed: readonly Armed[] = [];
  let settings = settingsOf([]);

  const nextFault = (stage: Stage, endpoint?: Endpoint): FaultSpec | undefined => {
    for (const fault of armed) {
      const { spec } = fault;
      if (spec.kind.stage !== stage || fault.remaining <= 0) continue;
      if (endpoint !== undefined && !spec.endpoints.has(endpoint)) continue;
      if (spec.probability < 1 && fault.draw() >= spec.probability) continue;
      if (spec.kind.name === "rate" && acceptsRequest(fault, now())) continue;
      fault.remaining -= 1;
      return spec;
    }
    return undefined;
  };

  const control: Faults = {
    set: (texts) => {
      const parsed = texts.map(parseFault);
      armed = parsed.map((spec, index) => ({
        spec,
        draw: sequence(seed, salt + index),
        remaining: spec.count,
        freeAt: Number.NEGATIVE_INFINITY,
      }));
      settings = settingsOf(parsed);
    },
    plan: (endpoint) => {
      const delay = nextFault("delay", endpoint);
      const delayMs = durationMs(delay?.value ?? "") ?? 0;
      const lag = isList(endpoint) ? nextFault("lag", endpoint) : undefined;
      const rows = isList(endpoint) ? nextFault("rows", endpoint) : undefined;
      const plan = {
        delayMs,
        lagMs: durationMs(lag?.value ?? "") ?? 0,
        maxRows: rows === undefined ? Number.POSITIVE_INFINITY : Number(rows.value),
      };
      const before = nextFault("before", endpoint);
      if (before !== undefined) return { ...plan, before };
      const after = nextFault("after", endpoint);
      return after === undefined ? plan : { ...plan, after };
    },
    resetsConnection: () => nextFault("connection") !== undefined,
    settings: () => settings,
  };
  control.set(specs);
  return control;
}

function acceptsRequest(fault: Armed, at: number): boolean {
  if (at < fault.freeAt) return false;
  fault.freeAt = at + (durationMs(fault.spec.value?.split("/")[0] ?? "") ?? 0);
  return true;
}

function isList(endpoint: Endpoint): boolean {
  return groups.lists?.includes(endpoint) === true;
}

function settingsOf(specs: readonly FaultSpec[]): FaultSettings {
  // The parser accepts only the values in faultKinds.
  const setting = (name: string, defaultValue: string): string =>
    specs.findLast((spec) => spec.kind.name === name)?.value ?? defaultValue;
  return {
    // The interface has examples of both forms, and does not define which one is right.
    authForm: setting("auth", "both") as FaultSettings["authForm"],
    tokenForm: setting("token", "jwt") as FaultSettings["tokenForm"],
    tokenLifeMs: durationMs(setting("token-life", "60m")) ?? 3_600_000,
    statementsStatus: setting("statements-status", "201") === "200" ? 200 : 201,
    mirror: setting("mirror", "plain") as FaultSettings["mirror"],
    batch: setting("batch", "kept") === "undone" ? "undone" : "kept",
  };
}
