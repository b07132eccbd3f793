/** Who may send: one owner an entry, and one entry at a time for an account or supply point. */

import { type Rows, text, whole } from "../../sqlite/rows.ts";
import { type Owner, ownerFrom, ownerText, type ProcessLife } from "../owner.ts";
import { WriteError } from "../write-error.ts";
import { accountLockOf, recoverEntry } from "./changes.ts";
import { type Entry, readEntry, type State } from "./entry.ts";

/** A claim whose owner cannot be checked expires this long after its last heartbeat. */
const leaseMs = 15 * 60_000;

export type Claim =
  | { readonly kind: "taken"; readonly entry: Entry }
  /** Another write to the same account is under way. */
  | { readonly kind: "busy"; readonly by: number; readonly pid: number };

/** Claims an entry and its account lock, inside one commit. Throws WriteError when it may not be sent. */
export function claim(
  rows: Rows,
  id: number,
  life: ProcessLife,
  at: number,
  from: readonly State[],
): Claim {
  const entry = readEntry(rows, id);
  if (entry === null) throw new WriteError("not-found", `The journal has no entry ${id}.`, id);
  const { self } = life;
  const lock = accountLockOf(entry.baseUrl, entry.target);
  const held = rows.get("SELECT intent, owner, renewed_at FROM claim WHERE lane = ?", lock);
  if (held !== undefined && whole(held, "intent") !== id) {
    const owner = ownerFrom(text(held, "owner"));
    if (owner !== null && !isGone(life, owner, whole(held, "renewed_at"), at)) {
      return { kind: "busy", by: whole(held, "intent"), pid: owner.pid };
    }
    recoverEntry(rows, whole(held, "intent"), at);
  } else if (held !== undefined && text(held, "owner") === ownerText(self)) {
    throw new WriteError("in-use", `Entry ${id} is being sent now.`, id);
  }
  if (entry.owner !== null && ownerText(entry.owner) !== ownerText(self)) {
    const sign = held === undefined ? entry.createdAt : whole(held, "renewed_at");
    if (!isGone(life, entry.owner, sign, at)) {
      throw new WriteError("in-use", `Process ${entry.owner.pid} is sending entry ${id}.`, id);
    }
    if (entry.state === "sending") {
      recoverEntry(rows, id, at);
      return claim(rows, id, life, at, from);
    }
  }
  if (!from.includes(entry.state)) {
    throw new WriteError("not-possible", `Entry ${id} is ${entry.state}.`, id);
  }
  const owner = ownerText(self);
  rows.update("intent", { owner }, "id = ?", id);
  rows.replace("claim", { lane: lock, intent: id, owner, renewed_at: at });
  return { kind: "taken", entry };
}

/** Whether an entry holds its account lock, by an owner that still runs. */
export function isClaimed(rows: Rows, id: number, life: ProcessLife, at: number): boolean {
  const held = rows.get("SELECT owner, renewed_at FROM claim WHERE intent = ?", id);
  const owner = held === undefined ? null : ownerFrom(text(held, "owner"));
  return (
    owner !== null && held !== undefined && !isGone(life, owner, whole(held, "renewed_at"), at)
  );
}

/** Says that the owner is still at it. */
export function renewClaim(rows: Rows, id: number, owner: Owner, at: number): void {
  rows.update("claim", { renewed_at: at }, "intent = ? AND owner = ?", id, ownerText(owner));
}

/** Lets the next one in. */
export function releaseClaim(rows: Rows, id: number, owner: Owner): void {
  rows.run("DELETE FROM claim WHERE intent = ? AND owner = ?", id, ownerText(owner));
  rows.update("intent", { owner: null }, "id = ? AND owner = ?", id, ownerText(owner));
}

/** Whether an owner has ended, as far as that is known. */
export function isGone(life: ProcessLife, owner: Owner, lastSign: number, at: number): boolean {
  const said = life.lifeOf(owner);
  return said === "dead" || (said === "unclear" && at - lastSign > leaseMs);
}
