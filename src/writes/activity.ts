/** Reads journal entries for lists, counts and exports. activity-detail.ts reads a single entry. */
import type { SQLInputValue } from "node:sqlite";
import { serviceKey } from "../api/url.ts";
import { maybeText, maybeWhole, type Row, text, whole } from "../sqlite/rows.ts";
import { isInstant, type State, type TookEffect } from "./journal/entry.ts";
import type { Journal } from "./journal/open-journal.ts";

/** The outcome of an entry, as commands print it. An entry not yet sent is unsent. */
export type ActivityOutcome = Exclude<State, "intent">;

export function outcomeOf(state: State): ActivityOutcome {
  return state === "intent" ? "unsent" : state;
}

export interface ActivityRow {
  readonly journal_id: number;
  /** Time at which the entry was recorded, in ISO 8601 and UTC. */
  readonly created_at: string;
  readonly profile: string;
  readonly operation: string;
  readonly import_supplier: string;
  /** The account's number. Absent if the entry is about a supply point. */
  readonly external_account_number?: string;
  /** The supply point's identifier. Absent if the entry is about an account. */
  readonly external_identifier?: string;
  readonly outcome: ActivityOutcome;
  readonly http_status: number | null;
  readonly code: string | null;
  readonly attempts: number;
  readonly run: string | null;
  /** The operator's answer if the entry took effect. Absent unless an operator closed the entry. */
  readonly took_effect?: TookEffect;
  /** The reason why an operator closed the entry. Absent for any other entry. */
  readonly closing_reason?: string;
}

/** The conditions for entries. An absent condition matches every entry. */
export interface ActivityFilter {
  readonly outcomes?: readonly ActivityOutcome[] | undefined;
  readonly profile?: string | undefined;
  readonly operation?: string | undefined;
  readonly importSupplier?: string | undefined;
  readonly externalAccountNumber?: string | undefined;
  readonly externalIdentifier?: string | undefined;
  /** An account's number or a supply point's identifier. */
  readonly number?: string | undefined;
  /** The base URL of the service, for entries of any profile. */
  readonly baseUrl?: string | undefined;
  readonly run?: string | undefined;
  /** Earliest time of recording, in epoch milliseconds, inclusive. */
  readonly since?: number | undefined;
  /** Latest time of recording, in epoch milliseconds, exclusive. */
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

/**
 * The orders of entries, in SQL. `unknown-first` lists the entries that need an operator first, and
 * the newest first within each outcome.
 */
const orders = {
  newest: "id DESC",
  "unknown-first":
    "CASE state WHEN 'unknown' THEN 0 WHEN 'retryable' THEN 1 WHEN 'sending' THEN 2 ELSE 3 END, id DESC",
};

export function closingRemark(intent: string): string {
  return `SELECT text FROM remark WHERE remark.intent = ${intent} AND remark.kind = 'closed'
    ORDER BY remark.id DESC LIMIT 1`;
}

export const activityColumns = `id, created_at, profile, operation, import_supplier, external_account_number,
  external_identifier, state, http_status, code, run, took_effect,
  CASE WHEN took_effect IS NOT NULL THEN (${closingRemark("intent.id")}) END AS closing_reason,
  (SELECT count(*) FROM attempt WHERE attempt.intent = intent.id) AS attempts`;

export function listActivity(
  journal: Journal,
  filter: ActivityFilter = {},
  order: keyof typeof orders = "newest",
): ActivityRow[] {
  const { where, values } = conditions(filter);
  const sql = `SELECT ${activityColumns} FROM intent ${where} ORDER BY ${orders[order]} LIMIT ?`;
  return journal.read((rows) => rows.all(sql, ...values, filter.limit ?? -1)).map(activityRow);
}

/** Returns the number of matching entries, regardless of the limit. */
export function countActivity(journal: Journal, filter: ActivityFilter): number {
  const { where, values } = conditions(filter);
  const sql = `SELECT count(*) FROM intent ${where}`;
  return journal.read((rows) => rows.number(sql, ...values));
}

export const pageRows = 500;

/** Returns the epoch milliseconds of each entry's last sending. One never sent is absent. */
export function lastSentAt(journal: Journal, ids: readonly number[]): ReadonlyMap<number, number> {
  const sentAt = new Map<number, number>();
  for (let start = 0; start < ids.length; start += pageRows) {
    const page = ids.slice(start, start + pageRows);
    const sql = `SELECT intent, max(started_at) AS at FROM attempt
      WHERE intent IN (${page.map(() => "?").join(", ")}) GROUP BY intent`;
    for (const row of journal.read((rows) => rows.all(sql, ...page))) {
      sentAt.set(whole(row, "intent"), whole(row, "at"));
    }
  }
  return sentAt;
}

export function* exportActivity(
  journal: Journal,
  filter: ActivityFilter = {},
): Generator<readonly ActivityRow[], void, void> {
  for (const page of entryPages(journal, filter, { columns: activityColumns, order: "newest" }))
    yield page.map(activityRow);
}

/** Yields the matching rows of `intent`, one page at a time. `columns` must include the id. */
export function* entryPages(
  journal: Journal,
  filter: ActivityFilter,
  { columns, order }: { readonly columns: string; readonly order: "newest" | "oldest" },
): Generator<readonly Row[], void, void> {
  const { since, before: until, ...rest } = filter;
  const { where, values } = conditions(rest);
  const span = spanOf(journal, since, until);
  const isNewest = order === "newest";
  const next = isNewest ? "id < ? ORDER BY id DESC" : "id > ? ORDER BY id";
  const sql = `SELECT ${columns} FROM intent ${where === "" ? "WHERE" : `${where} AND`}
    ${span.condition} AND id < ? AND ${next} LIMIT ?`;
  let last = isNewest ? span.idsBelow : -1;
  let left = filter.limit ?? Number.POSITIVE_INFINITY;
  while (left > 0) {
    const page = journal.read((rows) =>
      rows.all(sql, ...values, ...span.values, span.idsBelow, last, Math.min(pageRows, left)),
    );
    if (page.length > 0) yield page;
    if (page.length < pageRows) return;
    last = whole(page.at(-1) ?? {}, "id");
    left -= page.length;
  }
}

/**
 * Converts a time span to an ID span, because pages are read by ID. An index by time would sort the
 * whole span again for each page.
 */
function spanOf(journal: Journal, since: number | undefined, before: number | undefined) {
  const allEntries = { condition: "true", values: [], idsBelow: Number.MAX_SAFE_INTEGER };
  if (since === undefined && before === undefined) return allEntries;
  const times = [since ?? Number.MIN_SAFE_INTEGER, before ?? Number.MAX_SAFE_INTEGER];
  const row = journal.read((rows) =>
    rows.get(
      "SELECT coalesce(min(id), 0) AS lowest, coalesce(max(id), 0) AS highest FROM intent WHERE created_at >= ? AND created_at < ?",
      ...times,
    ),
  );
  return {
    condition: "id >= ? AND +created_at >= ? AND +created_at < ?",
    values: [row === undefined ? 0 : whole(row, "lowest"), ...times],
    idsBelow: row === undefined ? 0 : whole(row, "highest") + 1,
  };
}

const open: readonly ActivityOutcome[] = ["sending", "unknown", "retryable"];
/** SQL for open entries. SQLite uses their index only if the text is the same as in the index. */
export const isOpen = "state IN ('intent', 'sending', 'unknown', 'retryable')";

function conditions(filter: ActivityFilter): { where: string; values: SQLInputValue[] } {
  const parts: string[] = [];
  const values: SQLInputValue[] = [];
  const add = (condition: string, ...optional: (SQLInputValue | undefined)[]) => {
    const present = optional.filter((value) => value !== undefined);
    if (present.length < optional.length) return;
    parts.push(condition);
    values.push(...present);
  };
  const { outcomes, baseUrl, number } = filter;
  const onlyOpen = outcomes?.every((outcome) => open.includes(outcome)) ?? false;
  add("profile = ?", filter.profile);
  add("operation = ?", filter.operation);
  add("import_supplier = ?", filter.importSupplier);
  add("external_account_number = ?", filter.externalAccountNumber);
  add("external_identifier = ?", filter.externalIdentifier);
  add("(external_account_number = ? OR external_identifier = ?)", number, number);
  // The plus keeps SQLite from using the index of the service, which matches nearly every entry.
  const names = [filter.externalAccountNumber, filter.externalIdentifier, number, filter.run];
  const isNarrow = onlyOpen || names.some((name) => name !== undefined);
  const service = baseUrl === undefined ? undefined : serviceKey(baseUrl);
  add(isNarrow ? "+service = ?" : "service = ?", service);
  add("run = ?", filter.run);
  add("created_at >= ?", filter.since);
  add("created_at < ?", filter.before);
  if (outcomes !== undefined) {
    if (onlyOpen) add(isOpen);
    const states = outcomes.flatMap((outcome) =>
      outcome === "unsent" ? ["unsent", "intent"] : [outcome],
    );
    add(`state IN (${states.map(() => "?").join(", ")})`, ...states);
  }
  return { where: parts.length === 0 ? "" : `WHERE ${parts.join(" AND ")}`, values };
}

export function activityRow(row: Row): ActivityRow {
  const account = maybeText(row, "external_account_number");
  const identifier = maybeText(row, "external_identifier");
  const state = text(row, "state") as State;
  const tookEffect = maybeText(row, "took_effect") as TookEffect | null;
  const closingReason = maybeText(row, "closing_reason");
  return {
    journal_id: whole(row, "id"),
    created_at: iso(whole(row, "created_at")),
    profile: text(row, "profile"),
    operation: text(row, "operation"),
    import_supplier: text(row, "import_supplier"),
    ...(account === null ? {} : { external_account_number: account }),
    ...(identifier === null ? {} : { external_identifier: identifier }),
    outcome: outcomeOf(state),
    http_status: maybeWhole(row, "http_status"),
    code: maybeText(row, "code"),
    attempts: whole(row, "attempts"),
    run: maybeText(row, "run"),
    ...(tookEffect === null ? {} : { took_effect: tookEffect }),
    ...(closingReason === null ? {} : { closing_reason: closingReason }),
  };
}

/** Formats an instant in ISO 8601, or as a number if it is outside the range of dates. */
export function iso(at: number): string {
  return isInstant(at) ? new Date(at).toISOString() : `unreadable (${at})`;
}
