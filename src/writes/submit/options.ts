import type { Clock } from "../../api/clock.ts";
import type { WriteService } from "../dispatch.ts";
import type { Again } from "../guard.ts";
import type { Journal } from "../journal/open-journal.ts";
import type { ProcessLife } from "../owner.ts";
import type { CommitPoint, SubmitEvent } from "./events.ts";

/** What writes are made with. */
export interface WriteContext {
  readonly journal: Journal;
  readonly service: WriteService;
  readonly process: ProcessLife;
  readonly clock: Clock;
  /** The profile's name, for the journal. */
  readonly profile: string;
  /** From 0 to 1, for the spread of waits. */
  readonly random: () => number;
}

/** What can be chosen for one write. */
export interface SendOptions {
  readonly signal: AbortSignal;
  /** Bounds one request; 30 s by default. */
  readonly timeoutMs?: number;
  /** Before a resend, because what was given up on may still be running; 10 s by default. */
  readonly settleMs?: number;
  /** All attempts together; 90 s by default. */
  readonly totalMs?: number;
  /** Behind another write to the same account; 3 min by default. */
  readonly queueMs?: number;
  /** The operator's way past the duplicate guard and past the block after a 400. */
  readonly again?: Again;
  readonly onEvent?: (event: SubmitEvent) => void;
  /** Called at each named moment, and waited for; lets a test stop a process there. */
  readonly atPoint?: (point: CommitPoint) => void | Promise<void>;
}

export interface SubmitOptions extends SendOptions {
  /** The bulk run it belongs to, and which line of its input it is. */
  readonly run?: string;
  readonly line?: number;
}

export interface Limits {
  readonly timeoutMs: number;
  readonly settleMs: number;
  readonly totalMs: number;
  readonly queueMs: number;
}

export function limitsOf(options: SendOptions): Limits {
  const { timeoutMs = 30_000, settleMs = 10_000, totalMs = 90_000, queueMs = 180_000 } = options;
  return { timeoutMs, settleMs, totalMs, queueMs };
}

/** Tells a screen; what it does with it cannot disturb the write. */
export function tell(options: SendOptions, event: SubmitEvent): void {
  try {
    options.onEvent?.(event);
  } catch {
    // A fault of whoever listens. The journal, not the listener, is what counts.
  }
}
