import { Box } from "ink";
import { useCallback, useMemo, useState } from "react";
import { Body, useBodyFocus } from "../../components/body.tsx";
import { DataTable } from "../../components/data-table.tsx";
import { DocumentLines } from "../../components/document.tsx";
import { FilterLine } from "../../components/filter-line.tsx";
import { JournalProblem } from "../../components/journal-problem.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { PreviewPane, usePreviewRooms } from "../../components/preview-pane.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Tabs, tabActions } from "../../components/tabs.tsx";
import { Line, Text } from "../../components/text.tsx";
import { useHere } from "../../hooks/app.tsx";
import { useFilterField, useFilterKeys } from "../../hooks/filter-field.ts";
import { useKeysWaitForJournal } from "../../hooks/in-flight.tsx";
import { type ListedEntry, useActivity, useWrite } from "../../hooks/journal.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { rangeMarks, useRested, useRowCursor } from "../../hooks/list-cursor.ts";
import { useNow, useShownZone } from "../../hooks/now.ts";
import { ScreenProvider, useRoom, useSubject } from "../../hooks/window.tsx";
import { manyEntries } from "../../session/many-entries.ts";
import { journalCommand } from "../../session/overlays.ts";
import { formatInstant } from "../../text/dates.ts";
import { count } from "../../text/numbers.ts";
import { useTheme } from "../../theme.tsx";
import { meaningWords, outcomeWords } from "../../writes/words/outcomes.ts";
import { activityColumns, activityFilter } from "./activity-columns.ts";
import { type ActivityLine, entryLine, linesOf, outcomesText, rowsOf } from "./activity-lines.ts";
import {
  activityCommand,
  emptyWords,
  journalIsHere,
  outcomeOf,
  rowText,
  runTab,
  type Tab,
  tabs,
} from "./activity-words.ts";
import { CausesTab } from "./causes-tab.tsx";
import { recordLines } from "./entry-lines.ts";
import { entryValues, useEntryMarks } from "./entry-marks.ts";
import { PositionLine } from "./position-line.tsx";
import { useRowActions } from "./row-actions.ts";

const idOf = ({ id }: ActivityLine) => id;

const noRows: readonly ListedEntry[] = [];

interface ActivityProps {
  readonly supplier: string | null;
  readonly account: string | null;
}

/** What stays when another tab is shown. */
interface Shown {
  readonly tab: Tab;
  readonly setTab: (tab: Tab) => void;
  readonly filter: string;
  readonly setFilter: (filter: string) => void;
}

/** The journal, and why entries failed. */
export function ActivityScreen(props: ActivityProps) {
  const [tab, setTab] = useState<Tab>("all");
  const [filter, setFilter] = useState("");
  const shown: Shown = { tab, setTab, filter, setFilter };
  return tab === "causes" ? <CausesTab {...props} {...shown} /> : <Entries {...props} {...shown} />;
}

/** The journal: unknown outcomes first, then the newest; the rows of a run as one line. */
function Entries({ supplier, account, tab, setTab, filter, setFilter }: ActivityProps & Shown) {
  const here = useHere();
  const { navigation, overlays, key, clipboard } = here.app;
  const { profile } = here.session;
  const theme = useTheme();
  const focus = useBodyFocus();
  const { view, look } = useActivity({ supplier, account, own: tab === "own" });
  useKeysWaitForJournal(view.kind === "opening");
  const list = view.kind === "read" ? view.value : null;
  const { list: room, preview } = usePreviewRooms((list?.total ?? 0) === 0);
  const query = useMemo(() => activityFilter(filter), [filter]);
  const rows = useMemo(
    () =>
      (list?.rows ?? noRows).filter(
        (row) => (outcomeOf(tab) ?? row.outcome) === row.outcome && query.matches(row),
      ),
    [list, query, tab],
  );
  // What a filter was typed for is shown one by one.
  const lines = useMemo(
    () => (filter.trim() === "" ? linesOf(rows) : rows.map(entryLine)),
    [rows, filter],
  );
  const page = Math.max(1, room.rows - 4);
  const cursor = useRowCursor(lines, idOf, page);
  const now = useNow();
  const today = formatInstant(now).slice(0, 10);
  // The same while they are the same: else every row would be drawn for every key.
  const columns = useMemo(
    () => activityColumns(room.columns, theme.ascii, today),
    [room.columns, theme.ascii, today],
  );
  const marks = useEntryMarks(rows);
  const visible = useMemo(
    () =>
      lines
        .slice(cursor.top, cursor.top + page)
        .map((row) => ({ id: row.id, row, marked: marks.areMarked(rowsOf(row)) })),
    [lines, cursor.top, page, marks],
  );
  const field = useFilterField("activity", { text: filter, set: setFilter });
  useFilterKeys(field, cursor.actions, focus);
  const { current } = cursor;
  const entry = current?.kind === "entry" ? current.row : null;
  const show = useCallback(
    (id: number) => navigation.push({ kind: "write", id: String(id) }),
    [navigation],
  );
  const rested = useRested(entry?.journal_id ?? null, String(entry?.journal_id ?? ""));
  const rowActions = useRowActions(entry, show);
  const many = manyEntries(here);
  const several =
    marks.marked.length > 0 ? marks.marked : current?.kind === "run" ? current.rows : [];
  const unknown = several.filter(({ outcome }) => outcome === "unknown");
  useSubject({
    values:
      current?.kind === "run" ? { run: current.run } : entry === null ? {} : entryValues(entry),
    marked: {
      count: marks.marked.length,
      find: (most) => marks.marked.slice(0, most).map(entryValues),
    },
  });
  useKeys({
    ...cursor.actions,
    ...rangeMarks({
      ...{ position: cursor.position, length: lines.length, moveTo: cursor.moveTo },
      mark: (positions) =>
        marks.mark(
          positions.flatMap((at) => {
            const line = lines[at];
            return line === undefined ? [] : rowsOf(line);
          }),
        ),
    }),
    ...rowActions,
    ...(several.length === 0
      ? {}
      : {
          verify: {
            label: `verify ${count(unknown.length)}`,
            run: () => many.verify(unknown.map(({ journal_id: id }) => id)),
            disabled: unknown.length === 0 ? "None of these entries is unknown." : null,
          },
        }),
    ...(current
      ? {
          open: () =>
            current.kind === "entry"
              ? show(current.row.journal_id)
              : navigation.push({ kind: "run", id: current.run, ...runTab(tab) }),
          mark: () => {
            marks.toggle(rowsOf(current));
            cursor.moveTo(cursor.position + 1);
          },
          "mark-all": {
            run: () => marks.toggle(rows),
            label: marks.areMarked(rows) ? "unmark all" : "mark all",
          },
        }
      : {}),
    ...(entry
      ? {
          copy: () => clipboard(String(entry.journal_id), "journal id"),
          "copy-row": () => clipboard(rowText(entry), "row"),
        }
      : {}),
    ...field.clearing,
    filter: field.begin,
    refresh: look,
    ...tabActions(tabs, tab, setTab),
    "as-command": () =>
      overlays.command(
        journalCommand(profile, {
          command: activityCommand({ supplier, account, tab, profile, rows: list?.rows ?? noRows }),
          note: journalIsHere,
        }),
      ),
  });
  const table = (
    <Body>
      <Box>
        <Tabs tabs={tabs} current={tab} />
        {field.typing || filter !== "" ? (
          <Box marginLeft={2} flexGrow={1}>
            <FilterLine field={field} focus={focus} />
          </Box>
        ) : null}
      </Box>
      {view.kind === "failed" ? (
        <JournalProblem error={view.error} doing="reading the journal" />
      ) : rows.length === 0 ? (
        <Paragraph tone="muted">{emptyWords(view, tab, filter, supplier, account, key)}</Paragraph>
      ) : (
        <DataTable
          columns={columns}
          rows={visible}
          cursor={current?.id ?? null}
          first={cursor.top}
        />
      )}
      <Box flexGrow={1} />
      {current?.kind === "run" ? (
        <Text tone="muted">{`Run ${current.run}: ${outcomesText(current.rows)}`}</Text>
      ) : null}
      {list ? (
        <PositionLine
          list={list}
          position={lines.length === 0 ? 0 : cursor.position + 1}
          lines={lines.length}
          supplier={supplier}
          account={account}
          marked={marks.marked.length}
          problem={query.problem}
        />
      ) : null}
    </Body>
  );
  if (preview === null) return table;
  return (
    <Box>
      <ScreenProvider room={room}>{table}</ScreenProvider>
      <PreviewPane room={preview}>
        {rested === null ? null : <EntryPreview key={rested} id={rested} />}
      </PreviewPane>
    </Box>
  );
}

/** What is recorded of an entry, as much as the room beside the list takes. */
function EntryPreview(props: { readonly id: number }) {
  const { ascii } = useTheme();
  const room = useRoom();
  const zone = useShownZone();
  const { view } = useWrite(props.id);
  const detail = view.kind === "read" ? (view.value?.detail ?? null) : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another zone they write other times
  const lines = useMemo(
    () => (detail === null ? [] : recordLines(detail, room.columns, ascii)),
    [detail, room.columns, ascii, zone],
  );
  if (detail === null) return null;
  return (
    <>
      <Line pieces={[{ text: `Entry ${detail.journal_id}`, bold: true }]} />
      <StatusBadge words={outcomeWords[detail.outcome]} />
      <Paragraph most={3}>{meaningWords(detail)}</Paragraph>
      <DocumentLines lines={lines.slice(0, Math.max(0, room.rows - 6))} />
    </>
  );
}
