/** Reads one journal entry with all its details, for `activity show` and the console. */
import { jsonOf, memberOf, memberText, parseExact } from "../json/exact.ts";
import { maybeText, maybeWhole, type Row, text } from "../sqlite/rows.ts";
import type { LastNote } from "../text/hand-over-line.ts";
import { type ActivityRow, activityColumns, activityRow, iso, listActivity } from "./activity.ts";
import {
  type Attempt,
  damagedColumns,
  type EffectDoubt,
  noEntry,
  queryOf,
  type Reason,
  readAttempts,
  readEntryRow,
  readItems,
  readRemarks,
} from "./journal/entry.ts";
import type { Journal } from "./journal/open-journal.ts";
import type { Item } from "./kinds/kind.ts";
import { readTeamFacts } from "./team/claims.ts";
import { teamFields } from "./team/ledger.ts";

export interface ActivityAttempt {
  readonly n: number;
  readonly started_at: string;
  readonly headers_sent_at: string | null;
  readonly ended_at: string | null;
  readonly outcome: string;
  readonly http_status: number | null;
  readonly code: string | null;
  readonly response: string | null;
  /** A sentence about the end of the attempt, or null if the status explains it. */
  readonly detail: string | null;
}

export interface ActivityDetail extends Omit<ActivityRow, "attempts"> {
  readonly base_url: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly sha256: string;
  /** The body as a JSON value with exact numbers, as text if it is not JSON, or null if purged. */
  readonly body: unknown;
  readonly reason: Reason | null;
  readonly doubt: EffectDoubt;
  readonly ended_at: string | null;
  /** The ID of the entry that this entry verifies, or null if it verifies none. */
  readonly parent: number | null;
  readonly attempts: readonly ActivityAttempt[];
  readonly items: readonly Item[];
  readonly remarks: readonly {
    readonly at: string;
    readonly kind: string;
    readonly text: string;
  }[];
  /**
   * The entry in the ledger of the team, such as `t12`, or null if this machine does not know it. Absent
   * if the entry was never claimed.
   */
  readonly team_id?: string | null;
  /** True if the ledger has the last outcome. Absent if the entry was never claimed. */
  readonly published?: boolean;
  /** Names of the columns whose content supplyline did not write. Absent if there are none. */
  readonly damaged?: readonly string[];
}

/** Returns an entry, as far as it is readable. Throws a write error `not-found`. */
export function showActivity(journal: Journal, id: number): ActivityDetail {
  const { entry, row, attempts, items, remarks, team } = journal.read((rows) => ({
    entry: readEntryRow(rows, id),
    row: rows.get(`SELECT ${activityColumns} FROM intent WHERE id = ?`, id),
    attempts: readAttempts(rows, id),
    items: readItems(rows, id),
    remarks: readRemarks(rows, id),
    team: readTeamFacts(rows, id),
  }));
  if (entry === undefined || row === undefined) {
    throw noEntry(id);
  }
  const damaged = damagedColumns(entry);
  return {
    ...activityRow(row),
    base_url: text(entry, "base_url"),
    path: text(entry, "path"),
    query: queryOf(entry) ?? {},
    sha256: text(entry, "sha256"),
    body: bodyValue(entry),
    reason: maybeText(entry, "reason") as Reason | null,
    doubt: text(entry, "doubt") as EffectDoubt,
    ended_at: maybeIso(maybeWhole(entry, "ended_at")),
    parent: maybeWhole(entry, "parent"),
    attempts: attempts.map(attemptRow),
    items,
    remarks: remarks.map(({ at, kind, text: words }) => ({ at: iso(at), kind, text: words })),
    ...(team === null ? {} : teamFields(team)),
    ...(damaged.length === 0 ? {} : { damaged }),
  };
}

/** Returns the body of an entry as text, or null if it was purged or there is no such entry. */
export function bodyText(journal: Journal, id: number): string | null {
  const row = journal.read((rows) => readEntryRow(rows, id));
  return row === undefined ? null : textOf(row);
}

function textOf({ body }: Row): string | null {
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : null;
}

function bodyValue(row: Row): unknown {
  const body = textOf(row);
  if (body === null) return null;
  try {
    return parseExact(body);
  } catch {
    return body;
  }
}

function attemptRow(attempt: Attempt): ActivityAttempt {
  return {
    n: attempt.n,
    started_at: iso(attempt.startedAt),
    headers_sent_at: maybeIso(attempt.headersSentAt),
    ended_at: maybeIso(attempt.endedAt),
    outcome: attempt.outcome,
    http_status: attempt.httpStatus,
    code: attempt.code,
    response: attempt.response,
    detail: attempt.detail,
  };
}

function maybeIso(at: number | null): string | null {
  return at === null ? null : iso(at);
}

/** Returns the last note that this journal sent to an account, or null. Throws a journal error. */
export function lastNote(
  journal: Journal,
  { baseUrl, supplier, account }: { baseUrl: string; supplier: string; account: string },
): LastNote | null {
  const sentNotes = listActivity(journal, {
    baseUrl,
    importSupplier: supplier,
    externalAccountNumber: account,
    operation: "notes create",
    outcomes: ["confirmed", "unknown", "retryable", "sending", "closed"],
  });
  // A note that an operator found to be missing is not the last one.
  const last = sentNotes.find(({ took_effect: tookEffect }) => tookEffect !== "no");
  if (last === undefined) return null;
  const { journal_id, outcome, created_at } = last;
  const body = noteBodies(bodyText(journal, journal_id) ?? "null").at(-1) ?? null;
  return {
    body,
    outcome: last.took_effect === "yes" ? "confirmed" : outcome,
    at: Date.parse(created_at),
  };
}

/** Returns the texts of the notes in a body (INTERFACE 4.1). */
function noteBodies(body: string): readonly string[] {
  const notes = memberOf(jsonOf(body), "notes");
  if (!Array.isArray(notes)) return [];
  return notes.flatMap((note) => memberText(note, "body") ?? []);
}
