/**
 * Gathers the evidence after a scenario: the journal, the effects at the service, and the reports
 * to the user.
 */
import { DatabaseSync } from "node:sqlite";
import type { LedgerEntry, ObservedRequest } from "../src/sandbox/index.ts";

/** A request at the service, and how it was answered. */
export interface Seen extends ObservedRequest {
  /** The status of the answer, or null if there was none. */
  readonly answered: number | null;
}

/** One entry of the journal, read with nothing of the program's. */
export interface EntryEvidence {
  readonly id: number;
  readonly parent: number | null;
  readonly run: string | null;
  readonly line: number | null;
  readonly operation: string;
  readonly state: string;
  readonly doubt: string;
  readonly reason: string | null;
  readonly owned: boolean;
  readonly sha256: string;
  /** Account or supply point. */
  readonly identifier: string;
  /** The names of its items in the ledger. */
  readonly keys: readonly string[];
  readonly attempts: readonly AttemptEvidence[];
  /** Outcomes by position. */
  readonly items: ReadonlyMap<number, string>;
  /** Kinds of remarks: an operator's acts, and what recovery noted. */
  readonly remarks: readonly string[];
}

interface AttemptEvidence {
  readonly n: number;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly outcome: string;
}

/** The reports of a process to its user. */
export interface Reported {
  readonly journalId: number;
  /** `queued`, or the outcome. */
  readonly word: string;
}

export interface Evidence {
  readonly entries: readonly EntryEvidence[];
  readonly claims: number;
  readonly journalCheck: string;
  readonly effects: readonly LedgerEntry[];
  readonly seen: readonly Seen[];
  readonly reported: readonly Reported[];
  /** Files of the journal, to look for what must not be in them. */
  readonly secretsFound: readonly string[];
}

export type JournalEvidence = Pick<Evidence, "entries" | "claims" | "journalCheck">;

/** Reads a journal file beside whoever may have it open. */
export function readJournal(path: string): JournalEvidence {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    const attempts = grouped(database, "SELECT * FROM attempt ORDER BY intent, n", (row) => ({
      n: Number(row.n),
      startedAt: Number(row.started_at),
      endedAt: row.ended_at === null ? null : Number(row.ended_at),
      outcome: String(row.outcome),
    }));
    const items = grouped(database, "SELECT * FROM item", (row): [number, string] => [
      Number(row.position),
      String(row.outcome),
    ]);
    const remarks = grouped(database, "SELECT * FROM remark", (row) => String(row.kind));
    const entries = database
      .prepare("SELECT * FROM intent ORDER BY id")
      .all()
      .map((row): EntryEvidence => {
        const id = Number(row.id);
        const operation = String(row.operation);
        const body = row.body instanceof Uint8Array ? new TextDecoder().decode(row.body) : "null";
        return {
          id,
          parent: row.parent === null ? null : Number(row.parent),
          run: row.run === null ? null : String(row.run),
          line: row.line === null ? null : Number(row.line),
          operation,
          state: String(row.state),
          doubt: String(row.doubt),
          reason: row.reason === null ? null : String(row.reason),
          owned: row.owner !== null,
          sha256: String(row.sha256),
          identifier: String(row.external_account_number ?? row.external_identifier),
          keys: keysOf(operation, JSON.parse(body)),
          attempts: attempts.get(id) ?? [],
          items: new Map(items.get(id) ?? []),
          remarks: remarks.get(id) ?? [],
        };
      });
    const claims = Number(database.prepare("SELECT count(*) AS n FROM claim").get()?.n);
    const checks = [
      ...database.prepare("PRAGMA integrity_check").all(),
      ...database.prepare("PRAGMA foreign_key_check").all(),
    ];
    const [first, ...more] = checks;
    const sound = more.length === 0 && first?.integrity_check === "ok";
    return { entries, claims, journalCheck: sound ? "ok" : JSON.stringify(checks) };
  } finally {
    database.close();
  }
}

/** The ids of a journal's runs. */
export function readRuns(path: string): readonly string[] {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    return database
      .prepare("SELECT id FROM run")
      .all()
      .map(({ id }) => String(id));
  } finally {
    database.close();
  }
}

function grouped<T>(
  database: DatabaseSync,
  sql: string,
  of: (row: Readonly<Record<string, unknown>>) => T,
): Map<number, T[]> {
  const found = new Map<number, T[]>();
  for (const row of database.prepare(sql).iterate()) {
    const id = Number(row.intent);
    const there = found.get(id);
    if (there === undefined) found.set(id, [of(row)]);
    else there.push(of(row));
  }
  return found;
}

interface Bodies {
  readonly notes?: readonly NoteItem[];
  readonly transactions?: readonly { readonly transaction_id: string }[];
  readonly statements?: readonly { readonly statement_id: string }[];
  readonly vendor?: string;
  readonly reference?: string;
  readonly payload?: { readonly supply_point: { readonly identifier: string } };
}

interface NoteItem {
  readonly body?: string;
  readonly document_paths?: unknown;
}

function keysOf(operation: string, body: Bodies | null): readonly string[] {
  if (body === null) return [];
  switch (operation) {
    case "notes create":
      return (body.notes ?? []).map(noteKey);
    case "transactions create":
      return (body.transactions ?? []).map((item) => item.transaction_id);
    case "statements create":
      return (body.statements ?? []).map((item) => item.statement_id);
    case "payment-instructions create":
      return [`${body.vendor}/${body.reference}`];
    default:
      return [body.payload?.supply_point.identifier ?? ""];
  }
}

function noteKey({ body, document_paths: documents }: NoteItem): string {
  return body ?? JSON.stringify(documents);
}

/** Returns the name of an effect, which equals the name of the item that caused it. */
function effectKey({ key, endpoint, detail }: LedgerEntry): string {
  return endpoint === "notes" && key === "" ? JSON.stringify(detail.document_paths) : key;
}

/** Returns the number of effects by account or supply point and key. */
export function landings(effects: readonly LedgerEntry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const effect of effects) {
    if (effect.cause !== "request") continue;
    const place = placeOf(effect.identifier, effectKey(effect));
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return counts;
}

export function placeOf(identifier: string, key: string): string {
  return JSON.stringify([identifier, key]);
}
