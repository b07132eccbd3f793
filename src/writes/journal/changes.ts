/** Every change of an entry. Each runs inside a commit; none sends or shows anything. */

import { LaterVersion } from "../../sqlite/file-error.ts";
import { type Rows, text, whole } from "../../sqlite/rows.ts";
import type { Item, Target } from "../kinds/kind.ts";
import { type Owner, ownerText } from "../owner.ts";
import type { PreparedWrite } from "../prepare.ts";
import type { Doubt, LookedUp, Reason, Remark, State } from "./entry.ts";
import { journalKind } from "./schema.ts";

/** More of an answer is not kept; a stated limit, so that a service cannot fill the disk. */
const longestResponse = 65_536;

export interface NewIntent {
  readonly write: PreparedWrite;
  readonly profile: string;
  readonly baseUrl: string;
  /** Null for a row of a run: it belongs to the run until it is sent. */
  readonly owner: Owner | null;
  readonly at: number;
  readonly run?: string | undefined;
  /** Which line of a bulk run's input. */
  readonly line?: number | undefined;
  readonly parent?: number | undefined;
}

/**
 * Begins nothing in a journal that a later version has taken over while this one had it open; the
 * outcome of what was begun before is still written down. Throws LaterVersion.
 */
function refuseLaterVersion(rows: Rows): void {
  const row = rows.get("PRAGMA user_version");
  if (row !== undefined && whole(row, "user_version") > journalKind.steps.length)
    throw new LaterVersion();
}

/** Returns the new entry's id. */
export function addIntent(rows: Rows, intent: NewIntent): number {
  refuseLaterVersion(rows);
  const { write } = intent;
  const { target } = write.facts;
  return rows.run(
    `INSERT INTO intent (run, line, parent, profile, base_url, operation, import_supplier,
       external_account_number, external_identifier, path, query, body, sha256, form, created_at,
       state, owner)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'intent', ?)`,
    intent.run ?? null,
    intent.line ?? null,
    intent.parent ?? null,
    intent.profile,
    intent.baseUrl,
    write.operation,
    target.importSupplier,
    target.kind === "account" ? target.externalAccountNumber : null,
    target.kind === "supply-point" ? target.externalIdentifier : null,
    write.path,
    JSON.stringify(write.query),
    write.body,
    write.sha256,
    write.form,
    intent.at,
    intent.owner === null ? null : ownerText(intent.owner),
  ).id;
}

/** Marks the entry as being sent and returns the attempt's number; null when it is not ours any more. */
export function beginAttempt(rows: Rows, id: number, owner: Owner, at: number): number | null {
  refuseLaterVersion(rows);
  const { changes } = rows.run(
    "UPDATE intent SET state = 'sending', reason = NULL, ended_at = NULL WHERE id = ? AND owner = ?",
    id,
    ownerText(owner),
  );
  if (changes === 0) return null;
  const last = rows.get("SELECT coalesce(max(n), 0) AS n FROM attempt WHERE intent = ?", id);
  const n = (last === undefined ? 0 : whole(last, "n")) + 1;
  rows.run(
    "INSERT INTO attempt (intent, n, started_at, outcome) VALUES (?, ?, ?, 'sending')",
    id,
    n,
    at,
  );
  return n;
}

export interface AttemptRecord {
  readonly n: number;
  /** Recorded when the attempt began. */
  readonly startedAt: number;
  readonly headersSentAt: number | null;
  readonly endedAt: number;
  readonly outcome: string;
  readonly httpStatus: number | null;
  readonly code: string | null;
  readonly response: string | null;
  /** See {@link Attempt.detail}. */
  readonly detail: string | null;
}

export function endAttempt(rows: Rows, id: number, attempt: AttemptRecord): void {
  rows.run(
    `UPDATE attempt SET headers_sent_at = ?, ended_at = ?, outcome = ?, http_status = ?, code = ?,
       response = ?, detail = ? WHERE intent = ? AND n = ?`,
    attempt.headersSentAt,
    attempt.endedAt,
    attempt.outcome,
    attempt.httpStatus,
    attempt.code,
    attempt.response?.slice(0, longestResponse) ?? null,
    attempt.detail,
    id,
    attempt.n,
  );
}

/** Where an entry stands after an attempt, a look-up or an operator's act. */
export interface StandingRecord {
  readonly state: State;
  readonly reason: Reason;
  readonly doubt: Doubt;
  readonly httpStatus: number | null;
  readonly code: string | null;
  readonly items: readonly Item[];
  /** Epoch milliseconds when it is over; null while it goes on. */
  readonly endedAt: number | null;
}

/**
 * Writes where an entry stands. False when another process has taken it over meanwhile; then only a
 * confirmation of what is unknown is still worth more than what stands there.
 */
export function setStanding(
  rows: Rows,
  id: number,
  owner: Owner,
  standing: StandingRecord,
): boolean {
  const { changes } = rows.run(
    `UPDATE intent SET state = ?, reason = ?, doubt = ?, http_status = coalesce(?, http_status),
       code = CASE WHEN ? IS NULL THEN code ELSE ? END, ended_at = ?
     WHERE id = ? AND (owner = ? OR (state = 'unknown' AND ? = 'confirmed'))`,
    standing.state,
    standing.reason,
    standing.doubt,
    standing.httpStatus,
    standing.httpStatus,
    standing.code,
    standing.endedAt,
    id,
    ownerText(owner),
    standing.state,
  );
  if (changes === 0) return false;
  setItems(rows, id, standing.items);
  return true;
}

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

/** Null takes back what an earlier look has left. */
export function setLookedUp(rows: Rows, id: number, lookedUp: LookedUp | null): void {
  const kept = lookedUp === null ? null : JSON.stringify(lookedUp);
  rows.run("UPDATE intent SET looked_up = ? WHERE id = ?", kept, id);
}

export function addRemark(rows: Rows, id: number, remark: Remark): void {
  rows.run(
    "INSERT INTO remark (intent, at, kind, text) VALUES (?, ?, ?, ?)",
    id,
    remark.at,
    remark.kind,
    remark.text,
  );
}

export function blockForm(
  rows: Rows,
  form: { readonly baseUrl: string; readonly form: string },
  id: number,
  at: number,
): void {
  rows.run(
    "INSERT OR REPLACE INTO blocked_form (base_url, form, intent, at) VALUES (?, ?, ?, ?)",
    form.baseUrl,
    form.form,
    id,
    at,
  );
}

/** The name of the account lock: writes that share it are sent one after another. */
export function accountLockOf(baseUrl: string, target: Target): string {
  const { kind, importSupplier } = target;
  const name = kind === "account" ? target.externalAccountNumber : target.externalIdentifier;
  return JSON.stringify([baseUrl, kind, importSupplier, name]);
}

/** Ends an entry that was never sent because the duplicate guard keeps it back; `words` say why. */
export function keepUnsent(
  rows: Rows,
  id: number,
  kept: { readonly reason: Reason; readonly words: string; readonly at: number },
): void {
  const { reason, words, at } = kept;
  rows.run(
    "UPDATE intent SET state = 'unsent', reason = ?, doubt = 'none', ended_at = ? WHERE id = ?",
    reason,
    at,
    id,
  );
  addRemark(rows, id, { at, kind: "guarded", text: words });
}

/**
 * Ends an entry that was never sent because the service has refused its very form before. False when
 * it is not waiting any more.
 */
export function refuseUnsent(rows: Rows, id: number, at: number): boolean {
  return (
    rows.run(
      `UPDATE intent SET state = 'rejected', reason = 'refused-before', ended_at = ?
       WHERE id = ? AND owner IS NULL AND state IN ('intent', 'unsent') AND doubt = 'none'`,
      at,
      id,
    ).changes > 0
  );
}

/**
 * Takes a refusal of the token (401) back from an entry: it had no effect, and says nothing about
 * the entry, which may be sent once the credentials are fixed.
 */
export function putBackRefused(rows: Rows, id: number, at: number): void {
  rows.run(
    `UPDATE intent SET state = 'unsent', reason = 'credentials', http_status = NULL, code = NULL,
       ended_at = ? WHERE id = ? AND owner IS NULL AND state = 'rejected' AND http_status = 401
       AND doubt = 'none'`,
    at,
    id,
  );
}

/** What an entry became when its process was found to have ended; null when it was settled before. */
export function recoverEntry(rows: Rows, id: number, at: number): "unknown" | "unsent" | null {
  const row = rows.get("SELECT state FROM intent WHERE id = ?", id);
  const state = row === undefined ? "" : text(row, "state");
  if (state === "sending") {
    rows.run(
      `UPDATE intent SET state = 'unknown', reason = 'process-ended', doubt = 'unknown', owner = NULL,
         ended_at = ? WHERE id = ?`,
      at,
      id,
    );
    rows.run(
      "UPDATE attempt SET outcome = 'no-answer' WHERE intent = ? AND outcome = 'sending'",
      id,
    );
  } else if (state === "intent") {
    rows.run(
      `UPDATE intent SET state = 'unsent', reason = 'process-ended', owner = NULL, ended_at = ?
       WHERE id = ?`,
      at,
      id,
    );
  } else {
    rows.run("UPDATE intent SET owner = NULL WHERE id = ?", id);
    return null;
  }
  const became = state === "sending" ? "unknown" : "unsent";
  const words =
    became === "unknown"
      ? "The process that was sending it ended before it had recorded an outcome."
      : "The process that was to send it ended before it had sent it.";
  addRemark(rows, id, { at, kind: "recovered", text: words });
  return became;
}
