import { isServiceError, type ServiceError, type ServiceErrorKind } from "../../api/errors.ts";
import { poll } from "../../watch/poll.ts";
import { type Finality, notFound, observe, type Transition } from "../../watch/transitions.ts";
import type { Io } from "../io.ts";

/** A change of state between two checks. */
export interface Change<T> {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly state: string;
  /** The state before, or null at the first check. */
  readonly previous: string | null;
  /** The value, or null if the service does not know the subject (404). */
  readonly value: T | null;
}

export interface FollowPlan<T> {
  readonly until: string;
  readonly intervalMs: () => number;
  /** True to wait if the first check is a 404. */
  readonly wait: boolean;
  check(id: string, signal: AbortSignal): Promise<T>;
  stateOf(value: T): string;
  /** Returns the details that can change without the state and need a line, or null for none. */
  detailOf(value: T): string | null;
  finality(timeline: readonly Transition[]): Finality;
  changed(change: Change<T>): Promise<void>;
  /** A check failed and others follow; reported once until one succeeds. */
  troubled(id: string, error: unknown): void;
  recovered(id: string): void;
}

/** The end of following one subject. */
export type Outcome =
  | { readonly kind: "reached"; readonly id: string }
  | { readonly kind: "other-final-state"; readonly id: string; readonly state: string }
  | { readonly kind: "missing"; readonly id: string; readonly error: unknown }
  /** The signal was aborted before the end. */
  | { readonly kind: "stopped"; readonly id: string; readonly state: string | null };

/** Failures that can pass before the next check. Others end the watch: more checks would not help. */
const passing: ReadonlySet<ServiceErrorKind> = new Set([
  "unavailable",
  "unreachable",
  "timeout",
  "rate-limited",
  "unreadable",
]);

/** Returns true if a failure might be over before the next check. */
export function isTransient(error: unknown): error is ServiceError {
  return isServiceError(error) && passing.has(error.kind);
}

/**
 * Looks at one thing until it reaches the state asked for, or another final one.
 * Throws what cannot be waited out, such as refused credentials.
 */
export async function follow<T>(
  id: string,
  plan: FollowPlan<T>,
  { clock }: Pick<Io, "clock">,
  signal: AbortSignal,
): Promise<Outcome> {
  let timeline: readonly Transition[] = [];
  let detail: string | null = null;
  let trouble: string | null = null;
  const events = poll({
    check: (signal) => plan.check(id, signal),
    intervalMs: plan.intervalMs,
    clock,
    signal,
  });
  for await (const event of events) {
    if (event.kind === "checking") continue;
    const isMissing = event.kind === "failed" && isServiceError(event.error, "not-found");
    if (event.kind === "failed" && !isMissing) {
      if (!isTransient(event.error)) throw event.error;
      const { kind, facts } = event.error;
      const seen = `${kind} ${facts.httpStatus ?? ""}`;
      if (trouble !== seen) plan.troubled(id, event.error);
      trouble = seen;
      continue;
    }
    if (trouble !== null) plan.recovered(id);
    trouble = null;
    if (event.kind === "failed" && timeline.length === 0 && !plan.wait)
      return { kind: "missing", id, error: event.error };

    const value = event.kind === "answer" ? event.value : null;
    const state = value === null ? notFound : plan.stateOf(value);
    const previous = timeline.at(-1)?.state ?? null;
    const before: string | null = detail;
    detail = value === null ? null : plan.detailOf(value);
    timeline = observe(timeline, state, event.at);
    if (state !== previous || detail !== before)
      await plan.changed({ id, at: event.at, state, previous, value });
    if (value === null) continue;
    if (state.toUpperCase() === plan.until.toUpperCase()) return { kind: "reached", id };
    if (plan.finality(timeline) !== "open") return { kind: "other-final-state", id, state };
  }
  return { kind: "stopped", id, state: timeline.at(-1)?.state ?? null };
}
