/**
 * Chooses the faults of each request from the armed faults, and derives the settings of the service
 * from them.
 */
import { type Endpoint, groups } from "../endpoints.ts";
import type { FaultSettings } from "../service.ts";
import { sequence } from "../world/numbers.ts";
import type { Stage } from "./specs.ts";
import { durationMs, type FaultSpec, parseFault } from "./specs.ts";

/** The faults of one request: a delay, another list, and one fault before or after the effect. */
export interface FaultPlan {
  readonly delayMs: number;
  /** Age of the list to answer with, in ms. */
  readonly lagMs: number;
  /** Number of rows of the list to answer with, or Infinity for all. */
  readonly maxRows: number;
  readonly before?: FaultSpec;
  readonly after?: FaultSpec;
}

export interface Faults {
  /**
   * Sets the faults. Throws an Error that names an invalid specification. The earlier faults then
   * stay armed.
   */
  set(specs: readonly string[]): void;
  /** Returns the faults for a request, and counts them as injected. */
  plan(endpoint: Endpoint): FaultPlan;
  /** Returns true if a new connection is to be reset. */
  refusesConnection(): boolean;
  settings(): FaultSettings;
}

interface Armed {
  readonly spec: FaultSpec;
  readonly draw: () => number;
  left: number;
  /** The time at which a rate limit accepts the next request. */
  freeAt: number;
}

const salt = 0xfa017;

/** Arms faults. `now` is the service's clock, which rate limits use. */
export function faults(
  specs: readonly string[],
  seed: number,
  now: () => number = Date.now,
): Faults {
  let armed: readonly Armed[] = [];
  let settings = settingsOf([]);

  const next = (stage: Stage, endpoint?: Endpoint): FaultSpec | undefined => {
    for (const fault of armed) {
      const { spec } = fault;
      if (spec.kind.stage !== stage || fault.left <= 0) continue;
      if (endpoint !== undefined && !spec.endpoints.has(endpoint)) continue;
      if (spec.probability < 1 && fault.draw() >= spec.probability) continue;
      if (spec.kind.name === "rate" && accepts(fault, now())) continue;
      fault.left -= 1;
      return spec;
    }
    return undefined;
  };

  const service: Faults = {
    set: (texts) => {
      const parsed = texts.map(parseFault);
      armed = parsed.map((spec, index) => ({
        spec,
        draw: sequence(seed, salt + index),
        left: spec.count,
        freeAt: Number.NEGATIVE_INFINITY,
      }));
      settings = settingsOf(parsed);
    },
    plan: (endpoint) => {
      const delay = next("delay", endpoint);
      const delayMs = durationMs(delay?.value ?? "") ?? 0;
      const lag = isList(endpoint) ? next("lag", endpoint) : undefined;
      const rows = isList(endpoint) ? next("rows", endpoint) : undefined;
      const plan = {
        delayMs,
        lagMs: durationMs(lag?.value ?? "") ?? 0,
        maxRows: rows === undefined ? Number.POSITIVE_INFINITY : Number(rows.value),
      };
      const before = next("before", endpoint);
      if (before !== undefined) return { ...plan, before };
      const after = next("after", endpoint);
      return after === undefined ? plan : { ...plan, after };
    },
    refusesConnection: () => next("connection") !== undefined,
    settings: () => settings,
  };
  service.set(specs);
  return service;
}

/** Counts a request under a rate limit. Returns true if it is accepted. */
function accepts(fault: Armed, at: number): boolean {
  if (at < fault.freeAt) return false;
  fault.freeAt = at + (durationMs(fault.spec.value?.split("/")[0] ?? "") ?? 0);
  return true;
}

function isList(endpoint: Endpoint): boolean {
  return groups.lists?.includes(endpoint) === true;
}

function settingsOf(specs: readonly FaultSpec[]): FaultSettings {
  // The parser accepts only the words in faultKinds.
  const word = (name: string, usual: string): string =>
    specs.findLast((spec) => spec.kind.name === name)?.value ?? usual;
  return {
    // The interface shows both forms and does not say which one is right.
    authForm: word("auth", "both") as FaultSettings["authForm"],
    tokenForm: word("token", "jwt") as FaultSettings["tokenForm"],
    tokenLifeMs: durationMs(word("token-life", "60m")) ?? 3_600_000,
    statementsStatus: word("statements-status", "201") === "200" ? 200 : 201,
    mirror: word("mirror", "plain") as FaultSettings["mirror"],
    batch: word("batch", "kept") === "undone" ? "undone" : "kept",
  };
}
