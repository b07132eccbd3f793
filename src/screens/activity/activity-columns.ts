import { type Column, column, fieldColumn } from "../../components/list-screen/column.ts";
import { formatInstant, utcInstant } from "../../text/dates.ts";
import { type Field, type Fields, type FieldValue, within } from "../../text/fields.ts";
import { count } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import { widthOf } from "../../text/width.ts";
import { entryFields, teamEntryFields } from "../../writes/entry-fields.ts";
import {
  closedWords,
  operationNoun,
  outcomeWords,
  targetNumber,
} from "../../writes/words/outcomes.ts";
import {
  type ActivityLine,
  countSum,
  countsOf,
  lastSent,
  mostSevere,
  onlyRow,
  rowsOf,
  type ShownEntry,
  shownRows,
} from "./activity-lines.ts";

interface ColumnContext {
  readonly today: string;
  readonly profile: string;
  readonly verifying?: ReadonlySet<number>;
  /** True if the profile has a team. Default: false. */
  readonly hasTeam?: boolean;
}

/**
 * Returns the columns of Activity. The attempts and the status are left out first if there is too
 * little room. The date has no room if all lines are of today, and the profile column is hidden if
 * all lines have the open profile.
 */
export function activityColumns(
  lines: readonly ActivityLine[],
  { today, profile, verifying = new Set(), hasTeam = false }: ColumnContext,
): readonly Column<ActivityLine>[] {
  const isToday = lines.every((line) => isOnOrMissing(today, lastSent(shownRows(line))));
  const isOneProfile = lines.every((line) =>
    shownRows(line).every((row) => row.profile === profile),
  );
  const isVerifying = (line: ActivityLine) =>
    rowsOf(line).some(({ journal_id: id }) => verifying.has(id));
  const first = (line: ActivityLine) => shownRows(line)[0];
  const closings = lines.flatMap((line) => closingOf(line) ?? []);
  return [
    entryColumn(entryFields.id, "id", "Entry", 0),
    entryColumn(entryFields.createdAt, "created", "Created", 0, {
      text: (line) => formatInstant(Date.parse(first(line).created_at)),
      value: (line) => first(line).created_at,
    }),
    column(
      "sent",
      "Sent",
      isToday ? 8 : 11,
      (line, width) => sentText(lastSent(shownRows(line)), width, today),
      {
        minWidth: 5,
        ...(isToday ? {} : { wider: 19 }),
        value: (line) => utcInstant(lastSent(shownRows(line)) ?? Number.NaN) || null,
      },
    ),
    column(
      "operation",
      "Operation",
      12,
      (line, width) => {
        const { operation } = first(line);
        return width < 27 ? operationNoun(operation) : operation;
      },
      { short: "What", minWidth: 8, wider: 27, value: (line) => first(line).operation },
    ),
    column("supplier", "Supplier", 0, (line) => first(line).import_supplier),
    entryColumn(entryFields.account, "ext", "Account or identifier", 16, {
      text: targetText,
      short: "For",
      minWidth: 8,
      maxWidth: 60,
      sort: (line) => targetText(line, Number.POSITIVE_INFINITY),
    }),
    entryColumn(entryFields.supplyPoint, "sp", "Supply point", 0),
    column(
      "outcome",
      "Outcome",
      Math.max(11, ...lines.map((line) => widthOf(outcomeText(line)))),
      (line) => (isVerifying(line) ? "verifying…" : outcomeText(line)),
      {
        wider: 15,
        also: (line) => [closingOf(line)],
        tone: (line) =>
          isVerifying(line) ? "busy" : outcomeWords[mostSevere(shownRows(line))].tone,
        value: (line) => mostSevere(shownRows(line)),
      },
    ),
    entryColumn(entryFields.attempts, "attempts", "Tries", 5, { drop: 2, align: "right" }),
    entryColumn(entryFields.httpStatus, "status", "HTTP", 4, {
      text: (line, width) => statusText(onlyRow(line), width),
      drop: 1,
      wider: 24,
      tone: (line) => (outcomeWords[mostSevere(shownRows(line))].tone === "ok" ? "muted" : "plain"),
    }),
    entryColumn(entryFields.code, "code", "Code", 0),
    entryColumn(entryFields.closingReason, "closing", "Closed as", closings.length === 0 ? 0 : 16, {
      text: (line) => closingOf(line) ?? "",
      drop: 3,
      minWidth: 12,
      maxWidth: 60,
    }),
    entryColumn(entryFields.tookEffect, "took", "Took effect", 0),
    column("profile", "Profile", isOneProfile ? 0 : 10, (line) => first(line).profile, {
      minWidth: 8,
      wider: 16,
    }),
    ...(hasTeam
      ? [
          column<ActivityLine>("team", "Team", 0, (line) => onlyRow(line)?.team_id ?? ""),
          column<ActivityLine>("by", "By", 8, (line) => safe(first(line).by ?? ""), {
            minWidth: 5,
            maxWidth: 20,
            value: (line) => first(line).by ?? null,
          }),
          column<ActivityLine>(
            "machine",
            "Machine",
            10,
            (line) => safe(first(line).machine ?? ""),
            {
              drop: 4,
              minWidth: 8,
              maxWidth: 20,
              value: (line) => first(line).machine ?? null,
            },
          ),
        ]
      : []),
    column("run", "Run", 0, (line) => first(line).run ?? "", {
      value: (line) => first(line).run ?? null,
    }),
  ];
}

function entryColumn(
  { value }: Field<ShownEntry, string, FieldValue | undefined>,
  id: string,
  title: string,
  width: number,
  more: Partial<Column<ActivityLine>> = {},
): Column<ActivityLine> {
  const ofLine = (line: ActivityLine) => {
    const entry = onlyRow(line);
    return entry === null ? null : (value(entry) ?? null);
  };
  return fieldColumn({ value: ofLine }, id, title, width, more);
}

/** The fields of an entry in files and copies, which have the entries of a run as separate rows. */
export const lineFields = ofLines(Object.values<Field<ShownEntry, string, unknown>>(entryFields));

export const teamLineFields = ofLines(teamEntryFields);

function ofLines(fields: Fields<ShownEntry>): Fields<ActivityLine> {
  return fields.map((field) => within(field, (line: ActivityLine) => shownRows(line)[0]));
}

/** Names a run by its worst rows, with their number if other rows ended otherwise. */
function outcomeText(line: ActivityLine): string {
  const outcome = mostSevere(shownRows(line));
  const { mark, label } = outcomeWords[outcome];
  const counts = countsOf(line);
  const n = counts[outcome] ?? 0;
  return n < countSum(counts) ? `${mark} ${count(n)} ${label}` : `${mark} ${label}`;
}

function closingOf(line: ActivityLine): string | null {
  const row = onlyRow(line);
  if (row === null) return null;
  const { took_effect: tookEffect, closing_reason: reason } = row;
  if (tookEffect === undefined) return null;
  const { short } = closedWords[tookEffect];
  return reason === undefined ? short : `${short}: ${safe(reason)}`;
}

function targetText(line: ActivityLine, width: number): string {
  const row = onlyRow(line);
  if (row === null) {
    const run = shownRows(line)[0].run ?? "";
    const rows = countSum(countsOf(line));
    const of = line.kind === "colleague" ? (line.ofRun?.requests ?? null) : null;
    return of === null || of <= rows
      ? `${safe(run)}, ${count(rows)} rows`
      : `${safe(run)}, ${count(rows)} of ${count(of)}`;
  }
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
  if (!whole.startsWith(today)) return whole.slice(5, 10);
  return whole.slice(11, width >= 8 ? 19 : 16);
}

function isOnOrMissing(day: string, at: number | null): boolean {
  return at === null || formatInstant(at).startsWith(day);
}

function statusText(row: ShownEntry | null, width: number): string {
  if (row === null) return "";
  const status = String(row.http_status ?? "–");
  return width >= 24 && row.code ? `${status} ${row.code}` : status;
}
