/** The rows of the watch list: their texts, order, folding and columns. */
import { type Column, column } from "../../components/list-screen/column.ts";
import { stateWordsOf } from "../../components/state-words.ts";
import { errorWord } from "../../errors/error-words.ts";
import { subjectName } from "../../session/watch-subjects.ts";
import type { RowValues } from "../../settings/custom/values.ts";
import { utcInstant } from "../../text/dates.ts";
import type { StatusWords } from "../../text/describe-status.ts";
import { atLeastAge, coarseAge } from "../../text/durations.ts";
import { count } from "../../text/numbers.ts";
import { watchedEntry, watchedNeed } from "../../triage/open/open.ts";
import { notFound, stateStart } from "../../watch/timeline.ts";
import type { Watched, WatchProgress } from "../../watch/watched.ts";

/** A row of the watch list. Its texts are coarse, so that they rarely change. */
export interface WatchRow {
  readonly watched: Watched;
  readonly status: StatusWords;
  /**
   * The epoch milliseconds at which the current state began at the latest, or null before the first
   * check.
   */
  readonly heldSince: number | null;
  /** The age of the current state in words, exact or as a minimum. */
  readonly held: string;
  /**
   * The time until the next check in words. Empty if the check is within a minute, or if no check
   * is planned because the import has ended.
   */
  readonly next: string;
  readonly checks: string;
  readonly failed: string;
  readonly trouble: string;
  /** The reason why the row needs attention, or an empty text if it needs none. */
  readonly why: string;
  /** The rows that this row represents. Absent for a single row. */
  readonly folded?: readonly WatchRow[];
}

const minute = 60_000;
const hour = 60 * minute;

/** The steps of a shown wait, longest first. Exact times would change all rows continuously. */
const waitSteps: readonly (readonly [ms: number, words: string])[] = [
  [hour, "in 1 h or more"],
  [10 * minute, "in 10 min+"],
  [5 * minute, "in 5 min+"],
  [minute, "in 1 min+"],
];

/**
 * Returns the row of a subject. `now` is the time of this machine, and `serviceNow` that of the
 * service. `pendingSince` is NaN if no list has the account, or an account of the cohort, as
 * pending.
 */
export function watchRow(
  watched: Watched,
  progress: WatchProgress | null,
  now: number,
  serviceNow = now,
  pendingSince = Number.NaN,
): WatchRow {
  const status = statusOf(watched);
  const trouble = watched.trouble === null ? "" : errorWord(watched.trouble);
  return {
    watched,
    status,
    ...ageOfState(watched, status, { now: serviceNow, pendingSince }),
    next: nextText(watched, progress, now),
    checks: countText(progress?.checks ?? 0, [1, 10, 100, 1_000, 10_000, 100_000], "0"),
    failed: countText(progress?.failures ?? 0, [1, 2, 5, 10, 100, 1_000], ""),
    trouble,
    why: watched.kind === "cohort" ? cohortText(watched, trouble) : whyText(status, trouble),
  };
}

function whyText({ tone, meaning }: StatusWords, trouble: string): string {
  return tone === "bad" ? meaning : trouble;
}

/** Formats the progress of a cohort, without the count that its status already shows. */
function cohortText({ progress }: Watched, trouble: string): string {
  if (progress === null || trouble !== "") return trouble;
  const { done, open, failed } = progress;
  const parts = [`${count(done)} of ${count(done + open + failed)} done`];
  if (failed > 0 && open > 0) parts.push(`${count(open)} open`);
  return parts.join(", ");
}

function statusOf({ kind, timeline }: Watched): StatusWords {
  return stateWordsOf(kind)(timeline);
}

/**
 * Returns the age of a state. If a list shows the subject as pending before the state was first
 * checked, the age counts from the list.
 */
function ageOfState(
  { kind, timeline }: Watched,
  { tone }: StatusWords,
  { now, pendingSince }: { readonly now: number; readonly pendingSince: number },
): Pick<WatchRow, "held" | "heldSince"> {
  const start = stateStart(timeline);
  if (!start) return { held: "", heldSince: null };
  if ((kind === "cohort" || tone === "waiting") && pendingSince < start.at)
    return { held: atLeastAge(now - pendingSince), heldSince: pendingSince };
  const age = now - start.at;
  return {
    held: start.kind === "seen" ? coarseAge(age) : atLeastAge(age),
    heldSince: start.at,
  };
}

/** Formats the time until the next check, in a few coarse steps. */
function nextText(watched: Watched, progress: WatchProgress | null, now: number): string {
  if (watched.finality !== "open" || progress === null || progress.checking) return "";
  if (progress.nextAt === null) return "paused";
  const wait = Math.max(0, progress.nextAt - now);
  return waitSteps.find(([ms]) => wait >= ms)?.[1] ?? "";
}

/** Formats a number as the highest reached mark, such as `10+`, or as `below` if it is lower. */
function countText(n: number, marks: readonly number[], below: string): string {
  const reached = marks.findLast((mark) => n >= mark);
  if (reached === undefined) return below;
  return reached === n && n < 5 ? String(n) : `${reached}+`;
}

/** Returns true if a row needs attention: it has failed, is on no list, or cannot be checked. */
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

/** The time for which a successful row is shown, in milliseconds. */
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
  const empty = { held: "", next: "", checks: "", failed: "", trouble: "", why: "" };
  return [
    ...shown.filter((row) => !isDone(row)),
    { ...first, ...empty, status, heldSince: null, folded: done },
  ];
}

const openRank = 2;

/** Returns the rank of a row for sorting, from 0 (failed) to 3 (ended well). */
function rankOf({ watched }: WatchRow): number {
  const { failed, unchecked } = watchedNeed(watchedEntry(watched));
  if (failed > 0) return 0;
  if (unchecked > 0) return 1;
  return watched.finality === "open" ? openRank : 3;
}

/**
 * Returns the epoch milliseconds of the last observed change of state, or of the addition to the
 * watch list if no change was observed.
 */
function changedAt({ timeline, addedAt }: Watched): number {
  return timeline.length > 1 ? (timeline.at(-1)?.firstSeenAt ?? addedAt) : addedAt;
}

/** Returns the values of a watched subject that a custom command can use. */
export function watchedValues({
  kind,
  supplier,
  number,
  serviceNumber,
  timeline,
}: Watched): RowValues {
  const state = timeline.at(-1)?.state;
  return {
    import_supplier: supplier,
    ...(kind === "account" ? { external_account_number: number } : {}),
    ...(kind === "supply-point" ? { external_identifier: number } : {}),
    ...(serviceNumber === "" ? {} : { service_account_number: serviceNumber }),
    status: state === notFound ? "NOT FOUND" : state,
  };
}

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
    column("supplier", "Supplier", 0, ({ watched, folded }) => (folded ? "" : watched.supplier), {
      field: "import_supplier",
    }),
    column("ext", "Watched", 16, targetText, {
      maxWidth: 40,
      field: "number",
      value: ({ watched }) => watched.number,
      sort: ({ watched: { supplier, number, kind } }) => `${supplier}/${number} ${kind}`,
    }),
    column("status", "Status", 19, ({ status }) => `${status.mark} ${status.label}`, {
      tone: ({ status }) => status.tone,
      value: ({ watched }) => watched.timeline.at(-1)?.state ?? null,
      sort: ({ status }) => status.label,
      also: ({ watched }) => [watched.finality === "open" ? "open" : "final"],
    }),
    column("since", "For", 9, (row) => row.held, {
      value: ({ watched }) => {
        const start = stateStart(watched.timeline);
        return start === null ? null : utcInstant(start.at);
      },
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
    column("svc", "Service account", 0, ({ watched }) => watched.serviceNumber, {
      field: "service_account_number",
    }),
  ];
}

/** Formats a subject as in the palette, without the supplier if there is no room. */
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
