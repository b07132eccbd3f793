/** Collects and describes the open work, in the same way for screens, commands and reports. */

import type { RejectedRows } from "../../bulk/open-runs.ts";
import { count, plural } from "../../text/numbers.ts";
import type { CohortProgress, Finality } from "../../watch/timeline.ts";
import type { OpenCounts } from "../../writes/open-entries.ts";
import type { GoneCount } from "../figures/gone.ts";
import { entryCounts, type JournalWork } from "./work-counts.ts";

/** The known problems of a supplier's list. */
export interface OpenList {
  readonly supplier: string;
  /** The number of gone accounts, or null if it is not known. */
  readonly gone: GoneCount | null;
  readonly isHeldBack: boolean;
  /** True if the list could not be loaded. */
  readonly hasFailed: boolean;
}

/** A cohort, with the number of its accounts on no list. */
export interface OpenCohort {
  readonly name: string;
  /** Number of its accounts on no list, or null if it is not known. */
  readonly unlisted: number | null;
}

/** The open part of a watch list. */
interface OpenWatched {
  /** Number of entries that have not ended. */
  readonly open: number;
  /** Number of accounts and supply points of these entries that have not ended. */
  readonly openItems: number;
  /** Number of accounts and supply points that ended without success. */
  readonly failed: number;
}

/** An entry of a watch list. `progress` has the numbers of accounts of a cohort. */
interface WatchedEntry {
  readonly finality: Finality;
  readonly progress?: CohortProgress | null;
}

/** The open work. A part that could not be read is null. */
export interface Open {
  readonly entries: OpenCounts | null;
  /** Number of rejected rows of runs, without the rows whose items were confirmed later. */
  readonly rejectedRows: number | null;
  /** Number of runs that have stopped or were not fully recorded. */
  readonly runs: number | null;
  readonly watched: OpenWatched | null;
  readonly lists: readonly OpenList[];
  readonly cohorts: readonly OpenCohort[] | null;
}

/** The sources of {@link openOf}. A source that could not be read is null. */
interface OpenSources {
  readonly work: JournalWork | null;
  readonly watched: readonly WatchedEntry[] | null;
  readonly lists: readonly OpenList[];
  readonly cohorts: readonly OpenCohort[] | null;
  /** The suppliers whose entries and rows count, or null for all. */
  readonly suppliers?: readonly string[] | null;
}

/** Counts the open work of all sources. */
export function openOf({ work, watched, lists, cohorts, suppliers = null }: OpenSources): Open {
  return {
    ...(work === null ? unreadWork : workCounts(work, suppliers)),
    watched: watched === null ? null : watchedCounts(watched),
    lists,
    cohorts,
  };
}

const unreadWork = { entries: null, rejectedRows: null, runs: null };

function workCounts(work: JournalWork, suppliers: readonly string[] | null) {
  const isIncluded = ({ supplier }: RejectedRows) => suppliers?.includes(supplier) ?? true;
  return {
    entries: entryCounts(work, suppliers),
    rejectedRows: work.rejectedRows.filter(isIncluded).reduce((sum, { rows }) => sum + rows, 0),
    runs: work.runs.length,
  };
}

function watchedCounts(watched: readonly WatchedEntry[]): OpenWatched {
  const sum = (countOf: (entry: WatchedEntry) => number) =>
    watched.reduce((total, entry) => total + countOf(entry), 0);
  const isOpen = ({ finality }: WatchedEntry) => (finality === "open" ? 1 : 0);
  return {
    open: sum(isOpen),
    openItems: sum((entry) => entry.progress?.open ?? isOpen(entry)),
    failed: sum(({ finality, progress }) => progress?.failed ?? (finality === "ended" ? 1 : 0)),
  };
}

/** A kind of open work, or a part of it that could not be read. */
export type OpenKind =
  | (
      | "unknown"
      | "watched-failed"
      | "gone"
      | "unlisted"
      | "held-back"
      | "rejected"
      | "rejected-rows"
    )
  | ("runs" | "retryable" | "unsent" | "watched")
  | UnreadKind;

type UnreadKind =
  | ("entries-unread" | "watch-unread" | "cohorts-unread" | "not-loaded")
  | ("gone-uncounted" | "cohorts-uncounted");

/** The tone of each kind of open work. */
export const openTones: Readonly<Record<OpenKind, "unknown" | "bad" | "waiting" | "muted">> = {
  unknown: "unknown",
  "watched-failed": "bad",
  gone: "bad",
  unlisted: "bad",
  "held-back": "bad",
  rejected: "bad",
  "rejected-rows": "bad",
  runs: "waiting",
  retryable: "waiting",
  unsent: "waiting",
  watched: "muted",
  "entries-unread": "bad",
  "watch-unread": "bad",
  "cohorts-unread": "bad",
  "not-loaded": "bad",
  "gone-uncounted": "muted",
  "cohorts-uncounted": "muted",
};

/** One kind of open work in words: `3 entries unknown` and, in short, `3 unknown`. */
export interface OpenPart {
  readonly kind: OpenKind;
  readonly words: string;
  readonly short: string;
}

/** Returns the open work that is known in words, most serious first. */
export function openParts({
  entries,
  rejectedRows,
  runs,
  watched,
  lists,
  cohorts,
}: Open): readonly OpenPart[] {
  const part = (
    kind: OpenKind,
    n: number | undefined | null,
    words: (n: number) => string,
    short: (n: number) => string = words,
  ): readonly OpenPart[] =>
    n == null || n === 0 ? [] : [{ kind, words: words(n), short: short(n) }];
  const entry = (state: keyof OpenCounts) =>
    part(
      state,
      entries?.[state],
      (n) => `${plural(n, "entry", "entries")} ${state}`,
      (n) => `${count(n)} ${state}`,
    );
  const heldBack = lists.filter(({ isHeldBack }) => isHeldBack);
  const heldBackWords = (n: number) => `${plural(n, "list")} held back`;
  return [
    ...entry("unknown"),
    ...part("watched-failed", watched?.failed, (n) => `${count(n)} watched failed`),
    ...goneParts(lists),
    ...unlistedParts(cohorts ?? []),
    ...part(
      "held-back",
      heldBack.length,
      (n) => (n === 1 ? `list of ${heldBack[0]?.supplier} held back` : heldBackWords(n)),
      heldBackWords,
    ),
    ...entry("rejected"),
    ...part("rejected-rows", rejectedRows, (n) => `${plural(n, "row")} rejected`),
    ...part("runs", runs, (n) => `${plural(n, "run")} stopped`),
    ...entry("retryable"),
    ...entry("unsent"),
    ...part("watched", watched?.open, (n) => {
      const items = watched?.openItems ?? n;
      return `watching ${count(n)}${items === n ? "" : `, ${count(items)} open`}`;
    }),
  ];
}

/** Describes gone accounts, with the supplier if there is only one. */
function goneParts(lists: readonly OpenList[]): readonly OpenPart[] {
  const withGone = lists.flatMap(({ supplier, gone }) =>
    gone !== null && gone.count > 0 ? [{ supplier, ...gone }] : [],
  );
  const [only, another] = withGone;
  if (only === undefined) return [];
  const { count: n, atLeast } = goneSum(withGone);
  const short = `${atLeast ? "at least " : ""}${count(n)} gone`;
  const where = another === undefined ? only.supplier : plural(withGone.length, "supplier");
  return [{ kind: "gone", words: `${short} at ${where}`, short }];
}

/** Describes accounts of cohorts on no list, with the cohort if there is only one. */
function unlistedParts(cohorts: readonly OpenCohort[]): readonly OpenPart[] {
  const withUnlisted = cohorts.filter(({ unlisted }) => unlisted !== null && unlisted > 0);
  const [only, another] = withUnlisted;
  if (only === undefined) return [];
  const n = unlistedSum(withUnlisted);
  const where = another === undefined ? only.name : plural(withUnlisted.length, "cohort");
  return [
    {
      kind: "unlisted",
      words: `${count(n)} of ${where} on no list`,
      short: `${count(n)} unlisted`,
    },
  ];
}

/** Adds up the accounts of cohorts that are known to be on no list. */
export function unlistedSum(cohorts: readonly OpenCohort[]): number {
  return cohorts.reduce((sum, { unlisted }) => sum + (unlisted ?? 0), 0);
}

/** Adds up gone accounts. */
export function goneSum(gone: readonly GoneCount[]): GoneCount {
  return {
    count: gone.reduce((sum, { count }) => sum + count, 0),
    atLeast: gone.some(({ atLeast }) => atLeast),
  };
}

/**
 * Describes the parts of the open work that are not known. Returns an empty list if all are known.
 */
export function unreadParts({ entries, watched, lists, cohorts }: Open): readonly OpenPart[] {
  const failed = lists.filter(({ hasFailed }) => hasFailed).length;
  const noCounts = lists.filter(
    ({ gone, hasFailed, isHeldBack }) => gone === null && !hasFailed && !isHeldBack,
  ).length;
  const unread = (cohorts ?? []).filter(({ unlisted }) => unlisted === null).length;
  const part = (kind: UnreadKind, isUnread: boolean, words: string, short = words): OpenPart[] =>
    isUnread ? [{ kind, words, short }] : [];
  return [
    ...part("entries-unread", entries === null, "entries and runs not known", "entries not known"),
    ...part("watch-unread", watched === null, "watch list not known"),
    ...part("not-loaded", failed > 0, `${plural(failed, "list")} not loaded`),
    ...part(
      "gone-uncounted",
      noCounts > 0,
      `gone accounts of ${plural(noCounts, "supplier")} not known`,
    ),
    ...part("cohorts-unread", cohorts === null, "cohorts not known"),
    ...part("cohorts-uncounted", unread > 0, `${plural(unread, "cohort")} not known`),
  ];
}
