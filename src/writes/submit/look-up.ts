/** Looking whether a supply point's import process is there (INTERFACE 4.7). */
import { isServiceError, type ServiceError } from "../../api/errors.ts";
import type { SupplyPointProcess } from "../../api/service.ts";
import { situationOf } from "../classify.ts";
import type { Entry, LookedUp } from "../journal/entry.ts";
import { retryTable } from "../retry-table.ts";
import { type Limits, type SendOptions, tell, type WriteContext } from "./options.ts";

export type Look =
  | { readonly kind: "found"; readonly process: SupplyPointProcess }
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly error: ServiceError };

/** Clocks of two machines may differ by so much. */
const toleranceMs = 5 * 60_000;

/**
 * Looks once; what is safe to ask again is asked again by the client. Rejects only when the signal
 * is aborted.
 */
export async function lookUp(
  context: WriteContext,
  entry: Entry,
  options: SendOptions & { readonly limits: Limits; readonly deadline: number },
  purpose: "before" | "after",
): Promise<Look> {
  const { service, clock } = context;
  const { target } = entry;
  if (target.kind !== "supply-point") throw new Error("only supply points can be looked up");
  options.signal.throwIfAborted();
  tell(options, { kind: "looking-up", journalId: entry.id, purpose });
  const left = options.deadline - clock.now();
  const timeoutMs = Math.max(1, Math.min(options.limits.timeoutMs, left));
  const { signal } = options;
  const { importSupplier, externalIdentifier } = target;
  try {
    const limits = { signal, timeoutMs, rateLimitWaitMs: Math.max(0, left - timeoutMs) };
    const answer = await service.lookUpSupplyPoint(importSupplier, externalIdentifier, limits);
    return { kind: "found", process: answer.value };
  } catch (thrown) {
    signal.throwIfAborted();
    if (!isServiceError(thrown)) throw thrown;
    const absent = retryTable.read[situationOf(thrown)] === "answer";
    return absent ? { kind: "absent" } : { kind: "failed", error: thrown };
  }
}

/** What is kept of a look before anything was sent. */
export function lookedUpOf(look: Look): LookedUp | null {
  if (look.kind === "failed") return null;
  if (look.kind === "absent") return { found: false };
  const { status, created_at } = look.process;
  return { found: true, status, created_at };
}

/**
 * Whether a process that is there now is this write's doing. Not there before: yes. There before:
 * only if it is another one by its created_at. Nothing looked up before: if it was made after the
 * write was composed, as far as two clocks agree.
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
