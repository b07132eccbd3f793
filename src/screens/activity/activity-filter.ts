import { type FilterTexts, type WordFilter, wordFilter } from "../../components/word-filter.ts";
import { formatInstant } from "../../text/dates.ts";
import type { ActivityRow } from "../../writes/activity.ts";
import { operationNoun, outcomeWords, targetNumber } from "../../writes/words/outcomes.ts";

const columns: Readonly<Record<string, FilterTexts<ActivityRow>>> = {
  outcome: (row) => [row.outcome, outcomeWords[row.outcome].label],
  operation: (row) => [row.operation, operationNoun(row.operation)],
  ext: (row) => [targetNumber(row)],
  supplier: (row) => [row.import_supplier],
  profile: (row) => [row.profile],
  run: (row) => [row.run],
  status: (row) => [row.http_status === null ? null : String(row.http_status), row.code],
  created: (row) => [row.created_at, formatInstant(Date.parse(row.created_at))],
};

const anywhere: FilterTexts<ActivityRow> = (row) => [
  String(row.journal_id),
  `${row.import_supplier}/${targetNumber(row)}`,
  ...Object.values(columns).flatMap((texts) => texts(row)),
];

/** Reads a filter text for writes; all words must match, as on every list. */
export function activityFilter(text: string): WordFilter<ActivityRow> {
  return wordFilter(text, columns, anywhere);
}
