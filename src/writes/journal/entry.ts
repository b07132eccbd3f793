/** The journal's data about a write, as records. */

import { createHash } from "node:crypto";
import { AppError, otherFolder } from "../../errors/app-error.ts";
import { isRecord, parseExact } from "../../json/exact.ts";
import {
  instant,
  lastInstant,
  maybeInstant,
  maybeText,
  maybeWhole,
  type Row,
  type Rows,
  text,
  whole,
} from "../../sqlite/rows.ts";
import type { Item, ItemOutcome, Operation, Target } from "../kinds/kind.ts";
import { isOperation } from "../kinds/kinds.ts";
import { type Owner, ownerFrom } from "../owner.ts";

/**
 * - `intent`: recorded, not sent yet
 * - `unsent`: ended without having been sent
 * - `sending`: in progress
 * - `confirmed`, `rejected`: by the service
 * - `retryable`: failed, may be sent again unchanged
 * - `unknown`: the outcome is unknown
 * - `closed`: settled by an operator, with a reason
 */
export type State =
  | "intent"
  | "unsent"
  | "sending"
  | "confirmed"
  | "rejected"
  | "retryable"
  | "unknown"
  | "closed";

/**
 * The possible effect of a write, regardless of later answers: `vendor` after a 500 of 4.4, which
 * the interface asks to be sent again.
 */
export type EffectDoubt = "none" | "vendor" | "unknown";

/**
 * The reason why an entry is no longer sent or looked up: by hand, or because its run sends
 * nothing.
 */
export type StopReason = "cancelled" | "run-paused" | "run-stopped";

/** The reason for the state of a write. */
export type Reason =
  | "answered"
  | "never-sent"
  | StopReason
  | "no-answer"
  | "deadline"
  | "rate-limited"
  | "account-busy"
  | "process-ended"
  | "credentials"
  | "not-recorded"
  | "looked-up"
  | "settled-by-items"
  | "closed-by-operator"
  /** The duplicate guard kept it back, because the service has refused the same form. */
  | "refused-before"
  /**
   * The duplicate guard kept it back, because another entry of one of its items took effect, or
   * might have.
   */
  | "sent-before";

/** The result of 4.7 before a supply point was sent. */
export type LookupResult =
  | { readonly found: false }
  | { readonly found: true; readonly status: string; readonly created_at: string | null };

/** One write. Instants are epoch milliseconds. */
export interface Entry {
  readonly id: number;
  readonly run: string | null;
  readonly line: number | null;
  /** The entry that this one was made to verify. */
  readonly parent: number | null;
  readonly profile: string;
  readonly baseUrl: string;
  readonly operation: Operation;
  readonly target: Target;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The bytes sent, or null once purged. */
  readonly body: Uint8Array | null;
  readonly sha256: string;
  readonly createdAt: number;
  readonly state: State;
  readonly reason: Reason | null;
  readonly doubt: EffectDoubt;
  readonly lookedUp: LookupResult | null;
  readonly httpStatus: number | null;
  readonly code: string | null;
  readonly owner: Owner | null;
  readonly endedAt: number | null;
}

export interface Attempt {
  readonly n: number;
  readonly startedAt: number;
  /**
   * Time at which the headers were sent, or null if they were not, or the process ended before it
   * recorded it.
   */
  readonly headersSentAt: number | null;
  readonly endedAt: number | null;
  /** `sending`, `confirmed`, or a situation of the retry table. */
  readonly outcome: string;
  readonly httpStatus: number | null;
  readonly code: string | null;
  /** The response's body (untrusted), cut at a stated size, or null once purged. */
  readonly response: string | null;
  /** The end of the attempt as a sentence (untrusted), if its status does not explain it. */
  readonly detail: string | null;
}

export interface EntryNote {
  readonly at: number;
  readonly kind: "again" | "resent" | "verified" | "closed" | "recovered" | "purged" | "guarded";
  readonly text: string;
}

/** Returns the entry, or null if there is none. Throws a write error `damaged`. */
export function readEntry(rows: Rows, id: number): Entry | null {
  const row = readEntryRow(rows, id);
  return row === undefined ? null : entryOf(row);
}

/** Returns the raw row of an entry, even if it is unreadable as an entry. */
export function readEntryRow(rows: Rows, id: number): Row | undefined {
  return rows.get("SELECT * FROM intent WHERE id = ?", id);
}

export function readAttempts(rows: Rows, id: number): Attempt[] {
  return rows.all("SELECT * FROM attempt WHERE intent = ? ORDER BY n", id).map((row) => ({
    n: whole(row, "n"),
    startedAt: instant(row, "started_at"),
    headersSentAt: maybeInstant(row, "headers_sent_at"),
    endedAt: maybeInstant(row, "ended_at"),
    outcome: text(row, "outcome"),
    httpStatus: maybeWhole(row, "http_status"),
    code: maybeText(row, "code"),
    response: maybeText(row, "response"),
    detail: maybeText(row, "detail"),
  }));
}

export function readItems(rows: Rows, id: number): Item[] {
  return rows.all("SELECT * FROM item WHERE intent = ? ORDER BY position", id).map((row) => ({
    position: whole(row, "position"),
    label: maybeText(row, "label"),
    outcome: text(row, "outcome") as ItemOutcome,
    status: maybeText(row, "status"),
  }));
}

export function readRemarks(rows: Rows, id: number): EntryNote[] {
  return rows.all("SELECT * FROM remark WHERE intent = ? ORDER BY id", id).map((row) => ({
    at: instant(row, "at"),
    kind: text(row, "kind") as EntryNote["kind"],
    text: text(row, "text"),
  }));
}

/** Returns the target of a row of `intent`. */
export function targetOf(row: Row): Target {
  const importSupplier = text(row, "import_supplier");
  const externalIdentifier = maybeText(row, "external_identifier");
  return externalIdentifier === null
    ? {
        kind: "account",
        importSupplier,
        externalAccountNumber: text(row, "external_account_number"),
      }
    : { kind: "supply-point", importSupplier, externalIdentifier };
}

function entryOf(row: Row): Entry {
  const operation = text(row, "operation");
  const query = queryOf(row);
  const kept = maybeText(row, "owner");
  const lookedUp = maybeText(row, "looked_up");
  const unusable = unusableColumns(row);
  if (unusable.length > 0 || query === null || !isOperation(operation)) {
    const id = whole(row, "id");
    const words = `Entry ${id} is damaged in the journal (${unusable.join(", ")}): nothing is done with it.`;
    throw new AppError("write", "damaged", words, { journalId: id });
  }
  return {
    id: whole(row, "id"),
    run: maybeText(row, "run"),
    line: maybeWhole(row, "line"),
    parent: maybeWhole(row, "parent"),
    profile: text(row, "profile"),
    baseUrl: text(row, "base_url"),
    operation,
    target: targetOf(row),
    path: text(row, "path"),
    query,
    body: row.body instanceof Uint8Array ? row.body : null,
    sha256: text(row, "sha256"),
    createdAt: instant(row, "created_at"),
    state: text(row, "state") as State,
    reason: maybeText(row, "reason") as Reason | null,
    doubt: text(row, "doubt") as EffectDoubt,
    lookedUp: lookedUp === null ? null : (JSON.parse(lookedUp) as LookupResult),
    httpStatus: maybeWhole(row, "http_status"),
    code: maybeText(row, "code"),
    owner: kept === null ? null : ownerFrom(kept),
    endedAt: maybeInstant(row, "ended_at"),
  };
}

/**
 * Returns the columns without which an entry of `intent` cannot be sent, verified or compared, and
 * which this program cannot have written: a failing disk, or a change by hand.
 */
function unusableColumns(row: Row): readonly string[] {
  const lookedUp = maybeText(row, "looked_up");
  return [
    ...(isOperation(text(row, "operation")) ? [] : ["operation"]),
    ...(queryOf(row) === null ? ["query"] : []),
    ...(lookedUp === null || isRecord(jsonIn(lookedUp)) ? [] : ["looked_up"]),
  ];
}

/** Returns every damaged column of an entry of `intent`, including those found by its hash. */
export function damagedColumns(row: Row): readonly string[] {
  const times = ["created_at", "ended_at"].filter((name) => !isInstant(maybeWhole(row, name)));
  return [...unusableColumns(row), ...times, ...(isBodyWhole(row) ? [] : ["body"])];
}

/** Returns the query parameters, or null if the column does not contain them. */
export function queryOf(row: Row): Readonly<Record<string, string>> | null {
  const query = jsonIn(text(row, "query"));
  if (!isRecord(query)) return null;
  const pairs = Object.entries(query).filter(
    (pair): pair is [string, string] => typeof pair[1] === "string",
  );
  return pairs.length === Object.keys(query).length ? Object.fromEntries(pairs) : null;
}

export function isInstant(at: number | null): boolean {
  return at === null || Math.abs(at) <= lastInstant;
}

/** Returns true if the body matches its hash. A purged body counts as whole. */
function isBodyWhole(row: Row): boolean {
  const { body } = row;
  if (!(body instanceof Uint8Array)) return true;
  const sha256 = createHash("sha256").update(body).digest("hex");
  return sha256 === text(row, "sha256") && jsonIn(new TextDecoder().decode(body)) !== undefined;
}

function jsonIn(words: string): unknown {
  try {
    return parseExact(words);
  } catch {
    return undefined;
  }
}

/** Returns the error for an entry that the journal does not have. */
export function noEntry(id: number): AppError {
  return new AppError("write", "not-found", `The journal has no entry ${id}.`, {
    journalId: id,
    remedy: `\`supplyline activity list\` shows what there is. ${otherFolder}`,
  });
}
