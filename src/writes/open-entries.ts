/** Counts and lists the open entries of a service, for the console and the commands. */
import { setImmediate } from "node:timers/promises";
import { serviceKey } from "../api/url.ts";
import { type Row, text, whole } from "../sqlite/rows.ts";
import { type ActivityRow, activityColumns, activityRow, isOpen, pageRows } from "./activity.ts";
import { confirmedLater } from "./item-keys.ts";
import type { Journal } from "./journal/open-journal.ts";

/** The outcomes that leave an entry open, most severe first. Only such an entry can be closed. */
export const openOutcomes = ["unknown", "rejected", "retryable", "unsent"] as const;

export type OpenOutcome = (typeof openOutcomes)[number];

export function isOpenOutcome(outcome: string): outcome is OpenOutcome {
  return (openOutcomes as readonly string[]).includes(outcome);
}

export type OpenCounts = Readonly<Record<OpenOutcome, number>>;

const noneOpen: OpenCounts = { unknown: 0, rejected: 0, retryable: 0, unsent: 0 };

/**
 * Returns the number of open entries of a service by import supplier. Yields to other work between
 * pages. Rejects with a journal error, or with the reason of the signal.
 */
export async function countOpenEntries(
  journal: Journal,
  baseUrl: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, OpenCounts>> {
  const counts = new Map<string, Record<OpenOutcome, number>>();
  for await (const page of openPages(journal, baseUrl, "id, import_supplier, state", signal)) {
    for (const row of page) {
      const supplier = text(row, "import_supplier");
      const ofSupplier = counts.get(supplier) ?? { ...noneOpen };
      ofSupplier[text(row, "state") as OpenOutcome] += 1;
      counts.set(supplier, ofSupplier);
    }
  }
  return counts;
}

/**
 * Returns the open entries of a service, most severe first, then newest first. Rejects with a
 * journal error, or with the reason of the signal.
 */
export async function listOpenEntries(
  journal: Journal,
  baseUrl: string,
  signal: AbortSignal,
): Promise<readonly OpenEntry[]> {
  const entries: OpenEntry[] = [];
  for await (const page of openPages(journal, baseUrl, `${activityColumns}, doubt`, signal))
    for (const row of page)
      entries.push({
        ...activityRow(row),
        outcome: text(row, "state") as OpenOutcome,
        might_have_taken_effect: text(row, "doubt") !== "none",
      });
  const severity = ({ outcome }: OpenEntry) => openOutcomes.indexOf(outcome);
  return entries.sort(
    (one, other) => severity(one) - severity(other) || other.journal_id - one.journal_id,
  );
}

/**
 * Returns the entries of a service that an operator closed since a time (epoch milliseconds), last
 * closed first. Throws a journal error.
 */
export function closedSince(
  journal: Journal,
  baseUrl: string,
  since: number,
): readonly ActivityRow[] {
  const sql = `SELECT ${activityColumns} FROM intent
    WHERE service = ? AND took_effect IS NOT NULL AND ended_at >= ? ORDER BY ended_at DESC, id DESC`;
  return journal.read((rows) => rows.all(sql, serviceKey(baseUrl), since)).map(activityRow);
}

/**
 * Returns true if an entry is rejected without a doubt, and its items were not confirmed later. Throws
 * a journal error.
 */
export function isRejectedStill(journal: Journal, id: number): boolean {
  const sql = `SELECT count(*) FROM intent of
    WHERE id = ? AND state = 'rejected' AND doubt = 'none' AND NOT ${confirmedLater()}`;
  return journal.read((rows) => rows.number(sql, id)) > 0;
}

export interface OpenEntry extends ActivityRow {
  readonly outcome: OpenOutcome;
  readonly might_have_taken_effect: boolean;
}

/**
 * SQLite uses the index of unsent and rejected entries only if the text is the same as in the
 * index. The rejected rows of a run are counted with the run.
 */
const unsentOrRejected = "(state = 'unsent' OR (state = 'rejected' AND run IS NULL))";

/** SQL that is true if no run can be resumed to send the entry. */
const isOfNoOpenRun =
  "(run IS NULL OR (SELECT run.state FROM run WHERE run.id = of.run) = 'ended')";

/**
 * SQL that is true if the entry was held back because colleagues have confirmed each of its items. An
 * entry that barred it here is found by `confirmedLater`.
 */
const confirmedByTeam = `(of.reason = 'sent-before'
  AND EXISTS (SELECT 1 FROM item_key mine WHERE mine.intent = of.id)
  AND NOT EXISTS (SELECT 1 FROM item_key mine WHERE mine.intent = of.id AND NOT EXISTS (
    SELECT 1 FROM team_bar bar
    WHERE bar.intent = of.id AND bar.item = mine.key AND bar.kind = 'confirmed')))`;

async function* openPages(
  journal: Journal,
  baseUrl: string,
  columns: string,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[], void, void> {
  const selected = columns.replaceAll("intent.id", "of.id");
  const service = serviceKey(baseUrl);
  const doubtful = `SELECT ${selected}, 1 AS is_open FROM intent of
    WHERE ${isOpen} AND state IN ('unknown', 'retryable') AND +service = ? AND id > ?
    ORDER BY id LIMIT ${pageRows}`;
  const isSettled = `(${confirmedLater()} OR ${confirmedByTeam})`;
  const unsettled = `SELECT ${selected}, ${isOfNoOpenRun} AND NOT ${isSettled} AS is_open
    FROM intent of WHERE service = ? AND ${unsentOrRejected} AND id > ? ORDER BY id LIMIT ${pageRows}`;
  for (const sql of [doubtful, unsettled]) {
    for (let last = 0; ; ) {
      signal.throwIfAborted();
      const page = journal.read((rows) => rows.all(sql, service, last));
      yield page.filter((row) => whole(row, "is_open") === 1);
      if (page.length < pageRows) break;
      last = whole(page.at(-1) ?? {}, "id");
      // Reading the journal is synchronous, so keys and signals are handled between pages.
      await setImmediate();
    }
  }
}
