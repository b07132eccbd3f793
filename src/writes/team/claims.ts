/**
 * Stores in the journal what this state folder claimed at the ledger of a team, and finds the
 * outcomes that the ledger does not have. Each function runs inside a commit or a read.
 */
import { maybeWhole, type Rows, text, whole } from "../../sqlite/rows.ts";
import { effectiveState } from "../item-keys.ts";
import { type LocalClaim, outcomeOf, type StoredClaim } from "./from-journal.ts";
import type { LedgerPosition, LedgerState, Outcome, TeamFacts, TeamPlace } from "./ledger.ts";

export interface Unpublished {
  readonly outcome: Outcome;
  /** The changes that the outcome has. A later change is published separately. */
  readonly changes: number;
}

export function folderId(rows: Rows): string {
  return text(selfRow(rows), "id");
}

function selfRow(rows: Rows) {
  const row = rows.get("SELECT id, seq FROM team_self");
  if (row === undefined) throw new Error("The journal has no identity for a team.");
  return row;
}

/**
 * Stores a claim before the ledger is asked. Returns false if an outcome of an earlier claim of the
 * entry is not published: the ledger would take the new claim for one of a restored folder.
 */
export function storeClaim(
  rows: Rows,
  place: TeamPlace,
  id: number,
  { token, recognized }: LocalClaim,
): boolean {
  if (hasUnpublished(rows, place, id) || isAsked(rows, id)) return false;
  const { service, address } = place;
  const digits = recognized.map(Number).join("");
  const known = "SELECT entry FROM team_claim WHERE intent = ? AND address = ?";
  const entry = maybeWhole(rows.get(known, id, address) ?? {}, "entry");
  rows.run("UPDATE team_self SET seq = seq + 1");
  const number = whole(selfRow(rows), "seq");
  const claim = {
    intent: id,
    service,
    address,
    token,
    number,
    recognized: digits,
    entry,
    dirty: 0,
  };
  rows.replace("team_claim", claim);
  return true;
}

/** Returns true if the ledger does not have the last outcome of an entry that was claimed there. */
export function hasUnpublished(rows: Rows, { address }: TeamPlace, id: number): boolean {
  const sql = "SELECT 1 FROM team_claim WHERE intent = ? AND address = ? AND dirty > 0";
  return rows.get(sql, id, address) !== undefined;
}

/** Returns true if an entry was claimed and is not sent yet. The ledger might have the claim. */
function isAsked(rows: Rows, id: number): boolean {
  const asked =
    "SELECT 1 FROM team_claim JOIN intent ON id = intent WHERE id = ? AND state = 'intent'";
  return rows.get(asked, id) !== undefined;
}

/**
 * Gives up the claim of an entry whose sending failed before its attempt began: its state
 * is published, also if that did not change. Without a claim, nothing happens.
 */
export function giveUpClaim(rows: Rows, id: number, at: number): void {
  if (isAsked(rows, id))
    rows.update("intent", { state: "unsent", reason: "never-sent", ended_at: at }, "id = ?", id);
  rows.run("UPDATE team_claim SET dirty = dirty + 1 WHERE intent = ?", id);
}

export function storeTeamId(rows: Rows, id: number, entry: number): void {
  rows.update("team_claim", { entry }, "intent = ?", id);
}

export function readTeamFacts(rows: Rows, id: number): TeamFacts | null {
  const row = rows.get("SELECT entry, dirty FROM team_claim WHERE intent = ?", id);
  if (row === undefined) return null;
  return { teamId: maybeWhole(row, "entry"), isPublished: whole(row, "dirty") === 0 };
}

/** Returns the IDs in the ledger of those of these entries that have one. */
export function teamIds(rows: Rows, ids: readonly number[]): ReadonlyMap<number, number> {
  const found = rows.all(
    "SELECT intent, entry FROM team_claim WHERE entry IS NOT NULL AND intent IN (SELECT value FROM json_each(?))",
    JSON.stringify(ids),
  );
  return new Map(found.map((row) => [whole(row, "intent"), whole(row, "entry")]));
}

export function readClaim(rows: Rows, id: number): StoredClaim | null {
  const row = rows.get("SELECT token, number, recognized FROM team_claim WHERE intent = ?", id);
  return row === undefined
    ? null
    : {
        token: text(row, "token"),
        number: whole(row, "number"),
        recognized: [...text(row, "recognized")].map((digit) => digit === "1"),
      };
}

/** SQL for the claims at a ledger. Those at another one are not its business. */
const claimsOfPlace = `team_claim JOIN intent ON intent.id = team_claim.intent
  WHERE team_claim.service = ? AND team_claim.address = ?`;

const due = `${claimsOfPlace} AND dirty > 0 AND state NOT IN ('intent', 'sending')`;

/** SQL for the entries of a service with an item that bars a colleague. */
const barring = `SELECT DISTINCT k.intent AS intent FROM item_key k JOIN intent i ON i.id = k.intent
  LEFT JOIN item t ON t.intent = k.intent AND t.position = k.position
  WHERE k.service = ? AND k.position >= 0 AND i.state <> 'intent' AND (k.blocked OR ${effectiveState} IS NOT NULL)`;

/**
 * Joins a ledger if this state folder has no earlier entry that bars a colleague. Returns the number of
 * those that it has: the ledger must have them before the folder claims.
 */
export function joinIfEmpty(rows: Rows, place: TeamPlace, at: number): number {
  if (hasJoined(rows, place)) return 0;
  const entries = rows.number(`SELECT count(*) FROM (${barring})`, place.service);
  if (entries === 0) storeJoin(rows, place, at);
  return entries;
}

/** Returns a service's entries that bar a colleague, oldest first. Empty if the ledger has them. */
export function barringEntries(rows: Rows, place: TeamPlace): readonly number[] {
  if (hasJoined(rows, place)) return [];
  return rows.all(`${barring} ORDER BY intent`, place.service).map((row) => whole(row, "intent"));
}

/**
 * Publishes the outcome of a claimed entry to a ledger that might not have it. Returns false if the entry
 * was never claimed.
 */
export function publishAgain(rows: Rows, { address }: TeamPlace, id: number): boolean {
  if (readClaim(rows, id) === null) return false;
  rows.run("UPDATE team_claim SET dirty = dirty + 1, address = ? WHERE intent = ?", address, id);
  return true;
}

export function renewFolder(rows: Rows): void {
  rows.run("DELETE FROM team_claim");
  rows.run("UPDATE team_self SET id = ?, seq = 0", crypto.randomUUID());
}

/** Returns the address of the ledger that this state folder belongs to for a service, or null. */
export function joinedLedger(rows: Rows, service: string): string | null {
  const row = rows.get("SELECT address FROM team_joined WHERE service = ? LIMIT 1", service);
  return row === undefined ? null : text(row, "address");
}

function hasJoined(rows: Rows, { service, address }: TeamPlace): boolean {
  const joined = "SELECT 1 FROM team_joined WHERE service = ? AND address = ?";
  return rows.get(joined, service, address) !== undefined;
}

export function storeJoin(rows: Rows, { service, address }: TeamPlace, at: number): void {
  rows.replace("team_joined", { service, address, at });
}

export function countUnpublished(rows: Rows, { service, address }: TeamPlace): number {
  return rows.number(`SELECT count(*) FROM ${due}`, service, address);
}

/** Returns the number of claimed entries that a process is sending, whose outcomes come later. */
export function countBeingSent(rows: Rows, { service, address }: TeamPlace): number {
  const being = `${claimsOfPlace} AND state IN ('intent', 'sending')`;
  return rows.number(`SELECT count(*) FROM ${being}`, service, address);
}

/** Returns outcomes that the ledger does not have, the oldest entry first. */
export function unpublished(
  rows: Rows,
  { service, address }: TeamPlace,
  limit: number,
): readonly Unpublished[] {
  const found = rows.all(
    `SELECT intent, dirty FROM ${due} ORDER BY intent LIMIT ?`,
    service,
    address,
    limit,
  );
  return found.flatMap((row) => {
    const id = whole(row, "intent");
    const claim = readClaim(rows, id);
    const outcome = claim === null ? null : outcomeOf(rows, id, claim);
    return outcome === null ? [] : [{ outcome, changes: whole(row, "dirty") }];
  });
}

/** Stores that the ledger answered to these outcomes. Later changes stay unpublished. */
export function markPublished(rows: Rows, published: readonly Unpublished[]): void {
  for (const { outcome, changes } of published)
    rows.run(
      "UPDATE team_claim SET dirty = dirty - ? WHERE intent = ? AND token = ?",
      changes,
      outcome.localId,
      outcome.token,
    );
}

/** Returns the position of this state folder. Another address has another ledger. */
export function readPosition(rows: Rows, place: TeamPlace): LedgerPosition {
  const { service, address } = place;
  const row = rows.get(
    "SELECT epoch, newest FROM team_ledger WHERE service = ? AND address = ?",
    service,
    address,
  );
  return {
    seq: whole(selfRow(rows), "seq"),
    state: row === undefined ? null : { epoch: text(row, "epoch"), newest: whole(row, "newest") },
    isComplete: countUnpublished(rows, place) === 0,
  };
}

/**
 * Stores the state of the ledger. After a restore of the ledger, every claim that was made there is
 * published again, because the ledger might have lost it.
 */
export function storeLedgerState(
  rows: Rows,
  place: TeamPlace,
  { epoch, newest }: LedgerState,
): void {
  const { service, address } = place;
  moveLedger(rows, place, epoch);
  const { state } = readPosition(rows, place);
  if (state !== null && state.epoch !== epoch)
    rows.run(
      "UPDATE team_claim SET dirty = dirty + 1 WHERE service = ? AND address = ?",
      service,
      address,
    );
  const isLater = state?.epoch === epoch && state.newest > newest;
  rows.replace("team_ledger", {
    service,
    address,
    epoch,
    newest: isLater ? state.newest : newest,
  });
}

/**
 * Moves to this address what is known of the ledger that was seen before, if that has the same epoch: it is
 * the same ledger, behind a pooler or on another host, and might have been restored there. If not, its IDs
 * mean nothing in this one.
 */
function moveLedger(rows: Rows, { service, address }: TeamPlace, epoch: string): void {
  const other = "SELECT address, epoch FROM team_ledger WHERE service = ? AND address <> ?";
  const before = rows.get(other, service, address);
  if (before === undefined) return;
  if (text(before, "epoch") === epoch) {
    const from = text(before, "address");
    rows.update("team_claim", { address }, "service = ? AND address = ?", service, from);
    rows.update("team_ledger", { address }, "service = ?", service);
  } else rows.run("UPDATE team_claim SET entry = NULL WHERE service = ?", service);
}
