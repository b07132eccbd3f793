/**
 * Locks an entry and its account before sending: one owner per entry, and one entry at a time per
 * account or supply point.
 */
import { maxRateLimitWaitMs } from "../../api/rate-limit.ts";
import { serviceKey } from "../../api/url.ts";
import { normalText } from "../../json/normal-form.ts";
import { type Rows, text, whole } from "../../sqlite/rows.ts";
import { recoverEntry, updateEntry } from "../journal/changes.ts";
import {
  type Entry,
  entryError,
  noEntry,
  type Reason,
  readEntry,
  type State,
} from "../journal/entry.ts";
import { numberOf, type Target } from "../kinds/kind.ts";
import { type Owner, ownerFrom, ownerText, type ProcessLife } from "../owner.ts";
import {
  limitsOf,
  report,
  type SendOptions,
  stopReasonOf,
  type WriteContext,
  type WriteResult,
} from "./events.ts";
import { takeTurn } from "./request.ts";

/** Milliseconds after its last renewal at which a claim with an unclear owner expires. */
const leaseMs = 15 * 60_000;

/** Returns the name of the account lock of a target. Its writes are sent one by one. */
export function accountLockOf(baseUrl: string, target: Target): string {
  const { kind, importSupplier } = target;
  const name = normalText(numberOf(target));
  return JSON.stringify([serviceKey(baseUrl), kind, normalText(importSupplier), name]);
}

type Claim =
  | { readonly kind: "taken"; readonly entry: Entry }
  /** Another entry for the same account, `by`, is being sent. */
  | { readonly kind: "busy"; readonly by: number; readonly pid: number };

/** Claims an entry and its lock in a commit. Throws a write error if it may not be sent. */
function claim(
  rows: Rows,
  id: number,
  life: ProcessLife,
  at: number,
  from: readonly State[],
): Claim {
  const entry = readEntry(rows, id);
  if (entry === null) throw noEntry(id);
  const { self } = life;
  const lock = accountLockOf(entry.baseUrl, entry.target);
  const claimRow = rows.get("SELECT intent, owner, renewed_at FROM claim WHERE lane = ?", lock);
  if (claimRow !== undefined && whole(claimRow, "intent") !== id) {
    const owner = ownerFrom(text(claimRow, "owner"));
    if (owner !== null && !isGone(life, owner, whole(claimRow, "renewed_at"), at)) {
      return { kind: "busy", by: whole(claimRow, "intent"), pid: owner.pid };
    }
    recoverEntry(rows, whole(claimRow, "intent"), at);
  } else if (claimRow !== undefined && text(claimRow, "owner") === ownerText(self)) {
    throw entryError(id, "in-use", `Entry ${id} is being sent now.`);
  }
  if (entry.owner !== null && ownerText(entry.owner) !== ownerText(self)) {
    const renewedAt = claimRow === undefined ? entry.createdAt : whole(claimRow, "renewed_at");
    if (!isGone(life, entry.owner, renewedAt, at)) {
      throw entryError(id, "in-use", `Process ${entry.owner.pid} is sending entry ${id}.`);
    }
    if (entry.state === "sending") {
      recoverEntry(rows, id, at);
      return claim(rows, id, life, at, from);
    }
  }
  if (!from.includes(entry.state)) {
    throw entryError(id, "not-possible", `Entry ${id} is ${entry.state}.`);
  }
  const owner = ownerText(self);
  rows.update("intent", { owner }, "id = ?", id);
  rows.replace("claim", { lane: lock, intent: id, owner, renewed_at: at });
  return { kind: "taken", entry };
}

function isClaimed(rows: Rows, id: number, life: ProcessLife, at: number): boolean {
  const claimRow = rows.get("SELECT owner, renewed_at FROM claim WHERE intent = ?", id);
  const owner = claimRow === undefined ? null : ownerFrom(text(claimRow, "owner"));
  return (
    owner !== null &&
    claimRow !== undefined &&
    !isGone(life, owner, whole(claimRow, "renewed_at"), at)
  );
}

export function renewClaim(rows: Rows, id: number, owner: Owner, at: number): void {
  rows.update("claim", { renewed_at: at }, "intent = ? AND owner = ?", id, ownerText(owner));
}

export function releaseClaim(rows: Rows, id: number, owner: Owner): void {
  rows.run("DELETE FROM claim WHERE intent = ? AND owner = ?", id, ownerText(owner));
  rows.update("intent", { owner: null }, "id = ? AND owner = ?", id, ownerText(owner));
}

/** Returns true if an owner has ended, or is unclear without a renewal for too long. */
export function isGone(life: ProcessLife, owner: Owner, renewedAt: number, at: number): boolean {
  const state = life.lifeOf(owner);
  return state === "dead" || (state === "unclear" && at - renewedAt > leaseMs);
}

/** Mean time between two checks of a lock that another entry has, in milliseconds. */
const pollMs = 100;

type Acquired<T> =
  | { readonly kind: "taken"; readonly taken: T }
  /** The wait ended without the lock. Nothing was sent. */
  | { readonly kind: "ended"; readonly result: WriteResult };

/**
 * Claims the entry and its account lock, and runs `work` in the same commit. If `work` throws,
 * nothing is claimed. Rejects with a write error if the entry may not be sent.
 */
export async function acquireAccountLock<T>(
  context: WriteContext,
  id: number,
  from: readonly State[],
  options: SendOptions,
  work: (rows: Rows, entry: Entry) => T,
): Promise<Acquired<T>> {
  const { clock, journal, process, random } = context;
  const waitsUntil = clock.elapsed() + limitsOf(options).queueMs;
  /** The entry that has the lock, as last reported. */
  let reported: number | null = null;
  for (;;) {
    // The wait for the rate limit is before the claim, so that a waiting entry is not recorded as
    // being sent.
    const turn = { id, isFirst: true, maxMs: maxRateLimitWaitMs };
    const waited = await takeTurn(context, turn, options);
    const stopped = stopReasonOf(options.signal);
    if (stopped !== null) return leave(context, id, stopped, options);
    if (waited === null) return leave(context, id, "rate-limited", options);
    const attempt = await journal.commit((rows) => {
      const claimed = claim(rows, id, process, clock.now(), from);
      if (claimed.kind === "busy") return claimed;
      return { kind: "taken" as const, taken: work(rows, claimed.entry) };
    });
    if (attempt.kind === "taken") return attempt;
    if (reported !== attempt.by) {
      reported = attempt.by;
      const { by, pid } = attempt;
      report(options, { kind: "waiting-for-account", journalId: id, behind: by, pid });
    }
    if (clock.elapsed() >= waitsUntil) return leave(context, id, "account-busy", options);
    do await clock.sleep(Math.round(pollMs * (0.5 + random())), options.signal).catch(() => {});
    while (
      !options.signal.aborted &&
      clock.elapsed() < waitsUntil &&
      // Only reads, so that waiting does not write to the disk.
      journal.read((rows) => isClaimed(rows, attempt.by, process, clock.now()))
    );
  }
}

/** Ends an entry that never got the lock. An entry with an earlier attempt is not changed. */
async function leave(
  context: WriteContext,
  id: number,
  reason: Reason,
  options: SendOptions,
): Promise<Extract<Acquired<never>, { readonly kind: "ended" }>> {
  const { clock, journal, process } = context;
  const outcome = reason === "rate-limited" ? "retryable" : "unsent";
  const entry = await journal.commit((rows) => {
    const current = readEntry(rows, id);
    if (current === null) throw noEntry(id);
    const isOurs = current.owner !== null && ownerText(current.owner) === ownerText(process.self);
    if (current.state !== "intent" || !isOurs) return null;
    updateEntry(rows, id, process.self, {
      state: outcome,
      reason,
      doubt: "none",
      httpStatus: null,
      code: null,
      items: [],
      endedAt: clock.now(),
    });
    rows.update("intent", { owner: null }, "id = ?", id);
    return current;
  });
  if (entry === null) {
    const words = `Entry ${id} was not sent: another entry for the same account is sent first.`;
    throw entryError(id, "in-use", words);
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
    refusal: null,
    journalError: null,
  };
  report(options, { kind: "outcome", result });
  return { kind: "ended", result };
}
