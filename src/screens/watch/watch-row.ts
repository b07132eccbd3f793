import { stateWordsOf } from "../../components/state-words.ts";
import { errorWord } from "../../errors/error-words.ts";
import type { RowValues } from "../../settings/custom/values.ts";
import type { StatusWords } from "../../text/describe-status.ts";
import { atLeastAge, coarseAge } from "../../text/durations.ts";
import { count } from "../../text/numbers.ts";
import { notFound, stateStart } from "../../watch/transitions.ts";
import type { Watched, WatchProgress } from "../../watch/watched.ts";

/** A watched subject as the table shows it. The texts are coarse, so that they seldom change. */
export interface WatchRow {
  readonly watched: Watched;
  readonly status: StatusWords;
  /** A time at which it already had its state, in epoch milliseconds, or null before the first check. */
  readonly heldSince: number | null;
  /** The age of its state, at least. */
  readonly held: string;
  /**
   * The time until the next check. Empty if it is usual: a check in a moment, or none because the
   * import has ended.
   */
  readonly next: string;
  readonly checks: string;
  readonly failed: string;
  readonly trouble: string;
  /** The reason why it needs someone; empty if it does not. */
  readonly why: string;
  /** The rows that this one represents. Absent for a single row. */
  readonly folded?: readonly WatchRow[];
}

const minute = 60_000;
const hour = 60 * minute;

/** A wait is shown in these steps: a hundred rows must not tick with the clock. */
const waits: readonly (readonly [ms: number, words: string])[] = [
  [hour, "in 1 h or more"],
  [10 * minute, "in 10 min+"],
  [5 * minute, "in 5 min+"],
  [minute, "in 1 min+"],
];

/**
 * Returns the row of a subject at this moment. `serviceNow` is the time of the service's clock.
 * `pendingSince` is NaN if no list has the account, or one of the cohort, as pending.
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
    ...heldIn(watched, status, { now: serviceNow, pendingSince }),
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

/** The accounts of a cohort, without those that its status counts. */
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

/** Returns the age of a state: one found by the first check is older, and a list can know by how much. */
function heldIn(
  { kind, timeline }: Watched,
  { tone }: StatusWords,
  { now, pendingSince }: { readonly now: number; readonly pendingSince: number },
): Pick<WatchRow, "held" | "heldSince"> {
  const began = stateStart(timeline);
  if (!began) return { held: "", heldSince: null };
  if ((kind === "cohort" || tone === "waiting") && pendingSince < began.at)
    return { held: atLeastAge(now - pendingSince), heldSince: pendingSince };
  const age = now - began.at;
  return {
    held: began.kind === "seen" ? coarseAge(age) : atLeastAge(age),
    heldSince: began.at,
  };
}

/** Formats the time until the next check, in the few steps that a row needs. */
function nextText(watched: Watched, progress: WatchProgress | null, now: number): string {
  if (watched.finality !== "open" || progress === null || progress.checking) return "";
  if (progress.nextAt === null) return "paused";
  const wait = Math.max(0, progress.nextAt - now);
  return waits.find(([ms]) => wait >= ms)?.[1] ?? "";
}

function countText(n: number, marks: readonly number[], below: string): string {
  const reached = marks.findLast((mark) => n >= mark);
  if (reached === undefined) return below;
  return reached === n && n < 5 ? String(n) : `${reached}+`;
}

/** Returns true if someone has to look at a row: it did not end well, is on no list, or is not answered. */
export function needsSomeone({ watched, status }: WatchRow): boolean {
  return rankOf({ watched, status }) < openRank;
}

/**
 * Returns the rows in the order of the list: first those that ended badly, then those without an
 * answer, open ones, and those that ended well, each with the latest change first.
 */
export function byAttention(rows: readonly WatchRow[]): readonly WatchRow[] {
  return rows.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || changedAt(b.watched) - changedAt(a.watched),
  );
}

/** The time for which a row that ended well stays in view, in milliseconds. */
const shownDoneMs = 24 * hour;

/**
 * Folds rows that have ended well into one at the end. Of those that were seen to end more than a day
 * ago none is shown, folded or not.
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

function rankOf({ watched, status }: Pick<WatchRow, "watched" | "status">): number {
  if (watched.finality === "ended" || status.tone === "bad") return 0;
  if (watched.trouble !== null) return 1;
  return watched.finality === "open" ? openRank : 3;
}

/**
 * Returns the time of its last change of state, in epoch milliseconds; the state of the first check was
 * not seen to change.
 */
export function changedAt({ timeline, addedAt }: Watched): number {
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
