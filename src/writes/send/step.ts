/**
 * Computes the next state and effects of a write: a pure function of its state, an event and the
 * moment. The driver in send-entry.ts executes the effects, in order, before the next event.
 */
import { maxRateLimitWaitMs } from "../../api/rate-limit.ts";
import { resumeAt, situationOf, type Wait } from "../decide.ts";
import type { Entry, Reason } from "../journal/entry.ts";
import { kindOf } from "../kinds/kinds.ts";
import { maxResends } from "../retry-table.ts";
import type { LedgerRefusal } from "../team/ledger.ts";
import { classifyResponse } from "./classify-response.ts";
import { confirms, type LookUp, storedLookUp } from "./look-up.ts";
import type { Sent } from "./request.ts";
import {
  end,
  ended,
  finish,
  leave,
  type Moment,
  type NextStep,
  reportOf,
  type SendEvent,
  type SendFacts,
  type SendState,
  type SendTask,
  type Step,
} from "./state.ts";

/** Maximum number of look-ups. Then the outcome is unknown, as absence proves nothing. */
const maxLookUps = 3;

const backOffOnly: Wait = { kind: "back-off", ms: 0 };

/** Returns the first step for an entry that was claimed without an attempt. */
export function open(known: SendFacts, purpose: "send" | "verify", moment: Moment): Step {
  if (purpose === "verify") return wait(known, backOffOnly, { kind: "look-up", n: 1 }, 1, moment);
  if (!isLookedUp(known.entry)) return startSending(known, moment);
  const when = known.doubt === "none" ? "before" : "after";
  return { state: { kind: "looking-up", known }, effects: [{ kind: "look-up", purpose: when }] };
}

/**
 * Returns true if the claim and the first attempt can share a commit, because no look-up, no wait
 * and no question to a ledger is between them.
 */
export function beginsAtOnce({ entry, doubt, isShared }: SendFacts): boolean {
  return !isShared && !isLookedUp(entry) && doubt !== "unknown";
}

function isLookedUp({ operation }: Entry): boolean {
  return kindOf(operation).readBack.by === "look-up";
}

/** Returns the next step. Throws for an event that is impossible now: a defect of the driver. */
export function step(state: SendState, event: SendEvent, moment: Moment): Step {
  const { known } = state;
  switch (state.kind) {
    case "looking-up":
      if (event.kind === "looked-up") return lookedUp(known, event.lookUp, moment);
      break;
    case "saving-look-up":
      if (event.kind === "look-up-saved") return lookUpSaved(known, [], moment);
      break;
    case "waiting":
      if (event.kind === "waited") return waited(known, state.next, moment);
      break;
    case "queued":
      if (event.kind === "granted") return granted(known, event.waitedMs, moment);
      break;
    case "claiming":
      if (event.kind === "claimed") return claimed(known, event, moment);
      if (event.kind === "not-claimed") return notClaimed(known, event, moment);
      break;
    case "beginning":
      return begun(known, event, moment);
    case "sending":
      if (event.kind !== "answered") break;
      return answered(known, event.sent, state.startedAt, moment);
    case "recording":
      if (event.kind === "recorded") return recorded(state, event, moment);
      break;
    case "polling":
      if (event.kind === "looked-up") return polled(known, event.lookUp, state.n, moment);
      break;
    case "finishing": {
      if (event.kind !== "recorded") break;
      const settled = event.takenOver === null ? known : yieldTo(known, event.takenOver);
      return end(settled, event.failure, state.attempt);
    }
    case "over":
      break;
  }
  throw impossible(state, event);
}

function impossible(state: Pick<SendState, "kind">, event: SendEvent): Error {
  return new Error(`A write that is ${state.kind} cannot be ${event.kind}.`);
}

/** Starts sending. After an unknown outcome, waits for an earlier request's end, also by hand. */
function startSending(known: SendFacts, moment: Moment): Step {
  const settling: Wait = { kind: "settle", ms: 0 };
  return known.doubt === "unknown"
    ? wait(known, settling, { kind: "resend" }, 1, moment)
    : queue(known);
}

function queue(known: SendFacts): Step {
  const maxMs = maxRateLimitWaitMs - known.rateLimitedMs;
  return { state: { kind: "queued", known }, effects: [{ kind: "turn", maxMs }] };
}

/** Starts an attempt after the wait for the rate limit, unless it was stopped or is late. */
function granted(known: SendFacts, waitedMs: number | null, moment: Moment): Step {
  if (moment.stopped !== null) return finish({ ...known, reason: moment.stopped });
  if (waitedMs === null) return finish({ ...known, reason: "rate-limited" });
  const granted = extended(known, waitedMs);
  // The waits took all the time, or the machine slept, so a request sent now would come too late.
  if (isTooLate(granted, moment)) return finish({ ...granted, reason: "deadline" });
  return granted.isShared
    ? { state: { kind: "claiming", known: granted }, effects: [{ kind: "claim" }] }
    : begin(granted);
}

function begin(known: SendFacts): Step {
  return { state: { kind: "beginning", known }, effects: [{ kind: "begin" }] };
}

function isTooLate({ deadline, latestStartAt }: SendFacts, { elapsed, now }: Moment): boolean {
  return elapsed >= deadline || now >= latestStartAt;
}

/** Starts an attempt that the ledger allows, unless the write was stopped or is too late. */
function claimed(
  known: SendFacts,
  { permit, waitedMs }: Extract<SendEvent, { readonly kind: "claimed" }>,
  moment: Moment,
): Step {
  const permitted = { ...later(known, waitedMs), permit };
  if (moment.stopped !== null) return finish({ ...permitted, reason: moment.stopped });
  if (isTooLate(permitted, moment)) return finish({ ...permitted, reason: "deadline" });
  return begin(permitted);
}

/** Ends a write that the ledger does not allow. What earlier attempts did stays as it is. */
function notClaimed(
  known: SendFacts,
  { refusal, waitedMs }: Extract<SendEvent, { readonly kind: "not-claimed" }>,
  moment: Moment,
): Step {
  const refused = { ...later(known, waitedMs), refusal };
  return finish({ ...refused, reason: moment.stopped ?? reasonOfRefusal(refusal, known) });
}

function reasonOfRefusal(refusal: LedgerRefusal, { state }: SendFacts): Reason {
  switch (refusal.kind) {
    case "away":
      return "team-away";
    case "busy":
      return "account-busy";
    case "lost":
      return "team-refused";
    case "barred": {
      const { why } = refusal;
      if (why === "unapproved") return "not-approved";
      const isDuplicate = why === "sent-before" || why === "refused-before";
      // Of an entry that might have taken effect, the reason must not say that it was held back.
      return isDuplicate && state === "unsent" ? why : "team-refused";
    }
  }
}

/** Adds a wait for the rate limit, which does not count towards the time limit of the write. */
function extended(known: SendFacts, ms: number): SendFacts {
  return { ...later(known, ms), rateLimitedMs: known.rateLimitedMs + ms };
}

/** Adds a wait that does not count towards the time limit of the write. */
function later(known: SendFacts, ms: number): SendFacts {
  const { deadline, latestStartAt } = known;
  return { ...known, deadline: deadline + ms, latestStartAt: latestStartAt + ms };
}

function begun(known: SendFacts, event: SendEvent, moment: Moment): Step {
  switch (event.kind) {
    case "begun": {
      const { n, startedAt } = event;
      const left = known.deadline - moment.elapsed;
      const timeoutMs = Math.max(1, Math.min(known.limits.timeoutMs, left));
      const until = startedAt + timeoutMs;
      return {
        state: { kind: "sending", known: { ...known, n, made: known.made + 1 }, startedAt },
        effects: [
          { kind: "point", point: "attempt-committed" },
          reportOf({ kind: "sending", journalId: known.entry.id, n, at: startedAt, until }),
          { kind: "send", n, timeoutMs },
        ],
      };
    }
    case "barred":
      return end({ ...known, bar: event.bar, reason: event.bar.kind }, null, null);
    case "taken-over":
      return leave(yieldTo(known, event.by), null);
    case "too-late":
      return finish({ ...known, reason: "deadline" });
    default:
      throw impossible({ kind: "beginning" }, event);
  }
}

function answered(known: SendFacts, sent: Sent, startedAt: number, moment: Moment): Step {
  const classified = classifyResponse(known, sent, startedAt, moment);
  const { attempt, verdict } = classified;
  const renewed: SendTask[] = classified.renewsConnections ? [{ kind: "renew-connections" }] : [];
  const over = verdict.next === "end";
  const state: SendState = over
    ? { kind: "finishing", known: classified.known, attempt }
    : { kind: "recording", known: classified.known, attempt, verdict };
  const block = over && verdict.block;
  return { state, effects: [...renewed, { kind: "record", attempt, over, block }] };
}

function recorded(
  { known, attempt, verdict }: Extract<SendState, { readonly kind: "recording" }>,
  { failure, takenOver }: Extract<SendEvent, { readonly kind: "recorded" }>,
  moment: Moment,
): Step {
  if (takenOver !== null) return leave(yieldTo(known, takenOver), failure);
  if (failure !== null) return leave(known, failure);
  const before: SendTask[] = [{ kind: "point", point: "attempt-recorded" }, ended(known, attempt)];
  if (verdict.next === "look-up") {
    return after(before, wait(known, verdict.wait, { kind: "look-up", n: 1 }, 1, moment));
  }
  const used = verdict.wait.kind === "rate-limit" ? 0 : 1;
  const left = { ...known, resendsLeft: known.resendsLeft - used };
  const n = maxResends - left.resendsLeft;
  return after(before, wait(left, verdict.wait, { kind: "resend" }, n, moment));
}

/** Waits before resend or look-up `n`. Ends the write if it is stopped or out of time. */
function wait(known: SendFacts, rule: Wait, next: NextStep, n: number, moment: Moment): Step {
  const { elapsed, random, limitedUntil } = moment;
  const ownUntil = resumeAt(rule, known.lastEndedAt, n, known.limits.settleMs, random);
  // A wait that the service requires of another call also applies to this call.
  const until = Math.max(ownUntil, limitedUntil ?? ownUntil);
  if (until <= elapsed) return waited(known, next, moment);
  const why = until > ownUntil ? "rate-limit" : rule.kind;
  const isLimited = why === "rate-limit";
  const waiting = isLimited ? extended(known, until - elapsed) : known;
  if (isLimited ? waiting.rateLimitedMs > maxRateLimitWaitMs : until >= known.deadline) {
    return finish({ ...known, reason: isLimited ? "rate-limited" : "deadline" });
  }
  return {
    state: { kind: "waiting", known: waiting, next },
    effects: [{ kind: "wait", why, before: next.kind, until }],
  };
}

function waited(known: SendFacts, next: NextStep, moment: Moment): Step {
  if (moment.stopped !== null) return finish({ ...known, reason: moment.stopped });
  if (next.kind === "resend") return queue(known);
  return {
    state: { kind: "polling", known, n: next.n },
    effects: [{ kind: "look-up", purpose: "after" }],
  };
}

/** Handles the look-up before a supply point is sent. Later ones are compared with it. */
function lookedUp(known: SendFacts, lookUp: LookUp, moment: Moment): Step {
  switch (lookUp.kind) {
    case "cancelled":
      return finish({ ...known, reason: moment.stopped ?? "cancelled" });
    case "found": {
      const { process } = lookUp;
      const withProcess = { ...known, process };
      if (known.doubt !== "none" && confirms(known.entry, lookUp)) return confirmed(withProcess);
      const found = reportOf({ kind: "found-before", journalId: known.entry.id, process });
      return saveLookUp(withProcess, lookUp, [found], moment);
    }
    case "failed": {
      const { error } = lookUp;
      const refused = error.kind === "credentials" || error.kind === "unauthorized";
      if (!refused && situationOf(error) !== "never-sent")
        return saveLookUp(known, lookUp, [], moment);
      return finish({ ...known, error, reason: refused ? "credentials" : "never-sent" });
    }
    case "absent":
      return saveLookUp(known, lookUp, [], moment);
  }
}

function saveLookUp(
  known: SendFacts,
  lookUp: Exclude<LookUp, { kind: "cancelled" }>,
  before: readonly SendTask[],
  moment: Moment,
): Step {
  // After a doubt, the result of the look-up before the first sending must not be replaced.
  if (known.doubt !== "none") return lookUpSaved(known, before, moment);
  const stored = storedLookUp(lookUp);
  return {
    state: {
      kind: "saving-look-up",
      known: { ...known, entry: { ...known.entry, lookedUp: stored } },
    },
    effects: [...before, { kind: "save-look-up", lookedUp: stored }],
  };
}

function lookUpSaved(known: SendFacts, before: readonly SendTask[], moment: Moment): Step {
  return after([...before, { kind: "point", point: "looked-up" }], startSending(known, moment));
}

/** Repeats the look-up until it finds the supply point or the limit. Absence proves nothing. */
function polled(known: SendFacts, lookUp: LookUp, n: number, moment: Moment): Step {
  if (lookUp.kind === "cancelled") {
    return finish({ ...known, reason: moment.stopped ?? "cancelled" });
  }
  const found = lookUp.kind === "found" ? { ...known, process: lookUp.process } : known;
  if (lookUp.kind === "found" && confirms(known.entry, lookUp)) return confirmed(found);
  const afterLookUp = { ...found, lastEndedAt: moment.elapsed };
  return n < maxLookUps
    ? wait(afterLookUp, backOffOnly, { kind: "look-up", n: n + 1 }, n + 1, moment)
    : finish(afterLookUp);
}

/** Confirms the write because the supply point exists, whatever failed before. */
function confirmed(known: SendFacts): Step {
  const status = known.process?.status ?? null;
  const items = known.write.facts.labels.map((label, position) => {
    return { position, label, outcome: "created" as const, status };
  });
  return finish({ ...known, state: "confirmed", reason: "looked-up", error: null, items });
}

/** Takes the state from the journal, because another process has changed the entry. */
function yieldTo(known: SendFacts, entry: Entry | null): SendFacts {
  const state = entry?.state === known.state ? known.state : "unknown";
  const reason: Reason = entry?.reason ?? "process-ended";
  return { ...known, state, reason, doubt: "unknown" };
}

function after(before: readonly SendTask[], { state, effects }: Step): Step {
  return { state, effects: [...before, ...effects] };
}
