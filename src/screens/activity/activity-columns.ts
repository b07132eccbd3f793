import { type Column, column } from "../../components/column.ts";
import { type FilterTexts, type WordFilter, wordFilter } from "../../components/word-filter.ts";
import type { ListedEntry } from "../../hooks/journal.ts";
import { formatInstant } from "../../text/dates.ts";
import { count } from "../../text/numbers.ts";
import type { ActivityRow } from "../../writes/activity.ts";
import { operationNoun, outcomeWords, targetNumber } from "../../writes/words/outcomes.ts";
import { type ActivityLine, lastSent, mostSevere, rowsOf } from "./activity-lines.ts";

/** Widths in cells from which the status, the attempts, and everything in full have room. */
const medium = 76;
const roomy = 96;
const wide = 132;

/** Cells of the columns whose width depends on the terminal's. */
interface Widths {
  readonly sent: number;
  readonly operation: number;
  readonly profile: number;
}

function widthsOf(width: number): Widths {
  if (width >= wide) return { sent: 19, operation: 27, profile: 16 };
  if (width >= medium) return { sent: 11, operation: 12, profile: width >= roomy ? 16 : 10 };
  return { sent: 5, operation: 8, profile: 8 };
}

/** The columns that fit: attempts and status give way first, the profile never does. */
export function activityColumns(
  width: number,
  ascii: boolean,
  today: string,
): readonly Column<ActivityLine>[] {
  const widths = widthsOf(width);
  const before: readonly Column<ActivityLine>[] = [
    column("sent", "Sent", widths.sent, (line) =>
      sentText(lastSent(rowsOf(line)), widths.sent, today),
    ),
    column("operation", width >= medium ? "Operation" : "What", widths.operation, (line) => {
      const [{ operation } = { operation: "" }] = rowsOf(line);
      return width >= wide ? operation : operationNoun(operation);
    }),
  ];
  const outcome: Column<ActivityLine> = column(
    "outcome",
    "Outcome",
    11,
    (line) => {
      const words = outcomeWords[mostSevere(rowsOf(line))];
      return `${ascii ? words.asciiMark : words.mark} ${words.label}`;
    },
    { tone: (line) => outcomeWords[mostSevere(rowsOf(line))].tone },
  );
  const attempts: Column<ActivityLine> = column(
    "attempts",
    "Tries",
    5,
    (line) => (line.kind === "run" ? "" : String(line.row.attempts)),
    { align: "right" },
  );
  const status: Column<ActivityLine> = column(
    "status",
    width >= wide ? "Status" : "HTTP",
    width >= wide ? 24 : 4,
    (line) => (line.kind === "run" ? "" : statusText(line.row, width >= wide)),
  );
  const profile: Column<ActivityLine> = column(
    "profile",
    "Profile",
    widths.profile,
    (line) => rowsOf(line)[0]?.profile ?? "",
  );
  const after = [
    outcome,
    ...(width >= roomy ? [attempts] : []),
    ...(width >= medium ? [status] : []),
    profile,
  ];
  const used = [...before, ...after].reduce((sum, column) => sum + column.width + 2, 4);
  const room = Math.max(8, Math.min(60, width - used));
  const target: Column<ActivityLine> = column(
    "ext",
    "Account or identifier",
    room,
    (line) => (line.kind === "run" ? runText(line) : targetText(line.row, room)),
    { shortTitle: "For" },
  );
  return [...before, target, ...after];
}

function runText({ run, rows }: Extract<ActivityLine, { kind: "run" }>): string {
  return `${run}, ${count(rows.length)} rows`;
}

function targetText(row: ListedEntry, room: number): string {
  const whole = `${row.import_supplier}/${targetNumber(row)}`;
  return whole.length <= room ? whole : targetNumber(row);
}

/** The time of day alone where there is no room for more, the day alone of another one. */
function sentText(at: number | null, width: number, today: string): string {
  if (at === null) return "–";
  const whole = formatInstant(at);
  if (width >= whole.length) return whole;
  if (width >= 11) return whole.slice(5, 16);
  return whole.startsWith(today) ? whole.slice(11, 16) : whole.slice(5, 10);
}

/** The status of the last answer, with the service's own code where there is room. */
function statusText(row: ListedEntry, withCode: boolean): string {
  const status = row.http_status === null ? "–" : String(row.http_status);
  return withCode && row.code ? `${status} ${row.code}` : status;
}

const filterColumns: Readonly<Record<string, FilterTexts<ActivityRow>>> = {
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
  ...Object.values(filterColumns).flatMap((texts) => texts(row)),
];

/** Reads a filter text for entries; all words must match, as on every list. */
export function activityFilter(text: string): WordFilter<ActivityRow> {
  return wordFilter(text, filterColumns, anywhere);
}
