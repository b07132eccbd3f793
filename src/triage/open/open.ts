/** Collects and describes the open work, in the same way for screens, commands and reports. */

import type { RejectedRows } from "../../bulk/open-runs.ts";
import { marks } from "../../text/describe-status.ts";
import { count, plural } from "../../text/numbers.ts";
import { type CohortProgress, type Finality, notFound } from "../../watch/timeline.ts";
import type { Watched } from "../../watch/watched.ts";
import type { OpenCounts } from "../../writes/open-entries.ts";
import type { OpenOfPerson } from "../../writes/team/ledger-views.ts";
import { personWords } from "../../writes/words/authors.ts";
import type { GoneCount } from "../figures/gone.ts";
import { entryCounts, isAmong, type JournalWork } from "./work-counts.ts";

export interface OpenList {
  readonly supplier: string;
  readonly gone: GoneCount | null;
  readonly isHeldBack: boolean;
  readonly hasFailed: boolean;
}

export interface OpenCohort {
  readonly name: string;
  readonly supplier: string;
  readonly unlisted: number | null;
}

interface OpenWatched {
  readonly open: number;
  /** Number of accounts and supply points of these entries that have not ended. */
  readonly openItems: number;
  /** Number of accounts and supply points that ended without success or were not found. */
  readonly failed: number;
  /** Number of other entries whose last check failed. */
  readonly unchecked: number;
}

interface WatchedEntry {
  readonly finality: Finality;
  /** The state of the last check, or null before the first. */
  readonly state: string | null;
  readonly progress?: CohortProgress | null;
  readonly trouble?: unknown;
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
  /** The open entries of a team's colleagues. Default: none, as without a team. */
  readonly team?: readonly OpenOfPerson[];
}

/** The sources of the open work. A source that could not be read is null. */
export interface OpenSources {
  readonly work: JournalWork | null;
  readonly watched: readonly WatchedEntry[] | null;
  readonly lists: readonly OpenList[];
  readonly cohorts: readonly OpenCohort[] | null;
  /** The open entries of a team's colleagues. Default: none, as without a team. */
  readonly team?: readonly OpenOfPerson[];
  /** The suppliers whose entries and rows count, or null for all. */
  readonly suppliers?: readonly string[] | null;
}

export function openOf(sources: OpenSources): Open {
  const { work, watched, lists, cohorts, team = [], suppliers = null } = sources;
  return {
    ...(work === null ? unreadWork : workCounts(work, suppliers)),
    watched: watched === null ? null : watchedCounts(watched),
    lists,
    cohorts,
    team: team.filter(({ importSupplier }) => isAmong(suppliers, importSupplier)),
  };
}

const unreadWork = { entries: null, rejectedRows: null, runs: null };

function workCounts(work: JournalWork, suppliers: readonly string[] | null) {
  const isIncluded = ({ supplier }: RejectedRows) => isAmong(suppliers, supplier);
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
    failed: sum((entry) => watchedNeed(entry).failed),
    unchecked: sum((entry) => watchedNeed(entry).unchecked),
  };
}

/**
 * Returns the parts of a watched entry that need someone: the accounts and supply points that
 * failed or were not found (404), and 1 for another entry that cannot be checked.
 */
export function watchedNeed(entry: WatchedEntry): {
  readonly failed: number;
  readonly unchecked: number;
} {
  const { finality, state, progress, trouble = null } = entry;
  const failed = progress?.failed ?? (finality === "ended" || state === notFound ? 1 : 0);
  return { failed, unchecked: failed === 0 && trouble !== null ? 1 : 0 };
}

export function watchedEntry({ finality, progress, timeline, trouble }: Watched): WatchedEntry {
  return { finality, progress, trouble, state: timeline.at(-1)?.state ?? null };
}

export type OpenKind = KnownKind | UnreadKind;

/** A kind of open work that is known. The order is that of the gravity. */
export type KnownKind =
  | (
      | "unknown"
      | "team-unknown"
      | "watched-failed"
      | "watched-unchecked"
      | "gone"
      | "unlisted"
      | "held-back"
      | "rejected"
      | "rejected-rows"
    )
  | ("runs" | "retryable" | "team-retryable" | "unsent" | "watched");

type UnreadKind =
  | ("entries-unread" | "watch-unread" | "cohorts-unread" | "not-loaded")
  | ("gone-uncounted" | "cohorts-uncounted");

export const openTones: Readonly<Record<OpenKind, "unknown" | "bad" | "waiting" | "muted">> = {
  unknown: "unknown",
  "team-unknown": "unknown",
  "watched-failed": "bad",
  "watched-unchecked": "bad",
  gone: "bad",
  unlisted: "bad",
  "held-back": "bad",
  rejected: "bad",
  "rejected-rows": "bad",
  runs: "waiting",
  retryable: "waiting",
  "team-retryable": "waiting",
  unsent: "waiting",
  watched: "muted",
  "entries-unread": "bad",
  "watch-unread": "bad",
  "cohorts-unread": "bad",
  "not-loaded": "bad",
  "gone-uncounted": "muted",
  "cohorts-uncounted": "muted",
};

/**
 * One kind of open work in words: `3 entries unknown`, in short `3 unknown`, and in a narrow header
 * `3?`.
 */
export interface OpenPart<Kind extends OpenKind = OpenKind> {
  readonly kind: Kind;
  /** The number of things, or 0 if it is not known. */
  readonly count: GoneCount;
  readonly words: string;
  readonly short: string;
  readonly brief: string;
}

export function openParts({
  entries,
  rejectedRows,
  runs,
  watched,
  lists,
  cohorts,
  team = [],
}: Open): readonly OpenPart<KnownKind>[] {
  const part = (
    kind: KnownKind,
    n: number | undefined | null,
    words: (n: number) => string,
    short: (n: number) => string = words,
  ): readonly OpenPart<KnownKind>[] =>
    n == null || n === 0
      ? []
      : [{ kind, count: exactly(n), words: words(n), short: short(n), brief: briefly(kind, n) }];
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
    ...teamPart("team-unknown", team, ({ unknown }) => unknown),
    ...part("watched-failed", watched?.failed, (n) => `${count(n)} watched failed`),
    ...part("watched-unchecked", watched?.unchecked, (n) => `${count(n)} watched not checked`),
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
    ...teamPart("team-retryable", team, ({ retryable }) => retryable),
    ...entry("unsent"),
    ...part("watched", watched?.open, (n) => {
      const items = watched?.openItems ?? n;
      return `watching ${count(n)}${items === n ? "" : `, ${count(items)} open`}`;
    }),
  ];
}

const briefWords: Readonly<Record<Exclude<KnownKind, "watched">, string>> = {
  unknown: marks.unknown,
  "team-unknown": `${marks.unknown} team`,
  "watched-failed": " failed",
  "watched-unchecked": " not checked",
  gone: " gone",
  unlisted: " unlisted",
  "held-back": " held",
  rejected: marks.bad,
  "rejected-rows": `${marks.bad} rows`,
  runs: " stopped",
  retryable: marks.waiting,
  "team-retryable": `${marks.waiting} team`,
  unsent: " unsent",
};

function briefly(kind: KnownKind, n: number): string {
  return kind === "watched" ? `watching ${count(n)}` : count(n) + briefWords[kind];
}

function exactly(n: number): GoneCount {
  return { count: n, atLeast: false };
}

/**
 * Returns the number of things that need someone, whatever their kinds. Accounts that are only
 * watched need no one, and what could not be read is not counted.
 */
export function needCount(parts: readonly OpenPart[]): GoneCount {
  return goneSum(parts.filter(({ kind }) => kind !== "watched").map((part) => part.count));
}

export function watchedParts(watched: readonly Watched[]): readonly OpenPart[] {
  const nothing = { entries: null, rejectedRows: null, runs: null, lists: [], cohorts: [] };
  return openParts({ ...nothing, watched: watchedCounts(watched.map(watchedEntry)) });
}

export function needWords({ count: n, atLeast }: GoneCount, more: "" | " more" = ""): string {
  return `${atLeast ? "at least " : ""}${count(n)}${more} ${n === 1 ? "needs" : "need"} you`;
}

/** The outcome of each kind of open entries of colleagues. */
const teamOutcomes = { "team-unknown": "unknown", "team-retryable": "retryable" } as const;

function teamPart(
  kind: keyof typeof teamOutcomes,
  team: readonly OpenOfPerson[],
  countOf: (open: OpenOfPerson) => number,
): readonly OpenPart<KnownKind>[] {
  const sum = team.reduce((total, one) => total + countOf(one), 0);
  if (sum === 0) return [];
  const outcome = teamOutcomes[kind];
  const people = [...Map.groupBy(team, personWords)].flatMap(([person, all]) => {
    const n = all.reduce((total, one) => total + countOf(one), 0);
    return n === 0 ? [] : [{ person, n }];
  });
  const [only, another] = people;
  const short = `${count(sum)} ${outcome} of colleagues`;
  const words =
    another === undefined
      ? `${plural(sum, "entry", "entries")} of ${only?.person} ${outcome}`
      : `${plural(sum, "entry", "entries")} of colleagues ${outcome} (${people.map(({ person, n }) => `${person} ${count(n)}`).join(", ")})`;
  return [{ kind, count: exactly(sum), words, short, brief: briefly(kind, sum) }];
}

function goneParts(lists: readonly OpenList[]): readonly OpenPart<KnownKind>[] {
  const withGone = lists.flatMap(({ supplier, gone }) =>
    gone !== null && gone.count > 0 ? [{ supplier, ...gone }] : [],
  );
  const [only, another] = withGone;
  if (only === undefined) return [];
  const sum = goneSum(withGone);
  const short = `${sum.atLeast ? "at least " : ""}${count(sum.count)} gone`;
  const brief = `${sum.atLeast ? "≥ " : ""}${briefly("gone", sum.count)}`;
  const where = another === undefined ? only.supplier : plural(withGone.length, "supplier");
  return [{ kind: "gone", count: sum, words: `${short} at ${where}`, short, brief }];
}

function unlistedParts(cohorts: readonly OpenCohort[]): readonly OpenPart<KnownKind>[] {
  const withUnlisted = cohorts.filter(({ unlisted }) => unlisted !== null && unlisted > 0);
  const [only, another] = withUnlisted;
  if (only === undefined) return [];
  const n = unlistedSum(withUnlisted);
  const where = another === undefined ? only.name : plural(withUnlisted.length, "cohort");
  const short = `${count(n)} unlisted`;
  const words = `${count(n)} of ${where} on no list`;
  return [{ kind: "unlisted", count: exactly(n), words, short, brief: short }];
}

export function unlistedSum(cohorts: readonly OpenCohort[]): number {
  return cohorts.reduce((sum, { unlisted }) => sum + (unlisted ?? 0), 0);
}

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
  const part = (
    kind: UnreadKind,
    isUnread: boolean,
    words: string,
    short = words,
    brief = short,
  ): OpenPart[] => (isUnread ? [{ kind, count: exactly(0), words, short, brief }] : []);
  return [
    ...part(
      "entries-unread",
      entries === null,
      "entries and runs not known",
      "entries not known",
      "entries –",
    ),
    ...part(
      "watch-unread",
      watched === null,
      "watch list not known",
      "watch list not known",
      "watch –",
    ),
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
