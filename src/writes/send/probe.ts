/** Looking whether a supply point's import process exists (INTERFACE 4.7). */
import { isServiceError, type ServiceError } from "../../api/errors.ts";
import type { SupplyPointProcess } from "../../api/service.ts";
import { situationOf } from "../decide.ts";
import type { Entry, LookedUp } from "../journal/entry.ts";
import { readRules } from "../retry-table.ts";
import { type Limits, report, type SendOptions, type WriteContext } from "./events.ts";

export type Probe =
  | { readonly kind: "found"; readonly process: SupplyPointProcess }
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly error: ServiceError }
  | { readonly kind: "cancelled" };

/** Clocks of two machines may differ by this much. */
const toleranceMs = 5 * 60_000;

/** Looks once; the client itself repeats what is safe to ask again. */
export async function probe(
  context: WriteContext,
  look: {
    readonly entry: Entry;
    readonly limits: Limits;
    readonly deadline: number;
    readonly purpose: "before" | "after";
  },
  options: SendOptions,
): Promise<Probe> {
  const { service, clock } = context;
  const { entry, limits, deadline, purpose } = look;
  const { target } = entry;
  const { signal } = options;
  if (target.kind !== "supply-point") throw new Error("only supply points can be probed");
  if (signal.aborted) return { kind: "cancelled" };
  report(options, { kind: "looking-up", journalId: entry.id, purpose });
  const left = deadline - clock.now();
  const timeoutMs = Math.max(1, Math.min(limits.timeoutMs, left));
  const { importSupplier, externalIdentifier } = target;
  try {
    const bounds = { signal, timeoutMs, rateLimitWaitMs: Math.max(0, left - timeoutMs) };
    const answer = await service.lookUpSupplyPoint(importSupplier, externalIdentifier, bounds);
    return { kind: "found", process: answer.value };
  } catch (thrown) {
    if (signal.aborted) return { kind: "cancelled" };
    if (!isServiceError(thrown)) throw thrown;
    const absent = readRules[situationOf(thrown)] === "answer";
    return absent ? { kind: "absent" } : { kind: "failed", error: thrown };
  }
}

/** What is stored of a look before anything was sent. */
export function lookedUpOf(seen: Exclude<Probe, { readonly kind: "cancelled" }>): LookedUp | null {
  switch (seen.kind) {
    case "failed":
      return null;
    case "absent":
      return { found: false };
    case "found": {
      const { status, created_at } = seen.process;
      return { found: true, status, created_at };
    }
  }
}

/**
 * Whether an import process was created by this write. None before: yes. One before: only if this
 * is another one, by its created_at. Nothing looked up before: if it was created after the write was
 * composed, as far as two clocks agree.
 */
export function confirms(entry: Entry, process: SupplyPointProcess): boolean {
  const before = entry.lookedUp;
  if (before !== null && !before.found) return true;
  const created = instantOf(process.created_at);
  if (created === null) return false;
  if (before === null) return created >= entry.createdAt - toleranceMs;
  const earlier = instantOf(before.created_at);
  return earlier !== null && created > earlier;
}

function instantOf(text: string | null): number | null {
  const instant = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}
