import type { Clock } from "../../api/clock.ts";
import type { ServiceError } from "../../api/errors.ts";
import type { RateLimit } from "../../api/rate-limit.ts";
import type { Answer, Service, SupplyPointProcess } from "../../api/service.ts";
import type { AppError } from "../../errors/app-error.ts";
import type { Ended } from "../decide.ts";
import type { Again, Bar } from "../guard.ts";
import type { Attempt, Reason } from "../journal/entry.ts";
import type { Journal } from "../journal/open-journal.ts";
import type { Item, Operation } from "../kinds/kind.ts";
import type { ProcessLife } from "../owner.ts";

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
  readonly timeoutMs?: number | undefined;
  /** Before a resend, because what was given up on may still be running; 10 s by default. */
  readonly settleMs?: number | undefined;
  /** All attempts together; 90 s by default. */
  readonly totalMs?: number | undefined;
  /** Behind another write to the same account; 3 min by default. */
  readonly queueMs?: number | undefined;
  /** The operator's way past the duplicate guard and past the block after a 400. */
  readonly again?: Again | undefined;
  readonly onEvent?: ((event: SubmitEvent) => void) | undefined;
  /** Called at each named moment, and waited for; lets a test stop a process there. */
  readonly atPoint?: ((point: CommitPoint) => void | Promise<void>) | undefined;
}

export interface SubmitOptions extends SendOptions {
  /** The bulk run it belongs to, and which line of its input it is. */
  readonly run?: string | undefined;
  readonly line?: number | undefined;
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

/** Reports to a screen or a command; a fault of theirs cannot disturb the write. */
export function report(options: SendOptions, event: SubmitEvent): void {
  try {
    options.onEvent?.(event);
  } catch {
    // The journal counts, not the listener.
  }
}

/** Returns true if an event is a wait that can be skipped. */
export function isSkippable(event: SubmitEvent | null | undefined): boolean {
  return event?.kind === "waiting" && event.skip !== null;
}

/** How a write ended, as it stands in the journal. */
export interface WriteResult {
  readonly journalId: number;
  readonly operation: Operation;
  readonly outcome: Ended | "closed";
  readonly reason: Reason;
  /** Whether it may have taken effect although it is not confirmed. */
  readonly mayHaveTakenEffect: boolean;
  readonly items: readonly Item[];
  /** All that were made for this entry. */
  readonly attempts: number;
  /** Of the last answer, if there was one. */
  readonly httpStatus: number | null;
  readonly code: string | null;
  /** The last answer's body; untrusted. */
  readonly response: string | null;
  /** What the last attempt failed with; null when it did not. */
  readonly error: ServiceError | null;
  /** The import process of a supply point, where it was looked up (INTERFACE 4.7). */
  readonly process: SupplyPointProcess | null;
  /** What the duplicate guard found when it kept this one back; null when it did not. */
  readonly bar: Bar | null;
  /** Set when the outcome is known but could not be written down; the journal says unknown then. */
  readonly journalError: AppError<"journal"> | null;
}

/** How one attempt ended, as far as it is known. */
export type AttemptFacts = Pick<
  Attempt,
  "outcome" | "httpStatus" | "code" | "detail" | "startedAt" | "endedAt"
>;

/** What a screen can show while a write is under way; each is reported after its commit. */
export type SubmitEvent =
  | { readonly kind: "queued"; readonly journalId: number }
  /** Another write to the same account goes first. */
  | {
      readonly kind: "waiting-for-account";
      readonly journalId: number;
      readonly behind: number;
      readonly pid: number;
    }
  | {
      readonly kind: "looking-up";
      readonly journalId: number;
      readonly purpose: "before" | "after";
    }
  /** A supply point's import process that is there before anything is sent. */
  | {
      readonly kind: "found-before";
      readonly journalId: number;
      readonly process: SupplyPointProcess;
    }
  | {
      readonly kind: "sending";
      readonly journalId: number;
      readonly n: number;
      readonly at: number;
      /** When it is given up on. */
      readonly until: number;
    }
  | { readonly kind: "headers-sent"; readonly journalId: number; readonly n: number }
  /** An attempt has ended; `error` is null when the service confirmed what was sent. */
  | {
      readonly kind: "attempt-ended";
      readonly journalId: number;
      readonly n: number;
      readonly end: AttemptFacts;
      readonly error: ServiceError | null;
    }
  /** A countdown; `skip` ends it now, and is null where the service asks for the wait. */
  | {
      readonly kind: "waiting";
      readonly journalId: number;
      readonly why: "back-off" | "settle" | "as-asked";
      readonly before: "send" | "resend" | "look-up";
      readonly until: number;
      readonly skip: (() => void) | null;
    }
  | { readonly kind: "outcome"; readonly result: WriteResult };

/** The moments of a write between which a process can be killed; see `SubmitOptions.atPoint`. */
export const commitPoints = [
  "before-intent",
  "intent-committed",
  "queued-reported",
  "looked-up",
  "attempt-committed",
  "headers-sent",
  "answered",
  "attempt-recorded",
  "waiting",
  "outcome-committed",
  "outcome-reported",
] as const;

export type CommitPoint = (typeof commitPoints)[number];

/** Sends one write once, as {@link Service.post} does. */
type Dispatch = Service["post"];

/** INTERFACE 4.7. */
type LookUpSupplyPoint = (
  supplier: string,
  identifier: string,
  options: {
    readonly signal: AbortSignal;
    readonly timeoutMs: number;
    /** How far waits that the service asks for may put that off, in milliseconds. */
    readonly rateLimitWaitMs: number;
  },
) => Promise<Answer<SupplyPointProcess>>;

/** The part of the service that writes need. */
export interface WriteService {
  readonly baseUrl: string;
  readonly dispatch: Dispatch;
  readonly lookUpSupplyPoint: LookUpSupplyPoint;
  /** See `Service.rateLimit`. */
  readonly rateLimit: RateLimit;
  /** See `Service.renewConnections`. */
  readonly renewConnections: () => void;
  /** See `Service.trustedNow`. */
  readonly trustedNow: () => number | null;
}

/** The part of a service that writes need. */
export function writeServiceOf(service: Service): WriteService {
  return {
    baseUrl: service.baseUrl,
    rateLimit: service.rateLimit,
    renewConnections: () => service.renewConnections(),
    trustedNow: () => service.trustedNow(),
    dispatch: (request, options) => service.post(request, options),
    lookUpSupplyPoint: (supplier, identifier, options) =>
      service.supplyPoints.status(supplier, identifier, options),
  };
}
