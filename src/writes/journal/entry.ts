/** Reads entries, attempts, items and remarks from the journal's rows. */

import { createHash } from "node:crypto";
import {
  AppError,
  type ErrorKinds,
  isAppError,
  otherStateFolderRemedy,
} from "../../errors/app-error.ts";
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
 * The state of an entry:
 * - `intent`: recorded, not sent yet
 * - `unsent`: ended without having been sent
 * - `sending`: in progress
 * - `confirmed`, `rejected`: by the service
 * - `retryable`: failed, can be sent again unchanged
 * - `unknown`: the outcome is unknown
 * - `closed`: settled by an operator, with a reason and the answer if it took effect
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

/** The answers to the question if a closed entry took effect. The first one is the default. */
export const tookEffectAnswers = ["unknown", "yes", "no"] as const;

export type TookEffect = (typeof tookEffectAnswers)[number];

export interface Closing {
  /** The operator's answer to the question how they know. */
  readonly reason: string;
  readonly tookEffect: TookEffect;
}

/**
 * The doubt that a write might have taken effect, regardless of later responses. `vendor` follows a
 * 500 of INTERFACE 4.4, after which the interface asks for a resend.
 */
export type EffectDoubt = "none" | "vendor" | "unknown";

/** The reason why the sending or the look-up was stopped: by the user, or with its run. */
export type StopReason = "cancelled" | "run-paused" | "run-stopped";

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
  /** The duplicate guard barred the entry, because the service has refused the same form. */
  | "refused-before"
  /**
   * The duplicate guard barred the entry, because another entry with one of its items took effect
   * or might have.
   */
  | "sent-before"
  | "team-away"
  /** The team's ledger refused the entry for another reason than an earlier entry. */
  | "team-refused"
  /** The team's ledger has no approval of a second person for the entry. */
  | "not-approved";

/** The result of the look-up (INTERFACE 4.7) before a supply point was sent. */
export type LookupResult =
  | { readonly found: false }
  | { readonly found: true; readonly status: string; readonly created_at: string | null };

/** One entry: a recorded write. Instants are epoch milliseconds. */
export interface Entry {
  readonly id: number;
  readonly run: string | null;
  readonly line: number | null;
  /** The ID of the entry that this entry verifies, or null if it verifies none. */
  readonly parent: number | null;
  readonly profile: string;
  readonly baseUrl: string;
  readonly operation: Operation;
  readonly target: Target;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The bytes of the body, or null if they were purged. */
  readonly body: Uint8Array | null;
  readonly sha256: string;
  readonly createdAt: number;
  readonly state: State;
  readonly reason: Reason | null;
  readonly doubt: EffectDoubt;
  /** The operator's answer on a closed entry, or null for any other entry. */
  readonly tookEffect: TookEffect | null;
  readonly lookedUp: LookupResult | null;
  readonly httpStatus: number | null;
  readonly code: string | null;
  readonly owner: Owner | null;
  readonly endedAt: number | null;
}

/** One attempt to send an entry. Instants are epoch milliseconds. */
export interface Attempt {
  /** The number of the attempt, from 1. */
  readonly n: number;
  readonly startedAt: number;
  /** Time at which the headers were sent, or null if they were not or it was not recorded. */
  readonly headersSentAt: number | null;
  readonly endedAt: number | null;
  /** `sending`, `confirmed`, or a failure of the retry table. */
  readonly outcome: string;
  readonly httpStatus: number | null;
  readonly code: string | null;
  /** The response's body (untrusted, cut to a limit), or null if there is none or it was purged. */
  readonly response: string | null;
  /** A sentence about the end of the attempt (untrusted), or null if the status explains it. */
  readonly detail: string | null;
}

export interface Remark {
  readonly at: number;
  readonly kind: "again" | "resent" | "verified" | "closed" | "recovered" | "purged" | "guarded";
  readonly text: string;
}

/** Returns the entry, or null if it does not exist. Throws a write error `damaged`. */
export function readEntry(rows: Rows, id: number): Entry | null {
  const row = readEntryRow(rows, id);
  return row === undefined ? null : entryOf(row);
}

/** Returns the raw row of an entry, even if parts of it are damaged, or undefined. */
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

export function readRemarks(rows: Rows, id: number): Remark[] {
  return rows.all("SELECT * FROM remark WHERE intent = ? ORDER BY id", id).map((row) => ({
    at: instant(row, "at"),
    kind: text(row, "kind") as Remark["kind"],
    text: text(row, "text"),
  }));
}

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
  const owner = maybeText(row, "owner");
  const lookedUp = maybeText(row, "looked_up");
  const unusable = unusableColumns(row);
  if (unusable.length > 0 || query === null || !isOperation(operation)) {
    const id = whole(row, "id");
    const words = `Entry ${id} is damaged in the journal (${unusable.join(", ")}): nothing is done with it.`;
    throw entryError(id, "damaged", words);
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
    tookEffect: maybeText(row, "took_effect") as TookEffect | null,
    lookedUp: lookedUp === null ? null : (JSON.parse(lookedUp) as LookupResult),
    httpStatus: maybeWhole(row, "http_status"),
    code: maybeText(row, "code"),
    owner: owner === null ? null : ownerFrom(owner),
    endedAt: maybeInstant(row, "ended_at"),
  };
}

/**
 * Returns the names of damaged columns without which an entry cannot be sent, verified or compared.
 * supplyline never writes such values. They come from a failing disk or a change by hand.
 */
function unusableColumns(row: Row): readonly string[] {
  const lookedUp = maybeText(row, "looked_up");
  return [
    ...(isOperation(text(row, "operation")) ? [] : ["operation"]),
    ...(queryOf(row) === null ? ["query"] : []),
    ...(lookedUp === null || isRecord(jsonIn(lookedUp)) ? [] : ["looked_up"]),
  ];
}

/** Returns the names of all damaged columns of an entry. The hash shows a damaged body. */
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

/** Returns true if the body matches its hash or was purged. */
function isBodyWhole(row: Row): boolean {
  const { body } = row;
  if (!(body instanceof Uint8Array)) return true;
  const sha256 = createHash("sha256").update(body).digest("hex");
  return sha256 === text(row, "sha256") && jsonIn(new TextDecoder().decode(body)) !== undefined;
}

function jsonIn(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

export function entryError(
  id: number,
  kind: ErrorKinds["write"],
  words: string,
): AppError<"write"> {
  return new AppError("write", kind, words, { journalId: id });
}

export function isUnusableEntry(error: unknown): error is AppError<"write"> {
  return isAppError(error, "write", "damaged") || isAppError(error, "write", "invalid");
}

export function noEntry(id: number): AppError {
  return new AppError("write", "not-found", `The journal has no entry ${id}.`, {
    journalId: id,
    remedy: `\`supplyline activity list\` lists all entries. ${otherStateFolderRemedy}`,
  });
}
