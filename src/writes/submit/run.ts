/** One write under way: what is known of it, and how that is put on record. */
import type { ServiceError } from "../../api/errors.ts";
import type { SupplyPointProcess } from "../../api/service.ts";
import type { Ended } from "../decide.ts";
import type { Bar } from "../guard.ts";
import { type AttemptRecord, blockForm, endAttempt, setStanding } from "../journal/changes.ts";
import { releaseClaim } from "../journal/claims.ts";
import { type Doubt, type Entry, type Item, type Reason, readEntry } from "../journal/entry.ts";
import { JournalError } from "../journal/journal-error.ts";
import type { PreparedWrite } from "../prepare.ts";
import { mostResends } from "../retry-table.ts";
import type { WriteResult } from "./events.ts";
import { type Limits, type SendOptions, tell, type WriteContext } from "./options.ts";

/** An attempt on record as being sent: its number, and when it began. */
export interface Begun {
  readonly n: number;
  readonly startedAt: number;
}

/** Changes as attempts are made; one for each sending of an entry. */
export interface Run {
  readonly context: WriteContext;
  readonly options: SendOptions;
  readonly limits: Limits;
  entry: Entry;
  readonly write: PreparedWrite;
  /** Epoch milliseconds when all attempts must have ended; put off by waits that the service asks for. */
  deadline: number;
  /** How long it has waited because the service asked for it. */
  askedMs: number;
  /** An attempt that is on record as being sent already; null when there is none. */
  begun: Begun | null;
  /** Number of the last attempt of this entry, by whomever. */
  n: number;
  /** Attempts of this run. */
  made: number;
  resendsLeft: number;
  doubt: Doubt;
  vendorFailures: number;
  state: Ended;
  reason: Reason;
  items: readonly Item[];
  httpStatus: number | null;
  code: string | null;
  response: string | null;
  error: ServiceError | null;
  process: SupplyPointProcess | null;
  /** What the duplicate guard found in the commit that was to begin the first attempt. */
  bar: Bar | null;
  /** When the last attempt ended. */
  lastEndedAt: number;
  /** Another process has given this one up and settled the entry; nothing more is sent. */
  lost: boolean;
}

export function newRun(
  context: WriteContext,
  options: SendOptions,
  limits: Limits,
  entry: Entry,
  write: PreparedWrite,
  last: { readonly n: number; readonly endedAt: number },
): Run {
  const kept: Ended =
    entry.state === "unknown" || entry.state === "retryable" || entry.state === "rejected"
      ? entry.state
      : "unsent";
  return {
    context,
    options,
    limits,
    entry,
    write,
    deadline: context.clock.now() + limits.totalMs,
    askedMs: 0,
    begun: null,
    n: last.n,
    made: 0,
    resendsLeft: mostResends,
    doubt: entry.doubt,
    vendorFailures: 0,
    state: kept,
    reason: entry.reason ?? "never-sent",
    items: [],
    httpStatus: entry.httpStatus,
    code: entry.code,
    response: null,
    error: null,
    process: null,
    bar: null,
    lastEndedAt: last.endedAt,
    lost: false,
  };
}

/** How often a known outcome is tried to be written down before it is given up as not recorded. */
const recordTries = 5;
const recordPauseMs = 200;

/** Puts the run on record: its last attempt, if given, and where the entry stands now. */
export async function record(
  run: Run,
  what: { readonly attempt?: AttemptRecord; readonly over: boolean; readonly block?: boolean },
): Promise<JournalError | null> {
  const { context, entry } = run;
  const { journal, clock, process } = context;
  for (let n = 1; ; n++) {
    try {
      const taken = await journal.commit((rows) => {
        const at = clock.now();
        if (what.attempt) endAttempt(rows, entry.id, what.attempt);
        // Between attempts the journal says what the write would be if this process ended now.
        const state = run.state === "unsent" && !what.over ? "intent" : run.state;
        const { reason, doubt, httpStatus, code, items } = run;
        const endedAt = what.over ? at : null;
        const kept = setStanding(rows, entry.id, process.self, {
          state,
          reason,
          doubt,
          httpStatus,
          code,
          items,
          endedAt,
        });
        if (what.block) blockForm(rows, entry, entry.id, at);
        if (what.over) releaseClaim(rows, entry.id, process.self);
        return kept ? null : readEntry(rows, entry.id);
      });
      if (taken !== null) yieldTo(run, taken);
      return null;
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      if (n >= recordTries) return error;
    }
    await clock.sleep(recordPauseMs * n);
  }
}

/** What the journal says by now is what is told. */
export function yieldTo(run: Run, entry: Entry | null): void {
  const { state } = run;
  run.lost = true;
  run.state = entry?.state === state ? state : "unknown";
  run.reason = entry?.reason ?? "process-ended";
  run.doubt = "unknown";
}

/** The end of a run: recorded, then told. */
export async function finish(
  run: Run,
  what: { readonly attempt?: AttemptRecord; readonly block?: boolean } = {},
): Promise<WriteResult> {
  const journalError = await record(run, { ...what, over: true });
  return tellOutcome(run, journalError, what.attempt);
}

/** Told once its record is on disk. */
export function tellAttemptEnded(run: Run, attempt: AttemptRecord): void {
  const { entry, error, options } = run;
  const { n, outcome, httpStatus, code, detail, startedAt, endedAt } = attempt;
  const end = { outcome, httpStatus, code, detail, startedAt, endedAt };
  tell(options, { kind: "attempt-ended", journalId: entry.id, n, end, error });
}

/** The end of a run that the duplicate guard kept back: it is on record already. */
export function tellBarred(run: Run): Promise<WriteResult> {
  return tellOutcome(run, null);
}

async function tellOutcome(
  run: Run,
  journalError: JournalError | null,
  attempt?: AttemptRecord,
): Promise<WriteResult> {
  await run.options.atPoint?.("outcome-committed");
  if (attempt && journalError === null) tellAttemptEnded(run, attempt);
  const result = resultOf(run, journalError);
  tell(run.options, { kind: "outcome", result });
  await run.options.atPoint?.("outcome-told");
  return result;
}

/** What could not be written down is not claimed, unless nothing was sent at all. */
export function resultOf(run: Run, journalError: JournalError | null): WriteResult {
  const lost = journalError !== null && run.state !== "unsent";
  return {
    journalId: run.entry.id,
    operation: run.entry.operation,
    outcome: lost ? "unknown" : run.state,
    reason: lost ? "not-recorded" : run.reason,
    mayHaveLanded: lost || (run.state !== "confirmed" && run.doubt !== "none"),
    items: run.items,
    attempts: run.n,
    httpStatus: run.httpStatus,
    code: run.code,
    response: run.response,
    error: run.error,
    process: run.process,
    bar: run.bar,
    journalError,
  };
}
