/** The journal as it is shown, listed and exported. */
import type { SQLInputValue } from "node:sqlite";
import { parseExact } from "./exact-json.ts";
import {
  type Attempt,
  type Doubt,
  type Entry,
  type Item,
  type Reason,
  readAttempts,
  readEntry,
  readItems,
  readRemarks,
  type State,
} from "./journal/entry.ts";
import type { Journal } from "./journal/open-journal.ts";
import { instant, maybeText, maybeWhole, type Row, text, whole } from "./journal/rows.ts";
import { WriteError } from "./write-error.ts";

/** As the commands print it; a recorded write that is not sent yet counts as unsent. */
export type ActivityOutcome = Exclude<State, "intent">;

/** One write, in the shape of `activity list --json`. */
export interface ActivityRow {
  readonly journal_id: number;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly profile: string;
  readonly operation: string;
  readonly import_supplier: string;
  /** Either this or the next. */
  readonly external_account_number?: string;
  readonly external_identifier?: string;
  readonly outcome: ActivityOutcome;
  readonly http_status: number | null;
  readonly code: string | null;
  readonly attempts: number;
  readonly run: string | null;
}

export interface ActivityFilter {
  readonly outcomes?: readonly ActivityOutcome[];
  readonly profile?: string;
  readonly operation?: string;
  readonly importSupplier?: string;
  readonly externalAccountNumber?: string;
  readonly externalIdentifier?: string;
  readonly baseUrl?: string;
  readonly run?: string;
  readonly limit?: number;
}

/** `unknown-first` for screens: what needs an operator, then the rest; each newest first. */
export type ActivityOrder = "newest" | "unknown-first";

const orders: Readonly<Record<ActivityOrder, string>> = {
  newest: "id DESC",
  "unknown-first":
    "CASE state WHEN 'unknown' THEN 0 WHEN 'retryable' THEN 1 WHEN 'sending' THEN 2 ELSE 3 END, id DESC",
};

const columns = `id, created_at, profile, operation, import_supplier, external_account_number,
  external_identifier, state, http_status, code, run,
  (SELECT count(*) FROM attempt WHERE attempt.intent = intent.id) AS attempts`;

/** The writes that match, all at once; for as many as a screen or a list shows. */
export function listActivity(
  journal: Journal,
  filter: ActivityFilter = {},
  order: ActivityOrder = "newest",
): ActivityRow[] {
  const { sql, values } = query(filter, order);
  return journal.read((rows) => rows.all(sql, ...values)).map(rowOf);
}

/** So many that match, whatever the limit. */
export function countActivity(journal: Journal, filter: ActivityFilter = {}): number {
  const { where, values } = conditions(filter);
  const row = journal.read((rows) =>
    rows.get(`SELECT count(*) AS n FROM intent ${where}`, ...values),
  );
  return row === undefined ? 0 : whole(row, "n");
}

const pageRows = 500;

/** All that match, newest first, a page at a time; for exports of any size. */
export function* exportActivity(
  journal: Journal,
  filter: ActivityFilter = {},
): Generator<ActivityRow, void, void> {
  const { where, values } = conditions(filter);
  let before = Number.MAX_SAFE_INTEGER;
  let left = filter.limit ?? Number.POSITIVE_INFINITY;
  while (left > 0) {
    const and = where === "" ? "WHERE" : `${where} AND`;
    const sql = `SELECT ${columns} FROM intent ${and} id < ? ORDER BY id DESC LIMIT ?`;
    const page = journal.read((rows) => rows.all(sql, ...values, before, Math.min(pageRows, left)));
    for (const row of page) yield rowOf(row);
    if (page.length < pageRows) return;
    before = whole(page.at(-1) ?? {}, "id");
    left -= page.length;
  }
}

/** One attempt, in the shape of `activity show --json`. */
export interface ActivityAttempt {
  readonly n: number;
  readonly started_at: string;
  readonly headers_sent_at: string | null;
  readonly ended_at: string | null;
  readonly outcome: string;
  readonly http_status: number | null;
  readonly code: string | null;
  readonly response: string | null;
}

/** One write with all that is known of it; `attempts` is the list itself. */
export interface ActivityDetail extends Omit<ActivityRow, "attempts"> {
  readonly base_url: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly sha256: string;
  /** The body as a JSON value with exact numbers; null once purged. */
  readonly body: unknown;
  readonly reason: Reason | null;
  readonly doubt: Doubt;
  readonly ended_at: string | null;
  /** The entry that this one was made to verify. */
  readonly parent: number | null;
  readonly attempts: readonly ActivityAttempt[];
  readonly items: readonly Item[];
  readonly remarks: readonly {
    readonly at: string;
    readonly kind: string;
    readonly text: string;
  }[];
}

/** Throws WriteError `not-found`. */
export function showActivity(journal: Journal, id: number): ActivityDetail {
  const { entry, row, attempts, items, remarks } = journal.read((rows) => ({
    entry: readEntry(rows, id),
    row: rows.get(`SELECT ${columns} FROM intent WHERE id = ?`, id),
    attempts: readAttempts(rows, id),
    items: readItems(rows, id),
    remarks: readRemarks(rows, id),
  }));
  if (entry === null || row === undefined) {
    throw new WriteError("not-found", `The journal has no entry ${id}.`, id);
  }
  return {
    ...rowOf(row),
    base_url: entry.baseUrl,
    path: entry.path,
    query: entry.query,
    sha256: entry.sha256,
    body: bodyValue(entry),
    reason: entry.reason,
    doubt: entry.doubt,
    ended_at: maybeIso(entry.endedAt),
    parent: entry.parent,
    attempts: attempts.map(attemptRow),
    items,
    remarks: remarks.map(({ at, kind, text: words }) => ({ at: iso(at), kind, text: words })),
  };
}

function bodyValue({ body }: Entry): unknown {
  if (body === null) return null;
  const written = new TextDecoder().decode(body);
  try {
    return parseExact(written);
  } catch {
    // Not what was written there: it is shown as it is.
    return written;
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
  };
}

function query(filter: ActivityFilter, order: ActivityOrder) {
  const { where, values } = conditions(filter);
  const limit = filter.limit ?? -1;
  return {
    sql: `SELECT ${columns} FROM intent ${where} ORDER BY ${orders[order]} LIMIT ?`,
    values: [...values, limit],
  };
}

const open: readonly ActivityOutcome[] = ["sending", "unknown", "retryable"];
const isOpen = "state IN ('intent', 'sending', 'unknown', 'retryable')";

function conditions(filter: ActivityFilter): { where: string; values: SQLInputValue[] } {
  const parts: string[] = [];
  const values: SQLInputValue[] = [];
  const equal = (column: string, value: string | undefined) => {
    if (value === undefined) return;
    parts.push(`${column} = ?`);
    values.push(value);
  };
  const onlyOpen = filter.outcomes?.every((outcome) => open.includes(outcome)) ?? false;
  // The plus keeps SQLite from choosing the profile's index, which leads to nearly every entry.
  equal(onlyOpen ? "+profile" : "profile", filter.profile);
  equal("operation", filter.operation);
  equal("import_supplier", filter.importSupplier);
  equal("external_account_number", filter.externalAccountNumber);
  equal("external_identifier", filter.externalIdentifier);
  equal("base_url", filter.baseUrl);
  equal("run", filter.run);
  if (filter.outcomes !== undefined) {
    // Word for word the condition of the index of open entries, which a query must name to use it.
    if (onlyOpen) parts.push(isOpen);
    const states = filter.outcomes.flatMap((outcome) =>
      outcome === "unsent" ? ["unsent", "intent"] : [outcome],
    );
    parts.push(`state IN (${states.map(() => "?").join(", ")})`);
    values.push(...states);
  }
  return { where: parts.length === 0 ? "" : `WHERE ${parts.join(" AND ")}`, values };
}

function rowOf(row: Row): ActivityRow {
  const account = maybeText(row, "external_account_number");
  const identifier = maybeText(row, "external_identifier");
  const state = text(row, "state") as State;
  return {
    journal_id: whole(row, "id"),
    created_at: iso(instant(row, "created_at")),
    profile: text(row, "profile"),
    operation: text(row, "operation"),
    import_supplier: text(row, "import_supplier"),
    ...(account === null ? {} : { external_account_number: account }),
    ...(identifier === null ? {} : { external_identifier: identifier }),
    outcome: state === "intent" ? "unsent" : state,
    http_status: maybeWhole(row, "http_status"),
    code: maybeText(row, "code"),
    attempts: whole(row, "attempts"),
    run: maybeText(row, "run"),
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function maybeIso(at: number | null): string | null {
  return at === null ? null : iso(at);
}
