import { useCallback, useMemo, useState } from "react";
import type { RowStates } from "../../bulk/rows.ts";
import { rowFields } from "../../bulk/run-fields.ts";
import type { RunCounts, RunRecord, RunRow } from "../../bulk/run-record.ts";
import { CauseList } from "../../components/cause-list.tsx";
import { JournalMissing, journalState } from "../../components/journal-problem.tsx";
import { footPart } from "../../components/list-screen/list-foot.tsx";
import { detailBlock, ListScreen } from "../../components/list-screen/list-screen.tsx";
import type { Block, ListTabs } from "../../components/list-screen/list-spec.ts";
import type { RowSource } from "../../components/list-screen/row-source.ts";
import { isImportedNow, type StateNow, useRunRows } from "../../components/run-rows.ts";
import { Lines, type Piece } from "../../components/text.tsx";
import { useApp, useHere, useSession } from "../../hooks/app.tsx";
import { type CauseScope, useCauses } from "../../hooks/causes.ts";
import { useKeysWaitForJournal } from "../../hooks/in-flight.tsx";
import { useWatchRows } from "../../hooks/watching.ts";
import { useRoom } from "../../hooks/window.tsx";
import type { KeyWords } from "../../keys/keymap.ts";
import { closeEntry } from "../../session/entry-actions.ts";
import { resendEntries, verifyEntries } from "../../session/many-entries.ts";
import type { RunTab } from "../../session/places.ts";
import { accountOf } from "../../session/watch-subjects.ts";
import { count, plural } from "../../text/numbers.ts";
import { widthOf, wrap } from "../../text/width.ts";
import { type Cause, causeCodes } from "../../writes/causes.ts";
import { isOpenOutcome } from "../../writes/open-entries.ts";
import type { Writes } from "../../writes/open-writes.ts";
import { useRunKeys } from "./run-keys.ts";
import { isOver, nextSteps } from "./run-state.ts";
import { RunSummary, summaryRows, useEndLines } from "./run-summary.tsx";
import { idOf, type RunView, runRows, useRefreshOnRunChange, useRunView } from "./run-views.ts";

interface RowTab {
  readonly id: string;
  readonly label: string;
  readonly short: string;
  readonly states: RowStates;
}

const all: RowTab = { id: "all", label: "All", short: "All", states: null };

const failed: RowStates = ["rejected", "retryable", "unknown"];
const causes: RowTab = { id: "causes", label: "Causes", short: "Causes", states: failed };
const attention: RowTab = {
  id: "attention",
  label: "Needs attention",
  short: "Attn",
  states: failed,
};

const tabs: readonly RowTab[] = [
  { id: "unknown", label: "Unknown", short: "Unk", states: ["unknown"] },
  { id: "rejected", label: "Rejected", short: "Rej", states: ["rejected"] },
  attention,
  causes,
  { id: "waiting", label: "Not ended", short: "Rest", states: ["waiting", "sending"] },
  { id: "closed", label: "Closed", short: "Clos", states: ["closed"] },
  { id: "confirmed", label: "Confirmed", short: "Conf", states: ["confirmed"] },
  { id: "exists", label: "Existed", short: "Exist", states: ["exists"] },
  all,
];

const nowhere = { supplier: null, account: null };

/**
 * Returns the tabs that have rows, the current tab, and the tab with all rows. The tab of all
 * failures is left out if another tab has the same rows.
 */
function tabsFor(counts: RunCounts, current: RowTab): readonly RowTab[] {
  const { rejected, retryable, unknown } = counts;
  const isMixed = retryable > 0 || (rejected > 0 && unknown > 0);
  return tabs.filter(
    (tab) =>
      tab === all ||
      tab === current ||
      (rowsOf(counts, tab.states) > 0 && (tab !== attention || isMixed)),
  );
}

/**
 * Returns the tab with the most severe failures of a run, else the one with rows that are held back,
 * or the tab with all rows if there are none.
 */
export function worstTab({ counts, leftAlone }: Pick<RunRecord, "counts" | "leftAlone">): RowTab {
  const needs: readonly (readonly [id: string, rows: number])[] = [
    ["unknown", counts.unknown],
    ["rejected", counts.rejected],
    ["attention", counts.retryable],
    ["waiting", leftAlone.heldBack],
  ];
  const [id] = needs.find(([, rows]) => rows > 0) ?? [all.id];
  return tabs.find((tab) => tab.id === id) ?? all;
}

/** Returns the longest names of tabs that fit: in full or short, with or without counts. */
function tabNames(
  shown: readonly RowTab[],
  counts: RunCounts,
  columns: number,
): readonly { id: string; label: string }[] {
  const named = (name: (tab: RowTab) => string) =>
    shown.map((tab) => ({ id: tab.id, label: name(tab) }));
  const counted = (name: "label" | "short") =>
    named((tab) =>
      tab.id === causes.id ? tab[name] : `${tab[name]} ${count(rowsOf(counts, tab.states))}`,
    );
  const short = named((tab) => tab.short);
  // Each name has a padding of two cells.
  const fits = (names: typeof short) =>
    names.reduce((sum, { label }) => sum + label.length + 2, 0) <= columns;
  return [counted("label"), counted("short")].find(fits) ?? short;
}

export function RunScreen(props: { readonly id: string; readonly tab?: RunTab }) {
  const { view } = useRunView(props.id);
  useKeysWaitForJournal(view.kind === "opening");
  if (view.kind === "read") return <Run view={view.value} tab={props.tab} />;
  return <JournalMissing view={view} doing={`reading run ${props.id}`} />;
}

RunScreen.help = {
  name: "Run",
  about: [
    "One run: its progress, and its rows by outcome. You can write rejected rows to a file, fix them and run them again.",
  ],
  words: ["run", "outcome"],
} as const;

function Run(props: { readonly view: RunView; readonly tab: RunTab | undefined }) {
  const { view } = props;
  const { record } = view;
  const room = useRoom();
  const [chosen, choose] = useState(() => tabs.find(({ id }) => id === props.tab) ?? null);
  const { id } = record;
  const scope = useMemo((): CauseScope => ({ kind: "run", run: id }), [id]);
  // Causes are grouped only after the run, because rows that are being sent would cause another
  // grouping each second.
  const hasEnded = isOver(view);
  const worst = worstTab(record);
  const [initial, setInitial] = useState({ hasEnded, tab: worst });
  // A run that ends while it is shown moves to its failures, unless a tab was chosen, and on when none
  // of them is left.
  const isEmptied = rowsOf(record.counts, initial.tab.states) === 0 && initial.tab !== worst;
  if (hasEnded && (!initial.hasEnded || isEmptied)) setInitial({ hasEnded, tab: worst });
  const tab = chosen ?? initial.tab;
  const showsCauses = hasEnded && tab !== causes && room.rows >= minRowsForCauses;
  const { view: causesView } = useCauses(
    showsCauses && rowsOf(record.counts, failed) > 0 ? scope : null,
  );
  const { key } = useApp();
  const { baseUrl } = useSession();
  const next = nextSteps(view, { baseUrl, key, width: room.columns });
  const steps = useEndLines(view, next, room);
  // No cause is left out above lines that the rows of the tab do not need.
  const freeRows = room.rows - summaryRows(view, steps) - rowsOf(record.counts, tab.states);
  const causeText = causeLines(causesView.kind === "read" && showsCauses ? causesView.value : [], {
    columns: room.columns,
    rows: freeRows - listFrameRows,
  });
  const shown = {
    tabs: {
      tabs: tabNames(tabsFor(record.counts, tab), record.counts, room.columns),
      current: tab.id,
      to: (next: string) => choose(tabs.find((tab) => tab.id === next) ?? all),
    },
    above: {
      rows: summaryRows(view, steps) + causeText.length,
      shown: (
        <>
          <RunSummary view={view} steps={steps} />
          <Lines lines={causeText} />
        </>
      ),
    },
  };
  return tab.id === causes.id ? (
    <RunCauses {...shown} view={view} scope={scope} />
  ) : (
    <RunRows {...shown} key={tab.id} view={view} tab={tab} />
  );
}

const minRowsForCauses = 16;
const minListed = 2;
const listFrameRows = 5;
const maxLinesOfCause = 2;

/**
 * Lists the most frequent causes of failures, followed by a blank line: `minListed` of them, and as
 * many more as there is room for. Returns nothing without causes.
 */
export function causeLines(
  causes: readonly Cause[],
  room: { readonly columns: number; readonly rows: number },
): readonly (readonly Piece[])[] {
  // Each cause has at least one line.
  for (let listed = Math.min(causes.length, room.rows); listed > minListed; listed -= 1) {
    const lines = firstCauses(causes, listed, room.columns);
    if (lines.length <= room.rows) return lines;
  }
  return firstCauses(causes, minListed, room.columns);
}

function firstCauses(
  causes: readonly Cause[],
  listed: number,
  columns: number,
): readonly (readonly Piece[])[] {
  const shown = causes.slice(0, listed);
  const cells = Math.max(0, ...shown.map((cause) => count(cause.count).length));
  const lines = shown.flatMap((cause) => {
    const amount = `  ${count(cause.count).padStart(cells)}  `;
    const code = [cause.httpStatus, causeCodes(cause)].filter(Boolean).join(" ");
    const indent = amount.length + widthOf(code) + 2;
    const words = wrap(cause.message ?? "", Math.max(20, columns - indent));
    return words
      .slice(0, maxLinesOfCause)
      .map((text, index): readonly Piece[] =>
        index === 0
          ? [{ text: amount }, { text: code, bold: true }, { text: `  ${text}` }]
          : [{ text: " ".repeat(indent) + text }],
      );
  });
  const more = causes.length - shown.length;
  const rest = more === 0 ? [] : [[{ text: `  and ${plural(more, "other cause")}` }]];
  return lines.length === 0 ? [] : [...lines, ...rest, [{ text: " " }]];
}

interface SharedParts {
  readonly view: RunView;
  readonly tabs: ListTabs;
  readonly above: Block;
}

function RunCauses({ view, ...shown }: SharedParts & { readonly scope: CauseScope }) {
  const { navigation } = useApp();
  const actions = useRunKeys(view, () => navigation.back());
  const doing = `reading run ${view.record.id}`;
  return <CauseList {...shown} place={nowhere} doing={doing} actions={actions} />;
}

/**
 * Returns the text of a tab without a row. Of a run that has just started, the rows can be recorded
 * later than the tab was read.
 */
export function emptyWords(tab: Pick<RowTab, "label" | "states">, counts: RunCounts): string {
  return rowsOf(counts, tab.states) > 0
    ? "Reading the rows…"
    : `This run has no row in the tab ${tab.label}.`;
}

function RunRows(props: SharedParts & { readonly tab: RowTab }) {
  const { tab } = props;
  const { states } = tab;
  const { record } = props.view;
  const { id } = record;
  const { navigation, key } = useApp();
  const { view, refresh, source, nowOf, list, keys, shown } = useRunRows({
    name: `run ${id}`,
    first: "Line",
    read: useCallback(({ context }: Writes) => runRows(context.journal, id, states), [id, states]),
    idOf,
  });
  useRefreshOnRunChange(refresh);
  const { current } = list;
  const here = useHere();
  const entries = () => [...new Set(list.chosen().map(({ journalId }) => journalId))];
  const imported = () => {
    const rows = list.chosen().filter((row) => isImportedNow(row, nowOf));
    return new Set(rows.map(({ journalId }) => journalId));
  };
  const watch = useWatchRows(list, accountOf);
  const isHeldBack = record.leftAlone.heldBack > 0;
  const canResend = list
    .chosen()
    .some(
      (row) =>
        row.outcome === "retryable" ||
        (row.outcome === "unsent" && isHeldBack) ||
        row.isUnapproved ||
        isImportedNow(row, nowOf),
    );
  const importedNow = useMemo(() => countImportedNow(source, nowOf), [source, nowOf]);
  return (
    <ListScreen
      {...shown}
      state={journalState(view, `reading run ${id}`, "Reading the rows…")}
      empty={[emptyWords(tab, record.counts)]}
      file={{ stem: `${id}.results`, fields: Object.values(rowFields) }}
      tabs={props.tabs}
      above={props.above}
      below={detailBlock(({ detail }: RunRow) => detail)}
      status={[
        footPart(
          1,
          importedNow === 0
            ? ""
            : `${count(importedNow)} ${importedNow === 1 ? "is" : "are"} imported now and can be sent again`,
          "changed",
        ),
      ]}
      actions={{
        ...useRunKeys(props.view, () => navigation.back(), list.marked()),
        refresh,
        ...keys,
        ...(current
          ? {
              watch,
              resend: {
                run: () => resendEntries(here, entries(), imported()),
                isMain: canResend,
                disabled: canResend
                  ? null
                  : "Only a retryable, held-back, unapproved or now imported row is sent again.",
              },
              "close-write": {
                run: () => closeEntry(here, current.journalId),
                disabled: closingObstacle(current, key),
              },
              verify: {
                run: () => verifyEntries(here, entries()),
                disabled:
                  list.marked().length > 0 || current.outcome === "unknown"
                    ? null
                    : "The outcome of this row is known: there is nothing to verify.",
              },
            }
          : {}),
      }}
    />
  );
}

const maxLookedUp = 2_000;

function countImportedNow(source: RowSource<RunRow>, nowOf: StateNow | null): number {
  if (nowOf === null || source.length > maxLookedUp) return 0;
  const rows = Array.from({ length: source.length }, (_, index) => source.at(index));
  return rows.filter((row) => row !== null && isImportedNow(row, nowOf)).length;
}

function rowsOf(counts: RunCounts, states: RowStates): number {
  const names = states ?? (Object.keys(counts) as (keyof RunCounts)[]);
  return names.reduce((sum, name) => sum + counts[name], 0);
}

/** Returns the reason why a row cannot be closed, or null. */
function closingObstacle({ outcome, isLeft }: RunRow, key: KeyWords): string | null {
  if (isLeft) return `It is not sent yet: ${key("resume-run")} continues the run.`;
  if (isOpenOutcome(outcome)) return null;
  return "Only an unknown, rejected, retryable or unsent row can be closed.";
}
