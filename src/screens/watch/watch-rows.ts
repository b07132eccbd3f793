import { type Column, column, fieldColumn } from "../../components/list-screen/column.ts";
import { errorWord } from "../../errors/error-words.ts";
import { subjectName } from "../../session/watch-subjects.ts";
import type { RowValues } from "../../settings/custom/values.ts";
import { utcInstant, utcInstantOrNull } from "../../text/dates.ts";
import type { StatusWords } from "../../text/describe-status.ts";
import { fieldsOf } from "../../text/fields.ts";
import { count } from "../../text/numbers.ts";
import { sharedFields } from "../../text/shared-fields.ts";
import type { ImportPace } from "../../triage/import-pace.ts";
import { watchedEntry, watchedNeed } from "../../triage/open/open.ts";
import { latestState } from "../../triage/state-words.ts";
import { type ListedAccount, type Verdict, verdictOf } from "../../triage/verdict.ts";
import { stateCell, verdictCells } from "../../triage/verdict-words.ts";
import { notFound } from "../../watch/timeline.ts";
import type { Watched, WatchProgress } from "../../watch/watched.ts";

/** A row of the watch list. Its texts are coarse, so that they rarely change. */
export interface WatchRow {
  readonly watched: Watched;
  readonly progress: WatchProgress | null;
  readonly verdict: Verdict;
  readonly status: StatusWords;
  readonly state: string;
  /**
   * The epoch milliseconds at which the current state began at the latest, or null before the first
   * check.
   */
  readonly heldSince: number | null;
  readonly held: string;
  /**
   * The time until the next check in words. Empty if the check is within a minute, or if no check
   * is planned because the import has ended.
   */
  readonly next: string;
  readonly checks: string;
  readonly failed: string;
  readonly trouble: string;
  readonly why: string;
  /** The rows that this row represents. Absent for a single row. */
  readonly folded?: readonly WatchRow[];
}

const minute = 60_000;
const hour = 60 * minute;

const waitSteps: readonly (readonly [ms: number, words: string])[] = [
  [hour, "in 1 h or more"],
  [10 * minute, "in 10 min+"],
  [5 * minute, "in 5 min+"],
  [minute, "in 1 min+"],
];

export interface WatchFacts {
  /** This machine's time in epoch milliseconds. */
  readonly now: number;
  /** The milliseconds by which this machine's clock is ahead of the service's clock. */
  readonly wrongByMs: number;
  readonly everyMs: number;
  readonly listed: ListedAccount | null;
  readonly pace: ImportPace | null;
}

export function watchRow(
  watched: Watched,
  progress: WatchProgress | null,
  { now, wrongByMs, everyMs, listed, pace }: WatchFacts,
): WatchRow {
  const { kind, timeline, finality } = watched;
  const verdict = verdictOf({
    kind,
    timeline,
    listed,
    pace,
    checkedAt: progress?.checkedAt == null ? null : progress.checkedAt - wrongByMs,
    // A final state is not checked again.
    everyMs: finality === "open" ? everyMs : null,
    isAway: watched.trouble !== null,
    now: now - wrongByMs,
  });
  const cells = verdictCells(verdict, now - wrongByMs);
  const status = verdict.words;
  const trouble = watched.trouble === null ? "" : errorWord(watched.trouble);
  return {
    watched,
    progress,
    verdict,
    status,
    state: stateCell(cells),
    held: cells.since,
    heldSince: cells.sinceAt,
    next: nextText(watched, progress, now),
    checks: countText(progress?.checks ?? 0, "0"),
    failed: countText(progress?.failures ?? 0, ""),
    trouble,
    why: watched.kind === "cohort" ? cohortText(watched, trouble) : whyText(status, trouble),
  };
}

function whyText({ tone, meaning }: StatusWords, trouble: string): string {
  return tone === "bad" ? meaning : trouble;
}

function cohortText({ progress }: Watched, trouble: string): string {
  if (progress === null || trouble !== "") return trouble;
  const { done, open, failed } = progress;
  const parts = [`${count(done)} of ${count(done + open + failed)} done`];
  if (failed > 0 && open > 0) parts.push(`${count(open)} open`);
  return parts.join(", ");
}

function nextText(watched: Watched, progress: WatchProgress | null, now: number): string {
  if (watched.finality !== "open" || progress === null || progress.checking) return "";
  if (progress.nextAt === null) return "paused";
  const wait = Math.max(0, progress.nextAt - now);
  return waitSteps.find(([ms]) => wait >= ms)?.[1] ?? "";
}

/**
 * Formats a number, or `none` for 0. From ten on it is rounded down to its first digit, such as
 * `40+`, so that the text rarely changes.
 */
function countText(n: number, none: string): string {
  if (n < 10) return n === 0 ? none : String(n);
  const step = 10 ** Math.floor(Math.log10(n));
  return `${n - (n % step)}+`;
}

export function needsSomeone(row: WatchRow): boolean {
  return rankOf(row) < openRank;
}

/**
 * Sorts the rows: first failed ones, then those that cannot be checked, then open ones, then
 * successful ones. In each group the latest change comes first.
 */
export function byAttention(rows: readonly WatchRow[]): readonly WatchRow[] {
  return rows.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || changedAt(b.watched) - changedAt(a.watched),
  );
}

const shownDoneMs = 24 * hour;

/**
 * Folds successful rows into one row at the end if `isFolded` is true. Leaves out successful rows
 * without a change during the last day.
 */
export function withDoneFolded(
  rows: readonly WatchRow[],
  now: number,
  isFolded: boolean,
): readonly WatchRow[] {
  const isDone = (row: WatchRow) => rankOf(row) > openRank;
  const shown = rows.filter((row) => !isDone(row) || now - changedAt(row.watched) < shownDoneMs);
  const done = shown.filter(isDone);
  const [first, second] = done;
  if (first === undefined || second === undefined || !isFolded) return shown;
  const status: StatusWords = { ...first.status, label: `${count(done.length)} done` };
  const state = `${status.mark} ${status.label}`;
  const empty = { held: "", next: "", checks: "", failed: "", trouble: "", why: "" };
  return [
    ...shown.filter((row) => !isDone(row)),
    { ...first, ...empty, status, state, heldSince: null, folded: done },
  ];
}

const openRank = 2;

function rankOf({ watched }: WatchRow): number {
  const { failed, unchecked } = watchedNeed(watchedEntry(watched));
  if (failed > 0) return 0;
  if (unchecked > 0) return 1;
  return watched.finality === "open" ? openRank : 3;
}

/** Returns the time of the last change of state, or else of the addition to the watch list. */
function changedAt({ timeline, addedAt }: Watched): number {
  return timeline.length > 1 ? (timeline.at(-1)?.firstSeenAt ?? addedAt) : addedAt;
}

export function watchedValues({
  kind,
  supplier,
  number,
  serviceNumber,
  timeline,
}: Watched): RowValues {
  const state = latestState(timeline) ?? undefined;
  return {
    import_supplier: supplier,
    ...(kind === "account" ? { external_account_number: number } : {}),
    ...(kind === "supply-point" ? { external_identifier: number } : {}),
    ...(serviceNumber === "" ? {} : { service_account_number: serviceNumber }),
    status: state === notFound ? "NOT FOUND" : state,
  };
}

const field = fieldsOf<WatchRow>();

export const watchFields = {
  kind: field("kind", "text", "`account`, `supply-point` or `cohort`.", (of) => of.watched.kind),
  supplier: field(...sharedFields.supplier, (of) => of.watched.supplier),
  number: field(
    "number",
    "text",
    "The account number, the supply point's identifier, or the name of the cohort.",
    (of) => of.watched.number,
  ),
  status: field(
    "status",
    "text or null",
    "The last known status, or null before the first check.",
    ({ watched }) => watched.timeline.at(-1)?.state ?? null,
  ),
  since: field(
    "since",
    "text, UTC, or null",
    "The time at which the status began, or null if it is not known.",
    ({ verdict }) => utcInstantOrNull(verdict.since?.at ?? null),
  ),
  nextCheckAt: field(
    "next_check_at",
    "text, UTC, or null",
    "The time of the next check, or null if none is planned.",
    ({ progress }) => (progress?.nextAt == null ? null : utcInstant(progress.nextAt)),
  ),
  checks: field(
    "checks",
    "number",
    "The number of checks in this session.",
    ({ progress }) => progress?.checks ?? 0,
  ),
  failed: field(
    "failed_checks",
    "number",
    "The number of checks without an answer.",
    ({ progress }) => progress?.failures ?? 0,
  ),
  trouble: field("trouble", "text", "The error of the last check.", (of) => of.trouble),
  serviceNumber: field(
    "service_account_number",
    "text",
    "The number that the service assigned.",
    (of) => of.watched.serviceNumber,
  ),
};

/**
 * Returns the columns of the watch list. The subject, its status and its age are never left out.
 * Other columns are left out if there is too little room or no row has a value.
 */
export function watchColumns(rows: readonly WatchRow[]): readonly Column<WatchRow>[] {
  const used = (id: "next" | "failed" | "why", width: number) =>
    rows.some((row) => row[id] !== "") ? width : 0;
  return [
    column("kind", "Kind", 0, ({ watched }) => kindText(watched.kind), {
      also: ({ watched }) => [watched.kind],
    }),
    column("supplier", "Supplier", 0, ({ watched, folded }) => (folded ? "" : watched.supplier)),
    fieldColumn(watchFields.number, "ext", "Watched", 16, {
      text: targetText,
      maxWidth: 40,
      names: true,
      sort: ({ watched: { supplier, number, kind } }) => `${supplier}/${number} ${kind}`,
    }),
    fieldColumn(watchFields.status, "status", "Status", 19, {
      text: ({ state }) => state,
      maxWidth: 32,
      tone: ({ status }) => status.tone,
      sort: ({ status }) => status.label,
      also: ({ watched }) => [watched.finality === "open" ? "open" : "final"],
    }),
    // The whole time of another day fits, unless the room is short.
    fieldColumn(watchFields.since, "since", "Since", 16, {
      text: (row) => row.held,
      minWidth: 9,
      maxWidth: 19,
      sort: ({ watched }) => changedAt(watched),
    }),
    column("next", "Next check", used("next", 14), (row) => row.next, { drop: 2 }),
    column("checks", "Checks", 7, (row) => row.checks, { drop: 4, align: "right" }),
    column("failed", "Failed", used("failed", 6), (row) => row.failed, {
      drop: 3,
      align: "right",
      tone: () => "bad",
    }),
    column("trouble", "Trouble", 0, (row) => row.trouble),
    column("why", "Details", used("why", 16), (row) => row.why, {
      minWidth: 6,
      maxWidth: 80,
      picture: true,
      tone: ({ watched, status }) =>
        watched.trouble === null || status.tone === "bad" ? "plain" : "bad",
    }),
    fieldColumn(watchFields.serviceNumber, "svc", "Service account", 0),
  ];
}

function targetText({ watched, folded }: WatchRow, width: number): string {
  if (folded) return "";
  if (watched.kind === "cohort") {
    const whole = subjectName(watched);
    return whole.length <= width ? whole : `cohort ${watched.number}`;
  }
  const name = `${watched.supplier}/${watched.number}`;
  const whole = watched.kind === "account" ? name : `sp ${name}`;
  return whole.length <= width ? whole : watched.number;
}

function kindText(kind: WatchRow["watched"]["kind"]): string {
  return kind === "supply-point" ? "supply point" : kind;
}
