/**
 * Sends a recorded entry: executes the effects that step.ts computes. No other code sends writes.
 */
import { epochOf } from "../../api/clock.ts";
import { isAppError } from "../../errors/app-error.ts";
import { log } from "../../log/log.ts";
import { fileError } from "../../sqlite/file-error.ts";
import type { Rows } from "../../sqlite/rows.ts";
import {
  addRemark,
  beginAttempt,
  blockItems,
  endAsUnsent,
  endAttempt,
  setLookedUp,
  updateEntry,
} from "../journal/changes.ts";
import { type Entry, entryError, readAttempts, readEntry, type State } from "../journal/entry.ts";
import { journalWords } from "../journal/journal-file.ts";
import { readPasses, storeTeamBars } from "../journal/override.ts";
import { newWriteDoubt } from "../older-journal.ts";
import { prepareWrite } from "../prepare.ts";
import { refuseTeam } from "../refuse-team.ts";
import { askAboutEntry, entryBarError, entryBarOf } from "../resend-guard.ts";
import { findingsOfTeam } from "../team/ask.ts";
import { giveUpClaim, storeTeamId } from "../team/claims.ts";
import { barWords } from "../words/guard.ts";
import { refusalError } from "../words/team.ts";
import { acquireAccountLock, releaseClaim, renewClaim } from "./account-lock.ts";
import { askLedger, claimInCommit, mayBegin, publishBefore, whileRenewed } from "./claim.ts";
import {
  limitsOf,
  report,
  type SendOptions,
  stopReasonOf,
  type WriteContext,
  type WriteResult,
} from "./events.ts";
import { lookUp } from "./look-up.ts";
import { sendOnce, takeTurn } from "./request.ts";
import {
  type Moment,
  resultOf,
  type SendEvent,
  type SendFacts,
  type SendState,
  type SendTask,
  sendFactsOf,
  type Task,
} from "./state.ts";
import { beginsAtOnce, open, step } from "./step.ts";

interface Sending {
  readonly context: WriteContext;
  readonly options: SendOptions;
  readonly id: number;
}

/**
 * Sends an entry whose state is in `from`, and resolves with its outcome when that is on disk. With
 * the purpose `verify` it only looks up the supply point. Rejects with a write error or a journal
 * error only if this call sent nothing.
 */
export async function sendEntry(
  context: WriteContext,
  id: number,
  from: readonly State[],
  options: SendOptions,
  purpose: "send" | "verify" = "send",
): Promise<WriteResult> {
  if (purpose === "send") refuseTeam(context);
  const { team } = context;
  const sending: Sending = { context, options, id };
  if (team !== null && purpose === "send") await publishBefore(context, team, id);
  const claimed = await acquireAccountLock(context, id, from, options, (rows, entry) => {
    const known = initialFacts(sending, rows, entry);
    const doubt = purpose === "send" ? newWriteDoubt(context.journal, known.write) : null;
    if (doubt !== null) throw doubt;
    if (team !== null && purpose === "send") claimInCommit(rows, team, id, known.write);
    // The claim and the attempt share a commit if no step is between them.
    const isBegun = purpose === "send" && beginsAtOnce(known);
    return { known, begun: isBegun ? beginInCommit(sending, known, rows) : null };
  });
  if (claimed.kind === "ended") return claimed.result;
  const { known, begun } = claimed.taken;
  let state: SendState = { kind: "beginning", known };
  try {
    let { state: next, effects } =
      begun === null
        ? open(known, purpose, momentOf(sending))
        : step(state, begun, momentOf(sending));
    for (;;) {
      state = next;
      let event: SendEvent | null = null;
      for (const effect of effects) event = await executeEffect(sending, state.known, effect);
      if (state.kind === "over") return state.result;
      if (event === null) throw new Error(`A write that is ${state.kind} waits for nothing.`);
      ({ state: next, effects } = step(state, event, momentOf(sending)));
    }
  } catch (error) {
    // If the claim cannot be released here, it ends with this process.
    await context.journal
      .commit((rows) => {
        releaseClaim(rows, id, context.process.self);
        giveUpClaim(rows, id, context.clock.now());
      })
      .catch(() => {});
    // The journal already has the outcome of the earlier attempt.
    if (state.known.made > 0 && isAppError(error, "journal")) {
      return resultOf(state.known, error);
    }
    throw error;
  } finally {
    // The outcome is in the journal, so the caller need not wait for it.
    team?.publish().catch(() => {});
  }
}

function momentOf({ context, options }: Sending): Moment {
  const { clock, service, random } = context;
  const [now, elapsed] = [clock.now(), clock.elapsed()];
  const limitedUntil = service.rateLimit.until();
  return {
    now,
    elapsed,
    random: random(),
    limitedUntil: limitedUntil === null ? null : elapsed + (limitedUntil - now),
    stopped: stopReasonOf(options.signal),
  };
}

/**
 * Returns the initial facts of sending. Throws a write error `purged`, or a journal error if the
 * bytes differ from the recorded bytes.
 */
function initialFacts({ context, options }: Sending, rows: Rows, entry: Entry): SendFacts {
  const { id, operation, query, body } = entry;
  if (body === null) {
    throw entryError(id, "purged", `The body of entry ${id} is no longer stored.`);
  }
  const write = prepareWrite({ operation, query, body });
  if (write.sha256 !== entry.sha256) {
    const words = `Entry ${id} of the journal does not hold the bytes that it was created with.`;
    throw fileError(journalWords, "corrupt", context.journal.path, words);
  }
  const last = readAttempts(rows, id).at(-1);
  const endedAt = last?.endedAt ?? last?.startedAt ?? 0;
  const limits = limitsOf(options);
  const moment = { now: context.clock.now(), elapsed: context.clock.elapsed() };
  const isShared = context.team !== null;
  return sendFactsOf(entry, write, limits, { n: last?.n ?? 0, endedAt }, isShared, moment);
}

/** Executes an effect. Returns null for an effect that is not a task. */
async function executeEffect(
  sending: Sending,
  known: SendFacts,
  effect: SendTask,
): Promise<SendEvent | null> {
  const { context, options, id } = sending;
  const { journal, service } = context;
  switch (effect.kind) {
    case "report":
      report(options, effect.event);
      return null;
    case "point":
      await options.atPoint?.(effect.point);
      return null;
    case "renew-connections":
      service.renewConnections();
      return null;
    case "look-up":
      return {
        kind: "looked-up",
        lookUp: await lookUp(context, { ...known, purpose: effect.purpose }, options),
      };
    case "save-look-up":
      await journal.commit((rows) => setLookedUp(rows, id, effect.lookedUp));
      return { kind: "look-up-saved" };
    case "wait":
      return whileRenewed(context, known, () => wait(sending, effect));
    case "turn": {
      const turn = { id, isFirst: known.n === 0, maxMs: effect.maxMs };
      const take = () => takeTurn(context, turn, options);
      return { kind: "granted", waitedMs: await whileRenewed(context, known, take) };
    }
    case "claim":
      if (context.team === null) throw new Error("A write without a team cannot be claimed.");
      return askLedger(context, context.team, known, options);
    case "begin":
      return journal.commit((rows) => beginInCommit(sending, known, rows));
    case "send": {
      const { n, timeoutMs } = effect;
      const mayLeave = () => mayBegin(context.team, known.permit);
      const attempt = { id, n, write: known.write, timeoutMs, mayLeave };
      const sent = await sendOnce(context, attempt, options);
      await options.atPoint?.("answered");
      return { kind: "answered", sent };
    }
    case "record":
      return record(sending, known, effect);
  }
}

/**
 * Records the next attempt as being sent, unless another process owns the entry, the duplicate guard
 * bars it, or the permission of the team's ledger is too old. Throws a write error if the guard bars a resend.
 */
function beginInCommit(sending: Sending, known: SendFacts, rows: Rows): SendEvent {
  const { context, id } = sending;
  const { clock, process } = context;
  const startedAt = clock.now();
  if (!mayBegin(context.team, known.permit)) return { kind: "too-late" };
  const barred = barredAtStart(sending, known, rows);
  if (barred !== null) return barred;
  renewClaim(rows, id, process.self, startedAt);
  const n = beginAttempt(rows, id, process.self, startedAt);
  if (n === null) return { kind: "taken-over", by: readEntry(rows, id) };
  const teamId = known.permit?.id ?? null;
  if (teamId !== null) {
    storeTeamId(rows, id, teamId);
    storeTeamBars(rows, id, []);
  }
  return { kind: "begun", n, startedAt };
}

/**
 * Checks the duplicate guard again under the account lock. A duplicate that was sent first might
 * have been confirmed or refused since this entry was recorded. Only the findings that the stored
 * overrides of the entry name are passed. A barred entry that was never sent
 * ends as unsent. A barred resend throws a write error, and its entry is not changed.
 */
function barredAtStart(
  { context, id }: Sending,
  { entry, write, made, state }: SendFacts,
  rows: Rows,
): SendEvent | null {
  // The retry table decides about later attempts. The account lock prevents duplicates in the
  // meantime.
  if (made > 0) return null;
  const bar = entryBarOf(askAboutEntry(rows, entry, write, readPasses(rows, id)));
  if (bar === null) return null;
  if (state !== "unsent" || bar.kind === "might-apply-twice") throw entryBarError(bar);
  const at = context.clock.now();
  const by = bar.earlier.journalId;
  endAsUnsent(rows, id, { reason: bar.kind, by, words: barWords(bar), at });
  releaseClaim(rows, id, context.process.self);
  return { kind: "barred", bar };
}

/** Runs a countdown. It can be skipped unless the service requires the wait. */
async function wait(
  { context: { clock }, options, id }: Sending,
  { why, before, until }: Extract<Task, { readonly kind: "wait" }>,
): Promise<SendEvent> {
  const skipped = new AbortController();
  const stopOrSkip = AbortSignal.any([options.signal, skipped.signal]);
  const ended = clock.sleep(until - clock.elapsed(), stopOrSkip).catch((reason: unknown) => {
    if (!stopOrSkip.aborted) throw reason;
  });
  const skip = why === "rate-limit" ? null : () => skipped.abort();
  const ms = Math.max(0, until - clock.elapsed());
  log({ event: "write-wait", entry: id, why, before, ms });
  const reportedUntil = epochOf(clock, until);
  report(options, { kind: "waiting", journalId: id, why, before, until: reportedUntil, skip });
  await options.atPoint?.("waiting");
  await ended;
  return { kind: "waited" };
}

/** Number of tries to record an outcome. After the last, it counts as not recorded. */
const recordTries = 5;
/** Wait before the second try, in milliseconds. Each later wait is longer by this time. */
const recordPauseMs = 200;

function noteRefusal(rows: Rows, { entry, write, refusal }: SendFacts, at: number): void {
  if (refusal === null || refusal.kind === "away") return;
  const { id: journalId, operation } = entry;
  const { message } = refusalError(refusal, { journalId, operation, items: write.keys.length });
  addRemark(rows, entry.id, { at, kind: "guarded", text: message });
  if (refusal.kind !== "barred") return;
  storeTeamBars(rows, entry.id, findingsOfTeam(write.keys, refusal.findings));
}

async function record(
  { context, id }: Sending,
  known: SendFacts,
  { attempt, over, block }: Extract<Task, { readonly kind: "record" }>,
): Promise<SendEvent> {
  const { journal, clock, process } = context;
  const { state, reason, doubt, httpStatus, code, items } = known;
  for (let n = 1; ; n++) {
    try {
      const takenOver = await journal.commit((rows) => {
        const at = clock.now();
        if (attempt) endAttempt(rows, id, attempt);
        const isOurs = updateEntry(rows, id, process.self, {
          // Between attempts, the journal has the state that would be correct if this process ended
          // now.
          state: state === "unsent" && !over ? "intent" : state,
          reason,
          doubt,
          httpStatus,
          code,
          items,
          endedAt: over ? at : null,
        });
        if (block) blockItems(rows, id);
        if (over) noteRefusal(rows, known, at);
        if (over) releaseClaim(rows, id, process.self);
        return isOurs ? null : readEntry(rows, id);
      });
      return { kind: "recorded", failure: null, takenOver };
    } catch (error) {
      if (!isAppError(error, "journal")) throw error;
      if (n >= recordTries) return { kind: "recorded", failure: error, takenOver: null };
    }
    await clock.sleep(recordPauseMs * n);
  }
}
