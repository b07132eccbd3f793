import { type Column, column } from "../../components/list-screen/column.ts";
import type { ListedEntry } from "../../hooks/journal.ts";
import { formatInstant, utcInstant } from "../../text/dates.ts";
import { count } from "../../text/numbers.ts";
import { operationNoun, outcomeWords, targetNumber } from "../../writes/words/outcomes.ts";
import { type ActivityLine, lastSent, mostSevere, rowsOf } from "./activity-lines.ts";

/**
 * Returns the columns of Activity. Attempts and the status are left out first if there is too
 * little room. An entry with its ID in `verifying` shows "verifying…" instead of its outcome.
 */
export function activityColumns(
  today: string,
  verifying: ReadonlySet<number> = new Set(),
): readonly Column<ActivityLine>[] {
  const isVerifying = (line: ActivityLine) =>
    rowsOf(line).some(({ journal_id: id }) => verifying.has(id));
  const first = (line: ActivityLine) => rowsOf(line)[0] ?? null;
  const ofEntry = (line: ActivityLine) => (line.kind === "entry" ? line.row : null);
  return [
    column("id", "Entry", 0, (line) => String(ofEntry(line)?.journal_id ?? ""), {
      field: "journal_id",
      value: (line) => ofEntry(line)?.journal_id ?? null,
    }),
    column(
      "created",
      "Created",
      0,
      (line) => formatInstant(Date.parse(first(line)?.created_at ?? "")),
      { field: "created_at", value: (line) => first(line)?.created_at ?? null },
    ),
    column("sent", "Sent", 11, (line, width) => sentText(lastSent(rowsOf(line)), width, today), {
      least: 5,
      wider: 19,
      field: "sent_at",
      value: (line) => utcInstant(lastSent(rowsOf(line)) ?? Number.NaN) || null,
    }),
    column(
      "operation",
      "Operation",
      12,
      (line, width) => {
        const { operation = "" } = first(line) ?? {};
        return width < 27 ? operationNoun(operation) : operation;
      },
      { short: "What", least: 8, wider: 27, value: (line) => first(line)?.operation ?? null },
    ),
    column("supplier", "Supplier", 0, (line) => first(line)?.import_supplier ?? "", {
      field: "import_supplier",
    }),
    column("ext", "Account or identifier", 16, targetText, {
      short: "For",
      least: 8,
      most: 60,
      field: "external_account_number",
      value: (line) => ofEntry(line)?.external_account_number ?? null,
      sort: (line) => targetText(line, Number.POSITIVE_INFINITY),
    }),
    column("sp", "Supply point", 0, (line) => ofEntry(line)?.external_identifier ?? "", {
      field: "external_identifier",
      value: (line) => ofEntry(line)?.external_identifier ?? null,
    }),
    column(
      "outcome",
      "Outcome",
      11,
      (line) => {
        if (isVerifying(line)) return "verifying…";
        const words = outcomeWords[mostSevere(rowsOf(line))];
        return `${words.mark} ${words.label}`;
      },
      {
        tone: (line) => (isVerifying(line) ? "busy" : outcomeWords[mostSevere(rowsOf(line))].tone),
        value: (line) => mostSevere(rowsOf(line)),
      },
    ),
    column("attempts", "Tries", 5, (line) => String(ofEntry(line)?.attempts ?? ""), {
      gives: 2,
      align: "right",
      value: (line) => ofEntry(line)?.attempts ?? null,
    }),
    column("status", "HTTP", 4, (line, width) => statusText(ofEntry(line), width), {
      gives: 1,
      wider: 24,
      field: "http_status",
      tone: (line) => (outcomeWords[mostSevere(rowsOf(line))].tone === "ok" ? "muted" : "plain"),
      value: (line) => ofEntry(line)?.http_status ?? null,
    }),
    column("code", "Code", 0, (line) => ofEntry(line)?.code ?? "", {
      value: (line) => ofEntry(line)?.code ?? null,
    }),
    column("profile", "Profile", 10, (line) => first(line)?.profile ?? "", { least: 8, wider: 16 }),
    column("run", "Run", 0, (line) => first(line)?.run ?? "", {
      value: (line) => first(line)?.run ?? null,
    }),
  ];
}

/** Returns the account or identifier of an entry, or the number of rows of a run. */
function targetText(line: ActivityLine, width: number): string {
  if (line.kind === "run") return `${line.run}, ${count(line.rows.length)} rows`;
  const { row } = line;
  const whole = `${row.import_supplier}/${targetNumber(row)}`;
  return whole.length <= width ? whole : targetNumber(row);
}

/**
 * Formats a time for a column: the full time if there is room, the time of day for `today` in a
 * narrow column, or else the day.
 */
function sentText(at: number | null, width: number, today: string): string {
  if (at === null) return "–";
  const whole = formatInstant(at);
  if (width >= whole.length) return whole;
  if (width >= 11) return whole.slice(5, 16);
  return whole.startsWith(today) ? whole.slice(11, 16) : whole.slice(5, 10);
}

/** Returns the status of the last answer, with the service's code if there is room. */
function statusText(row: ListedEntry | null, width: number): string {
  if (row === null) return "";
  const status = String(row.http_status ?? "–");
  return width >= 24 && row.code ? `${status} ${row.code}` : status;
}
