import { isServiceError } from "../../api/errors.ts";
import { accountStateWords, supplyPointStateWords } from "../../components/state-words.ts";
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

/** The row of a subject at this moment. */
export function watchRow(watched: Watched, progress: WatchProgress | null, now: number): WatchRow {
  return {
    watched,
    status: statusOf(watched),
    ...sinceTexts(watched, now),
    next: nextText(watched, progress, now),
    checks: countText(progress?.checks ?? 0, [1, 10, 100, 1_000, 10_000, 100_000], "0"),
    failed: countText(progress?.failures ?? 0, [1, 2, 5, 10, 100, 1_000], ""),
    trouble: troubleText(watched.trouble),
  };
}

/** The same row object where it would be drawn the same, so that it is not drawn again. */
export function unlessAlike(before: WatchRow | undefined, row: WatchRow): WatchRow {
  if (before === undefined || before.watched !== row.watched) return row;
  const alike =
    before.since === row.since &&
    before.next === row.next &&
    before.checks === row.checks &&
    before.failed === row.failed;
  return alike ? before : row;
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

/** A failure in a word or two, for a cell. */
function troubleText(error: unknown): string {
  if (error === null) return "";
  if (!isServiceError(error)) return "failed";
  const status = error.facts.httpStatus === undefined ? "" : `${error.facts.httpStatus} `;
  return `${status}${error.kind.replaceAll("-", " ")}`;
}

/** What the rows can be sorted by, in the order of the keys; `attention` is how it begins. */
export const watchOrders = ["attention", "number", "status", "since"] as const;
export type WatchOrder = (typeof watchOrders)[number];

/**
 * The rows in an order: `attention` puts what has ended badly first, then what has ended well, then
 * what is open, each with the latest change first. Rows that are alike stay as they were added.
 */
export function inOrder(
  rows: readonly WatchRow[],
  order: WatchOrder,
  descending: boolean,
): readonly WatchRow[] {
  const compare = comparisons[order];
  return rows.toSorted((a, b) => (descending ? compare(b, a) : compare(a, b)));
}

const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const comparisons: Readonly<Record<WatchOrder, (a: WatchRow, b: WatchRow) => number>> = {
  attention: ({ watched: a }, { watched: b }) => rank(a) - rank(b) || changedAt(b) - changedAt(a),
  number: ({ watched: a }, { watched: b }) =>
    text(a.supplier, b.supplier) || text(a.number, b.number) || text(a.kind, b.kind),
  status: (a, b) =>
    text(a.status.label, b.status.label) || changedAt(b.watched) - changedAt(a.watched),
  since: ({ watched: a }, { watched: b }) => changedAt(b) - changedAt(a),
};

function rank({ finality }: Watched): number {
  return finality === "ended" ? 0 : finality === "reached" ? 1 : 2;
}

/** A state that was there at the first look has not been seen to change. */
function changedAt({ timeline, addedAt }: Watched): number {
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
