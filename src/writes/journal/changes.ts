/**
 * Changes entries of the journal. Each function runs inside a commit. No function sends or shows
 * anything.
 */

import { serviceKey } from "../../api/url.ts";
import { currentVersion } from "../../sqlite/check-file.ts";
import { LaterVersion } from "../../sqlite/file-error.ts";
import { type Rows, text } from "../../sqlite/rows.ts";
import type { Item } from "../kinds/kind.ts";
import { type Owner, ownerText } from "../owner.ts";
import type { PreparedWrite } from "../prepare.ts";
import type { Attempt, Entry, LookupResult, Reason, Remark } from "./entry.ts";
import { journalKind } from "./schema.ts";

/** Maximum stored length of a response in characters, so that a service cannot fill the disk. */
const maxResponseLength = 65_536;

interface NewIntent {
  readonly write: PreparedWrite;
  readonly profile: string;
  readonly baseUrl: string;
  /** The owner of the entry, or null for a row of a run that is not sent yet. */
  readonly owner: Owner | null;
  /** The time of recording, in epoch milliseconds. */
  readonly at: number;
  readonly run?: string | undefined;
  readonly line?: number | undefined;
  /** The ID of the entry that this entry verifies. */
  readonly parent?: number | undefined;
}

/**
 * Refuses new work in a journal that a later version has upgraded while it was open here. The
 * outcomes of earlier work are still recorded. Throws LaterVersion.
 */
function refuseLaterVersion(rows: Rows): void {
  if (rows.number("PRAGMA user_version") > currentVersion(journalKind)) throw new LaterVersion();
}

export function addIntent(rows: Rows, intent: NewIntent): number {
  refuseLaterVersion(rows);
  const { write } = intent;
  const { target } = write.facts;
  const service = serviceKey(intent.baseUrl);
  const id = rows.insert("intent", {
    run: intent.run ?? null,
    line: intent.line ?? null,
    parent: intent.parent ?? null,
    profile: intent.profile,
    base_url: intent.baseUrl,
    service,
    operation: write.operation,
    import_supplier: target.importSupplier,
    external_account_number: target.kind === "account" ? target.externalAccountNumber : null,
    external_identifier: target.kind === "supply-point" ? target.externalIdentifier : null,
    path: write.path,
    query: JSON.stringify(write.query),
    body: write.body,
    sha256: write.sha256,
    created_at: intent.at,
    state: "intent",
    owner: intent.owner === null ? null : ownerText(intent.owner),
  });
  for (const [position, { content, name }] of write.keys.entries())
    rows.insert("item_key", { key: content, service, intent: id, position, name });
  return id;
}

/** Marks the entry as being sent. Returns the attempt's number, or null if it has another owner. */
export function beginAttempt(rows: Rows, id: number, owner: Owner, at: number): number | null {
  refuseLaterVersion(rows);
  const sending = { state: "sending", reason: null, ended_at: null };
  const changed = rows.update("intent", sending, "id = ? AND owner = ?", id, ownerText(owner));
  if (changed === 0) return null;
  const n = rows.number("SELECT max(n) FROM attempt WHERE intent = ?", id) + 1;
  rows.insert("attempt", { intent: id, n, started_at: at, outcome: "sending" });
  // A later attempt can have the effect that the response to an earlier attempt ruled out.
  if (n > 1)
    rows.run("DELETE FROM item WHERE intent = ? AND outcome IN ('rejected', 'not-reached')", id);
  return n;
}

export interface AttemptRecord extends Attempt {
  readonly endedAt: number;
}

export function endAttempt(rows: Rows, id: number, attempt: AttemptRecord): void {
  const ended = {
    headers_sent_at: attempt.headersSentAt,
    ended_at: attempt.endedAt,
    outcome: attempt.outcome,
    http_status: attempt.httpStatus,
    code: attempt.code,
    response: attempt.response?.slice(0, maxResponseLength) ?? null,
    detail: attempt.detail,
  };
  rows.update("attempt", ended, "intent = ? AND n = ?", id, attempt.n);
}

/** An entry's state after an attempt, look-up or action. `endedAt` is null while it continues. */
interface EntryUpdate extends Pick<Entry, "state" | "doubt" | "httpStatus" | "code" | "endedAt"> {
  readonly reason: Reason;
  readonly items: readonly Item[];
}

/**
 * Stores the state of an entry. Returns false if another process owns the entry. In that case only
 * a confirmation of an unknown outcome is stored.
 */
export function updateEntry(rows: Rows, id: number, owner: Owner, update: EntryUpdate): boolean {
  const changed = rows.run(
    `UPDATE intent SET state = ?, reason = ?, doubt = ?, http_status = coalesce(?, http_status),
       code = CASE WHEN ? IS NULL THEN code ELSE ? END, ended_at = ?
     WHERE id = ? AND (owner = ? OR (state = 'unknown' AND ? = 'confirmed'))`,
    update.state,
    update.reason,
    update.doubt,
    update.httpStatus,
    update.httpStatus,
    update.code,
    update.endedAt,
    id,
    ownerText(owner),
    update.state,
  );
  if (changed === 0) return false;
  setItems(rows, id, update.items);
  return true;
}

/** Stores the outcomes of items. The labels of stored items do not change. */
export function setItems(rows: Rows, id: number, items: readonly Item[]): void {
  for (const { position, label, outcome, status } of items) {
    rows.run(
      `INSERT INTO item (intent, position, label, outcome, status) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (intent, position) DO UPDATE SET outcome = excluded.outcome, status = excluded.status`,
      id,
      position,
      label,
      outcome,
      status,
    );
  }
}

/** Stores the result of a look-up. Removes an earlier result if `lookedUp` is null. */
export function setLookedUp(rows: Rows, id: number, lookedUp: LookupResult | null): void {
  const stored = lookedUp === null ? null : JSON.stringify(lookedUp);
  rows.update("intent", { looked_up: stored }, "id = ?", id);
}

export function addRemark(rows: Rows, id: number, { at, kind, text }: Remark): void {
  rows.insert("remark", { intent: id, at, kind, text });
}

/** Blocks the items of an entry: the duplicate guard refuses them from now on. */
export function blockItems(rows: Rows, id: number): void {
  rows.update("item_key", { blocked: 1 }, "intent = ?", id);
}

interface Barring {
  readonly reason: Reason;
  /** The ID of the earlier entry. */
  readonly by: number;
  readonly words: string;
  /** The time of the check, in epoch milliseconds. */
  readonly at: number;
}

/** Ends an entry that was never sent because the duplicate guard bars it. */
export function endAsUnsent(rows: Rows, id: number, { reason, by, words, at }: Barring): void {
  const unsent = { state: "unsent", reason, barred_by: by, doubt: "none", ended_at: at };
  rows.update("intent", unsent, "id = ?", id);
  addRemark(rows, id, { at, kind: "guarded", text: words });
}

/**
 * Rejects an entry that was never sent because the service has refused the same form before.
 * Returns false if the entry is no longer waiting.
 */
export function refuseUnsent(rows: Rows, id: number, at: number): boolean {
  const rejected = { state: "rejected", reason: "refused-before", ended_at: at };
  const waiting = "id = ? AND owner IS NULL AND state IN ('intent', 'unsent') AND doubt = 'none'";
  return rows.update("intent", rejected, waiting, id) > 0;
}

/**
 * Reverts a rejection by 401 to unsent. A refused token has no effect and proves nothing about the
 * entry. The entry can be sent after the credentials are fixed.
 */
export function revertUnauthorized(rows: Rows, id: number, at: number): void {
  rows.run(
    `UPDATE intent SET state = 'unsent', reason = 'credentials', http_status = NULL, code = NULL,
       ended_at = ? WHERE id = ? AND owner IS NULL AND state = 'rejected' AND http_status = 401
       AND doubt = 'none'`,
    at,
    id,
  );
}

/** Settles an entry whose process has ended. Returns its new state, or null if settled before. */
export function recoverEntry(rows: Rows, id: number, at: number): "unknown" | "unsent" | null {
  const row = rows.get("SELECT state FROM intent WHERE id = ?", id);
  const state = row === undefined ? "" : text(row, "state");
  if (state !== "sending" && state !== "intent") {
    rows.update("intent", { owner: null }, "id = ?", id);
    return null;
  }
  const isSent = state === "sending";
  const newState = isSent ? "unknown" : "unsent";
  const ended = { state: newState, reason: "process-ended", owner: null, ended_at: at };
  rows.update("intent", isSent ? { ...ended, doubt: "unknown" } : ended, "id = ?", id);
  if (isSent)
    rows.update("attempt", { outcome: "no-answer" }, "intent = ? AND outcome = 'sending'", id);
  const words = isSent
    ? "The sending process ended without recording an outcome."
    : "The sending process ended before it sent the entry.";
  addRemark(rows, id, { at, kind: "recovered", text: words });
  return newState;
}
