import { fuzzyPattern, plainPattern } from "../../accounts/filter-query.ts";
import { operationNoun, outcomeWords, targetNumber } from "../../components/write-words.ts";
import { formatInstant } from "../../text/dates.ts";
import type { ActivityRow } from "../../writes/activity.ts";

type Texts = (row: ActivityRow) => readonly (string | null)[];

const columns: Readonly<Record<string, Texts>> = {
  outcome: (row) => [row.outcome, outcomeWords[row.outcome].label],
  operation: (row) => [row.operation, operationNoun(row.operation)],
  ext: (row) => [targetNumber(row)],
  supplier: (row) => [row.import_supplier],
  profile: (row) => [row.profile],
  run: (row) => [row.run],
  status: (row) => [row.http_status === null ? null : String(row.http_status), row.code],
  created: (row) => [row.created_at, formatInstant(Date.parse(row.created_at))],
};

const anywhere: Texts = (row) => [
  String(row.journal_id),
  `${row.import_supplier}/${targetNumber(row)}`,
  ...Object.values(columns).flatMap((texts) => texts(row)),
];

/** What a filter text asks of a write, and what is wrong with it in words. */
export interface ActivityFilterQuery {
  matches(row: ActivityRow): boolean;
  readonly problem: string | null;
}

/** Reads `text`, `!text`, `~text` and `col:text`; all words must match, as on every list. */
export function activityFilter(text: string): ActivityFilterQuery {
  const tests: ((row: ActivityRow) => boolean)[] = [];
  let problem: string | null = null;
  for (const word of text.split(/\s+/u)) {
    const [, not = "", name, fuzzy = "", wanted = ""] =
      /^(!?)(?:([a-z]+):)?(~?)(.*)$/iu.exec(word) ?? [];
    const texts = name === undefined ? anywhere : columns[name.toLowerCase()];
    if (texts === undefined) {
      problem ??= `There is no column "${name}": use ${Object.keys(columns).join(":, ")}:.`;
      continue;
    }
    if (wanted === "") continue;
    const pattern = fuzzy === "" ? plainPattern(wanted) : fuzzyPattern(wanted);
    const found = (row: ActivityRow) => texts(row).some((one) => one !== null && pattern.test(one));
    tests.push(not === "" ? found : (row) => !found(row));
  }
  return { matches: (row) => tests.every((test) => test(row)), problem };
}
