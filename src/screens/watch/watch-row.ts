import { accountStateWords, supplyPointStateWords } from "../../components/state-words.ts";
import { errorWord } from "../../errors/error-words.ts";
import type { RowValues } from "../../settings/custom/values.ts";
import { formatInstant } from "../../text/dates.ts";
import type { StatusWords } from "../../text/describe-status.ts";
import { beganOf, notFound } from "../../watch/transitions.ts";
import type { Watched, WatchProgress } from "../../watch/watched.ts";

/** A watched subject as the table shows it. The texts are coarse, so that they seldom change. */
export interface WatchRow {
  readonly watched: Watched;
  readonly status: StatusWords;
  readonly since: string;
  /** Without seconds, or without the time of day. */
  readonly sinceShort: string;
  readonly next: string;
  readonly checks: string;
  readonly failed: string;
  readonly trouble: string;
}

const minute = 60_000;
const hour = 60 * minute;

/** A wait is shown in these steps: a hundred rows must not tick with the clock. */
const waits: readonly (readonly [ms: number, words: string])[] = [
  [hour, "in 1 h or more"],
  [10 * minute, "in 10 min+"],
  [5 * minute, "in 5 min+"],
  [minute, "in 1 min+"],
  [0, "under 1 min"],
];

/** The row of a subject at this moment; `serviceNow` is the same by the service's clock. */
export function watchRow(
  watched: Watched,
  progress: WatchProgress | null,
  now: number,
  serviceNow = now,
): WatchRow {
  return {
    watched,
    status: statusOf(watched),
    ...sinceTexts(watched, serviceNow),
    next: nextText(watched, progress, now),
    checks: countText(progress?.checks ?? 0, [1, 10, 100, 1_000, 10_000, 100_000], "0"),
    failed: countText(progress?.failures ?? 0, [1, 2, 5, 10, 100, 1_000], ""),
    trouble: watched.trouble === null ? "" : errorWord(watched.trouble),
  };
}

function statusOf({ kind, timeline }: Watched): StatusWords {
  return kind === "account" ? accountStateWords(timeline) : supplyPointStateWords(timeline);
}

/** When its state began, as far as was observed: one found by the first check is older. */
function sinceTexts(
  { timeline }: Watched,
  now: number,
): { readonly since: string; readonly sinceShort: string } {
  const began = beganOf(timeline);
  if (!began) return { since: "", sinceShort: "" };
  const at = formatInstant(began.at);
  const today = at.slice(0, 10) === formatInstant(now).slice(0, 10);
  const before = began.kind === "seen" ? "" : "before ";
  return {
    since: before + (today ? at.slice(11) : at.slice(5, 16)),
    sinceShort: before + (today ? at.slice(11, 16) : at.slice(5, 10)),
  };
}

/** How long until it is checked again, as coarse as a row may be. */
function nextText(watched: Watched, progress: WatchProgress | null, now: number): string {
  if (watched.trouble !== null) return "failing";
  if (watched.finality !== "open") return "–";
  if (progress === null || progress.checking) return "under 1 min";
  if (progress.nextAt === null) return "paused";
  const wait = Math.max(0, progress.nextAt - now);
  return waits.find(([ms]) => wait >= ms)?.[1] ?? "under 1 min";
}

function countText(n: number, marks: readonly number[], below: string): string {
  const reached = marks.findLast((mark) => n >= mark);
  if (reached === undefined) return below;
  return reached === n && n < 5 ? String(n) : `${reached}+`;
}

/**
 * Returns the rows in the list's own order: what has ended badly first, then what has ended well, then
 * what is open, each with the latest change first.
 */
export function byAttention(rows: readonly WatchRow[]): readonly WatchRow[] {
  return rows.toSorted(
    ({ watched: a }, { watched: b }) => rank(a) - rank(b) || changedAt(b) - changedAt(a),
  );
}

function rank({ finality }: Watched): number {
  return finality === "ended" ? 0 : finality === "reached" ? 1 : 2;
}

/** When its state last changed, in epoch milliseconds; the one of the first check was not seen to change. */
export function changedAt({ timeline, addedAt }: Watched): number {
  return timeline.length > 1 ? (timeline.at(-1)?.firstSeenAt ?? addedAt) : addedAt;
}

/** Returns what a custom command can name of something watched. */
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
    ...(kind === "account" ? { external_account_number: number } : { external_identifier: number }),
    ...(serviceNumber === "" ? {} : { service_account_number: serviceNumber }),
    status: state === notFound ? "NOT FOUND" : state,
  };
}
