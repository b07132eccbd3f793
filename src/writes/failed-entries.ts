/** Reads the failed entries of the journal and groups them by cause. */
import { setImmediate } from "node:timers/promises";
import { jsonOf } from "../json/exact.ts";
import { maybeText, type Row, text, whole } from "../sqlite/rows.ts";
import {
  type ActivityFilter,
  type ActivityRow,
  activityColumns,
  activityRow,
  entryPages,
} from "./activity.ts";
import { bodyText } from "./activity-detail.ts";
import { type Cause, causeCounter, type Failure, failedOutcomes } from "./causes.ts";
import type { Journal } from "./journal/open-journal.ts";
import { detailOf } from "./words/detail.ts";

interface FailedEntry {
  readonly row: ActivityRow;
  readonly failure: Failure;
}

const lastResponse =
  "SELECT response FROM attempt WHERE attempt.intent = intent.id ORDER BY n DESC LIMIT 1";
const lastRemark = `SELECT text FROM remark WHERE remark.intent = intent.id
  AND kind IN ('closed', 'guarded') ORDER BY id DESC LIMIT 1`;
const columns = `${activityColumns}, reason, doubt, (${lastResponse}) AS response, (${lastRemark}) AS note`;

/**
 * Returns the causes of the failed entries, largest first, each with at most `maxSamples` journal
 * IDs as samples. Default: 5. Yields to other work between pages. Rejects with a journal error, or
 * with the reason of the signal.
 */
export async function causesOfEntries(
  journal: Journal,
  filter: ActivityFilter,
  { signal, maxSamples }: { readonly signal: AbortSignal; readonly maxSamples?: number },
): Promise<readonly Cause[]> {
  const counter = causeCounter(maxSamples);
  for (const page of failedEntries(journal, filter)) {
    for (const { failure } of page) counter.add(failure);
    // Reading the journal is synchronous, so keys and signals are handled between pages.
    await setImmediate();
    signal.throwIfAborted();
  }
  return counter.causes();
}

/** Yields the failed entries, oldest first, one page at a time. Throws a journal error. */
export function* failedEntries(
  journal: Journal,
  filter: ActivityFilter,
): Generator<readonly FailedEntry[], void, void> {
  const failedFilter = { ...filter, outcomes: filter.outcomes ?? failedOutcomes };
  for (const page of entryPages(journal, failedFilter, { columns, order: "oldest" }))
    yield page.map((row) => failedEntry(journal, row));
}

/** Returns one entry as a failure, or null if there is none. Throws a journal error. */
export function failedEntryOf(journal: Journal, id: number): FailedEntry | null {
  const row = journal.read((rows) => rows.get(`SELECT ${columns} FROM intent WHERE id = ?`, id));
  return row === undefined ? null : failedEntry(journal, row);
}

function failedEntry(journal: Journal, stored: Row): FailedEntry {
  const row = activityRow(stored);
  const { journal_id, operation, outcome, http_status, code } = row;
  const { words, errorCodes } = detailOf({
    outcome,
    operation,
    position: null,
    itemOutcome: null,
    reason: maybeText(stored, "reason"),
    doubt: text(stored, "doubt"),
    httpStatus: http_status,
    response: maybeText(stored, "response"),
    note: maybeText(stored, "note"),
  });
  const names = [row.import_supplier, row.external_account_number, row.external_identifier];
  return {
    row,
    failure: {
      operation,
      outcome,
      httpStatus: http_status,
      code,
      errorCodes,
      message: words,
      ownValues: () => [
        ...names.filter((name) => name !== undefined),
        ...sentTexts(journal, whole(stored, "id")),
      ],
      sample: journal_id,
    },
  };
}

/** Returns the texts in the body of an entry. Returns an empty array if the body was purged. */
export function sentTexts(journal: Journal, id: number): readonly string[] {
  const texts: string[] = [];
  const collect = (value: unknown) => {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  collect(jsonOf(bodyText(journal, id) ?? "null"));
  return texts;
}
