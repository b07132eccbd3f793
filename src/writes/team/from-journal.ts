/** Describes the journal's entries for the ledger: what a claim asks, and what an outcome reports. */

import { serviceKey } from "../../api/url.ts";
import { maybeText, type Row, type Rows, text, whole } from "../../sqlite/rows.ts";
import type { ActivityOutcome } from "../activity.ts";
import { effectiveState } from "../item-keys.ts";
import { type Entry, readAttempts, readEntry } from "../journal/entry.ts";
import type { Override } from "../journal/override.ts";
import { isRecognized, kindOf } from "../kinds/kinds.ts";
import { contentHash, type PreparedWrite } from "../prepare.ts";
import { accountLockOf } from "../send/account-lock.ts";
import type { ClaimRequest, LedgerEntry, Outcome, OutcomeItem } from "./ledger.ts";
import type { LedgerOverride } from "./ledger-override.ts";

/** The facts of a claim that the journal stores before the ledger is asked. */
export interface LocalClaim {
  readonly token: string;
  /** For each item, true if the service recognizes it. The body, which shows it, is not stored for ever. */
  readonly recognized: readonly boolean[];
}

export interface StoredClaim extends LocalClaim {
  /** The number of the claim among those of this state folder. */
  readonly number: number;
}

export function localClaimOf(
  token: string,
  { operation, query, facts }: Pick<PreparedWrite, "operation" | "query" | "facts">,
): LocalClaim {
  return { token, recognized: facts.items.map((item) => isRecognized(operation, query, [item])) };
}

export function ledgerOverrideOf({ reason, passes }: Override): LedgerOverride {
  return {
    reason,
    passes: passes.map(({ item, kind, earlier }) => ({
      key: item,
      kind: kind === "refused" ? "refused-before" : "sent-before",
      entry:
        typeof earlier === "number"
          ? { of: "journal", id: earlier }
          : { of: "ledger", id: Number(earlier.slice(1)) },
    })),
  };
}

export function claimRequestOf(
  rows: Rows,
  entry: Entry,
  { keys }: Pick<PreparedWrite, "keys">,
  claim: StoredClaim,
  override: LedgerOverride | null,
): ClaimRequest {
  const items = keys.map(({ content, name }, position) => ({
    key: content,
    name,
    isRecognized: claim.recognized[position] === true,
  }));
  return { ...ledgerEntryOf(rows, entry, claim), items, override };
}

/**
 * Returns the outcome of an entry, or null if it is not sent yet or is being sent. An entry that the
 * journal no longer has is null, too.
 */
export function outcomeOf(rows: Rows, id: number, claim: StoredClaim): Outcome | null {
  const entry = readEntry(rows, id);
  if (entry === null || entry.state === "intent" || entry.state === "sending") return null;
  const { state, reason, doubt, httpStatus, code } = entry;
  // An entry that was closed item by item has no answer, because its items have outcomes.
  const tookEffect = state === "closed" ? (entry.tookEffect ?? "unknown") : null;
  const items = rows.all(itemStates, id).map((row) => outcomeItemOf(row, claim));
  const facts = { state, tookEffect, reason, doubt, httpStatus, code, items } as const;
  return { ...ledgerEntryOf(rows, entry, claim), ...facts };
}

function ledgerEntryOf(rows: Rows, entry: Entry, { token, number }: StoredClaim): LedgerEntry {
  const { target, baseUrl, operation } = entry;
  const { id: localId, profile, run, line, sha256, createdAt: recordedAt } = entry;
  return {
    localId,
    token,
    claimNumber: number,
    service: serviceKey(baseUrl),
    account: accountLockOf(baseUrl, target),
    profile,
    operation,
    movesMoney: kindOf(operation).movesMoney,
    importSupplier: target.importSupplier,
    externalAccountNumber: target.kind === "account" ? target.externalAccountNumber : null,
    externalIdentifier: target.kind === "supply-point" ? target.externalIdentifier : null,
    run,
    runRequests: run === null ? null : requestsOfRun(rows, run),
    line,
    sha256,
    content: contentHash(entry),
    recordedAt,
    attempts: readAttempts(rows, localId).length,
  };
}

/** Returns the number of requests of a run, or null if the journal no longer has it. */
function requestsOfRun(rows: Rows, run: string): number | null {
  const row = rows.get("SELECT request_count FROM run WHERE id = ?", run);
  return row === undefined ? null : whole(row, "request_count");
}

const itemStates = `SELECT k.position, k.key, k.name, k.blocked, ${effectiveState} AS state FROM item_key k
  JOIN intent i ON i.id = k.intent LEFT JOIN item t ON t.intent = k.intent AND t.position = k.position
  WHERE k.intent = ? AND k.position >= 0 ORDER BY k.position`;

function outcomeItemOf(row: Row, { recognized }: LocalClaim): OutcomeItem {
  const position = whole(row, "position");
  return {
    position,
    key: text(row, "key"),
    name: maybeText(row, "name"),
    isRecognized: recognized[position] === true,
    state: maybeText(row, "state") as ActivityOutcome | null,
    isBlocked: whole(row, "blocked") === 1,
  };
}
