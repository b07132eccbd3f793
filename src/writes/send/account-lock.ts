/** The account lock: writes to one account or supply point are sent one after another. */
import { mostRateLimitWaitMs } from "../../api/rate-limit.ts";
import type { Rows } from "../../sqlite/rows.ts";
import { setStanding } from "../journal/changes.ts";
import { claim, isClaimed } from "../journal/claims.ts";
import { type Entry, type Reason, readEntry, type State } from "../journal/entry.ts";
import { ownerText } from "../owner.ts";
import { WriteError } from "../write-error.ts";
import {
  limitsOf,
  report,
  type SendOptions,
  type WriteContext,
  type WriteResult,
} from "./events.ts";
import { stopReasonOf } from "./request.ts";
import { countdown } from "./waits.ts";

const pollMs = 100;

type Acquired<T> =
  | { readonly kind: "taken"; readonly taken: T }
  /** Given up while waiting; nothing was sent. */
  | { readonly kind: "ended"; readonly result: WriteResult };

/**
 * Claims the entry and its account lock, and does `work` in the same commit: where that throws,
 * nothing is claimed. Rejects with WriteError when the entry may not be sent.
 */
export async function acquireAccountLock<T>(
  context: WriteContext,
  id: number,
  from: readonly State[],
  options: SendOptions,
  work: (rows: Rows, entry: Entry) => T,
): Promise<Acquired<T>> {
  const { clock, journal, process, random } = context;
  const giveUp = clock.now() + limitsOf(options).queueMs;
  let behind: number | null = null;
  for (;;) {
    const pause = await passRateLimit(context, id, options);
    const stopped = stopReasonOf(options.signal);
    if (stopped !== null) return leave(context, id, stopped, options);
    if (pause === "too-long") return leave(context, id, "rate-limited", options);
    const found = await journal.commit((rows) => {
      const claimed = claim(rows, id, process, clock.now(), from);
      if (claimed.kind === "busy") return claimed;
      return { kind: "taken" as const, taken: work(rows, claimed.entry) };
    });
    if (found.kind === "taken") return found;
    if (behind !== found.by) {
      behind = found.by;
      const { by, pid } = found;
      report(options, { kind: "waiting-for-account", journalId: id, behind: by, pid });
    }
    if (clock.now() >= giveUp) return leave(context, id, "account-busy", options);
    do await clock.sleep(Math.round(pollMs * (0.5 + random())), options.signal).catch(() => {});
    while (!options.signal.aborted && clock.now() < giveUp && stillBusy(context, found.by));
  }
}

/** Waits for what the service asks of every call, before anything is on record as being sent. */
async function passRateLimit(
  { clock, service }: WriteContext,
  journalId: number,
  options: SendOptions,
): Promise<"passed" | "too-long"> {
  const { rateLimit } = service;
  const began = clock.now();
  for (;;) {
    const until = rateLimit.until();
    if (until === null || options.signal.aborted) return "passed";
    if (until - began > mostRateLimitWaitMs) return "too-long";
    const { over, skip } = countdown(clock, until, options.signal);
    report(options, { kind: "waiting", journalId, why: "as-asked", before: "resend", until, skip });
    await over.catch(() => {});
    // Cut short by hand: the service may ask again.
    if (clock.now() < until) return "passed";
  }
}

/** Whether the entry in front is still being sent; only read, so that waiting costs the disk nothing. */
function stillBusy({ journal, process, clock }: WriteContext, by: number): boolean {
  return journal.read((rows) => isClaimed(rows, by, process, clock.now()));
}

/** Ends an entry that never got the lock. One that was tried before stays as it was. */
async function leave(
  context: WriteContext,
  id: number,
  reason: Reason,
  options: SendOptions,
): Promise<Extract<Acquired<never>, { readonly kind: "ended" }>> {
  const { clock, journal, process } = context;
  const outcome = reason === "rate-limited" ? "retryable" : "unsent";
  const entry = await journal.commit((rows) => {
    const found = readEntry(rows, id);
    if (found === null) throw new WriteError("not-found", `The journal has no entry ${id}.`, id);
    const mine = found.owner !== null && ownerText(found.owner) === ownerText(process.self);
    if (found.state !== "intent" || !mine) return null;
    setStanding(rows, id, process.self, {
      state: outcome,
      reason,
      doubt: "none",
      httpStatus: null,
      code: null,
      items: [],
      endedAt: clock.now(),
    });
    rows.update("intent", { owner: null }, "id = ?", id);
    return found;
  });
  if (entry === null) {
    throw new WriteError(
      "in-use",
      `Entry ${id} was not sent: another entry for the same account is sent first.`,
      id,
    );
  }
  const result: WriteResult = {
    journalId: id,
    operation: entry.operation,
    outcome,
    reason,
    mayHaveTakenEffect: false,
    items: [],
    attempts: 0,
    httpStatus: null,
    code: null,
    response: null,
    error: null,
    process: null,
    bar: null,
    journalError: null,
  };
  report(options, { kind: "outcome", result });
  return { kind: "ended", result };
}
