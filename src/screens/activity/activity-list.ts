/** The list of Activity: its lines, columns, tabs, command and texts. */
import { type Column, column, fieldColumn } from "../../components/list-screen/column.ts";
import type { Colleagues } from "../../hooks/colleagues.ts";
import type { ActivityList, ListedEntry } from "../../hooks/journal.ts";
import type { ActivityTab, RunTab } from "../../session/places.ts";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import type { Profile } from "../../settings/schemas.ts";
import { asCommand } from "../../text/as-command.ts";
import { formatInstant, utcInstant } from "../../text/dates.ts";
import { type Field, type Fields, type FieldValue, within } from "../../text/fields.ts";
import { count } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import { widthOf } from "../../text/width.ts";
import type { ActivityOutcome, ActivityRow } from "../../writes/activity.ts";
import { entryFields, teamEntryFields } from "../../writes/entry-fields.ts";
import type { TeamActivityRow } from "../../writes/team/colleagues.ts";
import type { TeamRun } from "../../writes/team/ledger-views.ts";
import {
  closedWords,
  operationNoun,
  outcomeWords,
  targetNumber,
} from "../../writes/words/outcomes.ts";

export type ActivityLine =
  | { readonly kind: "entry"; readonly id: string; readonly row: ListedEntry }
  | {
      readonly kind: "run";
      readonly id: string;
      readonly run: string;
      readonly rows: readonly [ListedEntry, ...ListedEntry[]];
    }
  | {
      readonly kind: "colleague";
      readonly id: string;
      readonly rows: readonly [ColleagueEntry, ...ColleagueEntry[]];
      /** The run of a colleague, whose only row stands for all its entries, or null. */
      readonly ofRun: TeamRun | null;
    };

/** An entry of a colleague, with the time of its claim as the time of sending. */
type ColleagueEntry = TeamActivityRow & Pick<ListedEntry, "sentAt">;

type ShownEntry = ListedEntry | ColleagueEntry;

/**
 * Groups entries into lines. Several entries of a run become one line, in the place of the first
 * entry.
 */
export function linesOf(rows: readonly ListedEntry[]): readonly ActivityLine[] {
  const runs = Map.groupBy(
    rows.filter(({ run }) => run !== null),
    ({ run }) => run,
  );
  const done = new Set<string>();
  return rows.flatMap((row): ActivityLine[] => {
    const { run } = row;
    const [first, ...more] = runs.get(run) ?? [];
    if (run === null || first === undefined || more.length === 0) return [entryLine(row)];
    if (done.has(run)) return [];
    done.add(run);
    return [{ kind: "run", id: `run ${run}`, run, rows: [first, ...more] }];
  });
}

/**
 * Adds the entries of colleagues to the lines of this machine: unknown outcomes first, then the newest.
 * Without a colleague's entry, the same lines are returned.
 */
export function withColleagues(
  own: readonly ActivityLine[],
  { rows, runs }: Pick<Colleagues, "rows" | "runs">,
  isFolded: boolean,
): readonly ActivityLine[] {
  if (rows.length === 0 && runs.length === 0) return own;
  const groups = Map.groupBy(rows, ({ run, machine, team_id: id }) =>
    run === null || !isFolded ? id : `${run} ${machine}`,
  );
  const theirs = [...groups.values()].flatMap((group): ActivityLine[] => {
    const [first, ...more] = group.map((row) => ({ ...row, sentAt: Date.parse(row.created_at) }));
    return first === undefined
      ? []
      : [{ kind: "colleague", id: first.team_id ?? "", rows: [first, ...more], ofRun: null }];
  });
  theirs.push(...runs.map(runLine));
  const rank = (line: ActivityLine) => firstOutcomes.indexOf(mostSevere(shownRows(line))) + 1 || 4;
  const at = (line: ActivityLine) => shownRows(line)[0]?.created_at ?? "";
  return [...own, ...theirs].toSorted(
    (one, other) => rank(one) - rank(other) || at(other).localeCompare(at(one)),
  );
}

/** Returns the line of a colleague's run. Its one row has the most severe outcome. */
function runLine(ofRun: TeamRun): ActivityLine {
  const { run, journal, profile, operation, person, machine, counts, firstAt, lastAt } = ofRun;
  const row: ColleagueEntry = {
    ...{ journal_id: null, team_id: null, by: person, machine, profile, operation, run },
    created_at: new Date(firstAt).toISOString(),
    import_supplier: "",
    outcome: bySeverity.find((outcome) => counts[outcome] !== undefined) ?? "unsent",
    ...{ http_status: null, code: null, attempts: 0, sentAt: lastAt },
  };
  return { kind: "colleague", id: `run ${run} ${journal}`, rows: [row], ofRun };
}

const firstOutcomes: readonly ActivityOutcome[] = ["unknown", "retryable", "sending"];

export function entryLine(row: ListedEntry): ActivityLine {
  return { kind: "entry", id: String(row.journal_id), row };
}

export function rowsOf(line: ActivityLine): readonly ListedEntry[] {
  switch (line.kind) {
    case "entry":
      return [line.row];
    case "run":
      return line.rows;
    case "colleague":
      return [];
  }
}

function shownRows(line: ActivityLine): readonly [ShownEntry, ...ShownEntry[]] {
  return line.kind === "entry" ? [line.row] : line.rows;
}

function onlyRow(line: ActivityLine): ShownEntry | null {
  if (line.kind === "colleague")
    return line.rows.length === 1 && line.ofRun === null ? line.rows[0] : null;
  return line.kind === "entry" ? line.row : null;
}

export function colleagueWords(line: ActivityLine): string | null {
  if (line.kind !== "colleague") return null;
  const [{ team_id: id, by, machine, run }] = line.rows;
  const of = onlyRow(line) === null ? `Run ${run}: ${outcomesText(countsOf(line))},` : id;
  return safe(`${of} by ${by} on ${machine}`);
}

/** Returns the only entry of a colleague's line, or null for any other line. */
export function colleagueRow(line: ActivityLine): TeamActivityRow | null {
  return line.kind === "colleague" && onlyRow(line) !== null ? line.rows[0] : null;
}

/** The number of entries by outcome. Outcomes without an entry are absent. */
type OutcomeCounts = Readonly<Partial<Record<ActivityOutcome, number>>>;

/** Returns the number of a line's entries by outcome. */
export function countsOf(line: ActivityLine): OutcomeCounts {
  if (line.kind === "colleague" && line.ofRun !== null) return line.ofRun.counts;
  return outcomeCounts(shownRows(line));
}

/** Counts entries by outcome. */
export function outcomeCounts(
  rows: readonly { readonly outcome: ActivityOutcome }[],
): OutcomeCounts {
  const groups = Map.groupBy(rows, ({ outcome }) => outcome);
  return Object.fromEntries([...groups].map(([outcome, all]) => [outcome, all.length]));
}

function countSum(counts: OutcomeCounts): number {
  return Object.values(counts).reduce((sum, n) => sum + n, 0);
}

const bySeverity: readonly ActivityOutcome[] = [
  "unknown",
  "rejected",
  "retryable",
  "sending",
  "unsent",
  "closed",
  "confirmed",
];

function mostSevere(rows: readonly ShownEntry[]): ActivityOutcome {
  return bySeverity.find((severe) => rows.some(({ outcome }) => outcome === severe)) ?? "confirmed";
}

/**
 * Counts the entries by outcome, the most severe first: `8 unknown, 15 rejected, 377 confirmed`.
 */
export function outcomesText(counts: OutcomeCounts): string {
  return bySeverity
    .flatMap((counted) => {
      const n = counts[counted] ?? 0;
      return n === 0 ? [] : [`${count(n)} ${outcomeWords[counted].label}`];
    })
    .join(", ");
}

/**
 * Returns the epoch milliseconds at which the last of the entries was sent, or null if none was.
 */
function lastSent(rows: readonly ShownEntry[]): number | null {
  let last: number | null = null;
  for (const { sentAt } of rows) {
    if (sentAt !== null && (last === null || sentAt > last)) last = sentAt;
  }
  return last;
}

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
      11,
      (line, width) => {
        if (isVerifying(line)) return "verifying…";
        const outcome = mostSevere(shownRows(line));
        const { mark, label } = outcomeWords[outcome];
        // A run is named by its worst rows, with their number if other rows ended otherwise.
        const counts = countsOf(line);
        const n = counts[outcome] ?? 0;
        const counted = `${mark} ${count(n)} ${label}`;
        const isMixed = n < countSum(counts);
        return isMixed && widthOf(counted) <= width ? counted : `${mark} ${label}`;
      },
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

/** The same fields with a team, which has more of them. */
export const teamLineFields = ofLines(teamEntryFields);

function ofLines(fields: Fields<ShownEntry>): Fields<ActivityLine> {
  return fields.map((field) => within(field, (line: ActivityLine) => shownRows(line)[0]));
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

const tabs = [
  { id: "all", label: "All" },
  { id: "unknown", label: "Unknown" },
  { id: "rejected", label: "Rejected" },
  { id: "retryable", label: "Retryable" },
  { id: "causes", label: "Causes" },
  { id: "own", label: "This profile" },
] as const satisfies readonly { readonly id: ActivityTab; readonly label: string }[];

/** The tabs with a team, whose tab Mine has the entries of this machine. */
const teamTabs = tabs.flatMap(
  (tab): readonly { readonly id: ActivityTab; readonly label: string }[] =>
    tab.id === "own" ? [{ id: "mine", label: "Mine" }, tab] : [tab],
);

/** Returns the tabs of Activity. */
export function activityTabs(hasTeam: boolean) {
  return hasTeam ? teamTabs : tabs;
}

export function outcomeOf(tab: ActivityTab): ActivityOutcome | null {
  return tab === "all" || tab === "mine" || tab === "own" || tab === "causes" ? null : tab;
}

export function runTab(tab: ActivityTab): { readonly tab?: RunTab } {
  if (tab === "unknown" || tab === "rejected") return { tab };
  return tab === "retryable" ? { tab: "attention" } : {};
}

export const journalIsHere = "The journal is on this machine; no request is behind this list.";

export function activityCommand(shown: {
  readonly supplier: string | null;
  readonly account: string | null;
  readonly tab: ActivityTab;
  readonly profile: Profile;
  readonly rows: readonly ActivityRow[];
}): string | null {
  const { supplier, account, tab } = shown;
  const isSupplyPoint = shown.rows.some((row) => Boolean(row.external_identifier));
  return asCommand(
    {
      kind: "activity-list",
      supplier: supplier ?? undefined,
      account: account === null || isSupplyPoint ? undefined : account,
      supplyPoint: account !== null && isSupplyPoint ? account : undefined,
      outcome: outcomeOf(tab) ?? undefined,
      by: tab === "causes" ? "cause" : undefined,
      mine: tab === "mine",
      ofProfile: tab === "own" ? shown.profile.name : undefined,
    },
    profileFlag(shown.profile),
  );
}

export function emptyWords(
  list: ActivityList | null,
  tab: ActivityTab,
  supplier: string | null,
  account: string | null,
): string {
  if (list !== null && list.rows.length > 0) {
    if (tab === "unknown") return "No unknown entries.";
    if (tab === "rejected") return "No rejected entries.";
    if (tab === "retryable") return "No retryable entries.";
  }
  const target =
    account !== null
      ? ` to ${supplier}/${account} at this service`
      : supplier !== null
        ? ` to ${supplier}`
        : " to this service";
  const withProfile = tab === "own" ? " with this profile" : "";
  return `Nothing has been sent${target} from this machine${withProfile} yet.`;
}
