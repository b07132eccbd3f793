/** The quiet lists beside the board on a wide and high terminal. Pure, from facts in memory. */
import type { RunRecord } from "../../bulk/run-record.ts";
import { countsWithin, rowsDone } from "../../bulk/run-words.ts";
import { runBar } from "../../components/bar-pieces.ts";
import { type NeedRow, needRows } from "../../components/supplier-needs.tsx";
import type { Piece } from "../../components/text.tsx";
import type { ActionId } from "../../keys/bindings.ts";
import { subjectName } from "../../session/watch-subjects.ts";
import { cellAgo, listedAge } from "../../text/ages.ts";
import { count } from "../../text/numbers.ts";
import { padOrTruncate, widest, widthOf } from "../../text/width.ts";
import { stateWordsOf } from "../../triage/state-words.ts";
import type { Watched } from "../../watch/watched.ts";
import type { ActivityRow } from "../../writes/activity.ts";
import { operationNoun, outcomeWords, targetNumber } from "../../writes/words/outcomes.ts";
import type { BoardLine } from "./board-feed.ts";

export interface WallRow {
  readonly id: string;
  /** The facts whose change is marked. Ages are no part of it, because time is no news. */
  readonly facts: string;
  readonly pieces: readonly Piece[];
}

/** One list with the key that opens its screen, or null if the row under the cursor does. */
export interface WallList {
  readonly title: string;
  readonly action: ActionId | null;
  readonly rows: readonly WallRow[];
}

export interface WallFacts {
  readonly lines: readonly BoardLine[];
  readonly watched: readonly Watched[];
  readonly unknown: readonly ActivityRow[];
  readonly entries: readonly ActivityRow[];
  readonly runs: readonly RunRecord[];
  /** The service's time in epoch milliseconds. */
  readonly now: number;
}

export const maxWallRows = 8;

export const markCells = 2;

const cells = { kind: 9, number: 22, supplier: 12, age: 10, bar: 16, run: 10 } as const;

export function wallLists(facts: WallFacts, width: number): readonly WallList[] {
  const needs = needing(facts, width);
  const lists: readonly WallList[] = [
    { title: "Needs someone", action: needs.action, rows: needs.rows },
    { title: "Pending longest", action: null, rows: pendingLongest(facts) },
    { title: "Runs", action: "runs", rows: facts.runs.map((run) => runRow(run, width)) },
    { title: "Watching", action: "watch-list", rows: facts.watched.map(watchedRow) },
    {
      title: "Last writes",
      action: "activity",
      rows: entryRows(facts),
    },
  ];
  return lists
    .filter(({ rows }) => rows.length > 0)
    .map((list) => ({ ...list, rows: list.rows.slice(0, maxWallRows) }));
}

/**
 * Returns what needs someone at every supplier: entries, then failed and gone accounts, with the
 * key for the first of them.
 */
function needing(
  { lines, watched, unknown, now }: WallFacts,
  columns: number,
): Omit<WallList, "title"> {
  const all = lines.flatMap(({ supplier, figures }) => {
    if (figures === null) return [];
    const own = unknown.filter(({ import_supplier }) => import_supplier === supplier);
    return needRows({ supplier, history: figures.history, watched, unknown: own }, now);
  });
  const needs = needKinds.flatMap((kind) => all.filter(({ label }) => label === kind));
  const width = Math.min(cells.number, widest(needs.map(({ number }) => number)));
  return {
    action: needs[0] === undefined ? null : needActions[needs[0].label],
    rows: needs.map((need) => needRow(need, width, columns)),
  };
}

const needKinds: readonly NeedRow["label"][] = ["unknown", "failed", "gone"];

const needActions: Readonly<Record<NeedRow["label"], ActionId | null>> = {
  unknown: "activity",
  failed: "watch-list",
  gone: null,
};

function needRow(
  { label, tone, number, words, brief }: NeedRow,
  width: number,
  columns: number,
): WallRow {
  const free = columns - markCells - cells.kind - width - 2;
  return {
    id: `${label} ${number}`,
    facts: "",
    pieces: [
      { text: padOrTruncate(label, cells.kind), tone },
      { text: `${padOrTruncate(number, width)}  ${widthOf(words) <= free ? words : brief}` },
    ],
  };
}

function pendingLongest({ lines }: WallFacts): readonly WallRow[] {
  return lines
    .flatMap(({ supplier, figures }) => {
      const since = figures?.history?.oldestPendingSince ?? null;
      // An age below a minute is only that of the first list.
      if (figures === null || since === null || figures.listedAt - since < 60_000) return [];
      const { listedAt, pending } = figures;
      return [{ supplier, since, listedAt, pending }];
    })
    .toSorted((one, other) => one.since - other.since)
    .map(({ supplier, since, listedAt, pending }) => ({
      id: supplier,
      facts: String(pending),
      pieces: [
        { text: padOrTruncate(supplier, cells.supplier) },
        { text: padOrTruncate(listedAge(since, listedAt), cells.age), tone: "waiting" },
        { text: `${count(pending)} pending` },
      ],
    }));
}

function runRow(run: RunRecord, width: number): WallRow {
  const ended = `${count(rowsDone(run))} of ${count(run.rows)}`;
  const rest = width - markCells - cells.run - cells.bar - 2 - ended.length - 2;
  return {
    id: run.id,
    facts: `${run.state} ${JSON.stringify(run.counts)}`,
    pieces: [
      { text: padOrTruncate(run.id, cells.run) },
      ...runBar(run.counts, run.rows, cells.bar, "line"),
      { text: `  ${ended}  ${countsWithin(run.counts, Math.max(8, rest))}` },
    ],
  };
}

function watchedRow(watched: Watched): WallRow {
  const { label, tone, mark } = stateWordsOf(watched.kind)(watched.timeline);
  const name = subjectName(watched);
  return {
    id: watched.key,
    facts: label,
    pieces: [
      { text: `${mark} `, tone },
      { text: `${padOrTruncate(name, cells.number + cells.kind)} ${label}` },
    ],
  };
}

function entryRows({ entries, now }: WallFacts): readonly WallRow[] {
  const width = Math.min(cells.number, widest(entries.map(targetNumber)));
  return entries.map((entry) => entryRow(entry, width, now));
}

function entryRow(entry: ActivityRow, width: number, now: number): WallRow {
  const { mark, tone, label } = outcomeWords[entry.outcome];
  const at = Date.parse(entry.created_at);
  // The screen is redrawn at most once a minute for an age.
  const age = cellAgo(at, now);
  return {
    id: String(entry.journal_id),
    facts: entry.outcome,
    pieces: [
      { text: `${mark} `, tone },
      { text: `${padOrTruncate(targetNumber(entry), width)}  ` },
      { text: `${padOrTruncate(operationNoun(entry.operation), cells.supplier)} ${label}, ${age}` },
    ],
  };
}

interface SeenRow {
  readonly facts: string;
  readonly changedAt: number | null;
}

export type SeenRows = ReadonlyMap<string, SeenRow>;

export interface Look {
  /** The rows of the last look, or null before the first. */
  readonly seen: SeenRows | null;
  /** False while the sources of the rows were still being read at the last look. */
  readonly isWhole: boolean;
}

/** Returns the next look at the lists. Rows that arrive with a source's first answer are no change. */
export function nextLook(
  last: Look,
  lists: readonly WallList[],
  { now, isWhole }: { readonly now: number; readonly isWhole: boolean },
): Look {
  return { seen: seenRows(last.isWhole ? last.seen : null, lists, now), isWhole };
}

/** Returns true if the list of each supplier and its gone accounts were read, or could not be read. */
export function areKnown(lines: readonly BoardLine[]): boolean {
  return lines.every(({ figures, load }) => {
    if (load.kind === "failed") return true;
    if (figures === null) return false;
    const { history } = figures;
    return history === null ? load.kind === "loaded" : (history.gone ?? history.heldBack) !== null;
  });
}

export const markedMs = 10_000;

export function rowKey(list: Pick<WallList, "title">, row: Pick<WallRow, "id">): string {
  return `${list.title} ${row.id}`;
}

/**
 * Returns the rows as they are seen at `now`, in milliseconds. A row that is new or differs from
 * the last look has changed. Nothing has changed at the first look (`before` is null).
 */
export function seenRows(
  before: SeenRows | null,
  lists: readonly WallList[],
  now: number,
): SeenRows {
  const rows = lists.flatMap((list) =>
    list.rows.map((row) => ({ key: rowKey(list, row), facts: row.facts })),
  );
  return new Map(
    rows.map(({ key, facts }) => {
      const last = before?.get(key);
      const isSame = before === null || last?.facts === facts;
      return [key, { facts, changedAt: isSame ? (last?.changedAt ?? null) : now }];
    }),
  );
}

export function isMarked({ changedAt }: SeenRow, now: number): boolean {
  return changedAt !== null && now - changedAt < markedMs;
}
