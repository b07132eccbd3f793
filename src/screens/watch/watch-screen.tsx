import { Box } from "ink";
import { useEffect, useMemo, useRef, useState } from "react";
import { errorMessage } from "../../api/errors.ts";
import { Body, useBodyFocus } from "../../components/body.tsx";
import { DataTable, type TableRow } from "../../components/data-table.tsx";
import { FilterLine } from "../../components/filter-line.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { PreviewPane, usePreviewRooms } from "../../components/preview-pane.tsx";
import { Line, Text } from "../../components/text.tsx";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useFilterField } from "../../hooks/filter-field.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { rangeMarks, useMarks, useRested, useRowCursor } from "../../hooks/list-cursor.ts";
import { useShownZone } from "../../hooks/now.ts";
import { useWatched } from "../../hooks/watching.ts";
import { type Room, ScreenProvider, useActive, useRoom, useSubject } from "../../hooks/window.tsx";
import { useTheme } from "../../theme.tsx";
import type { WatchSnapshot } from "../../watch/watch-list.ts";
import { useMuted, useWatchListActions } from "./watch-actions.ts";
import { watchColumns, watchFilter } from "./watch-columns.ts";
import { DetailLines, detailRows, SummaryLine, useTick } from "./watch-lines.tsx";
import {
  inOrder,
  unlessAlike,
  type WatchOrder,
  type WatchRow,
  watchedValues,
  watchOrders,
  watchRow,
} from "./watch-row.ts";
import { WatchedPreview } from "./watched-preview.tsx";

const idOf = ({ watched }: WatchRow) => watched.key;

/**
 * Everything that is watched with this profile (INTERFACE 4.7, 4.8), beside it on a wide terminal the
 * preview of the row under the cursor.
 */
export function WatchScreen() {
  const rooms = usePreviewRooms(useWatched().entries.length === 0);
  return (
    <ScreenProvider room={rooms.list}>
      <WatchTable preview={rooms.preview} />
    </ScreenProvider>
  );
}

/** Without room for a preview the row under the cursor is shown in full below the table. */
function WatchTable(props: { readonly preview: Room | null }) {
  const { preview } = props;
  const room = useRoom();
  const theme = useTheme();
  const { key: keyWords } = useApp();
  const focus = useBodyFocus();
  const list = useWatched();
  const { watch } = useSession();
  const active = useActive();
  // Other consoles may have changed the list meanwhile.
  useEffect(() => {
    if (active) watch.sync();
  }, [watch, active]);
  const zone = useShownZone();
  const all = useWatchRows(list);
  const [muted, toggleMuted] = useMuted();
  const [filter, setFilter] = useState("");
  const [order, setOrder] = useState<WatchOrder>("attention");
  const [descending, setDescending] = useState(false);
  const { marks, ...marking } = useMarks<string>();
  const query = useMemo(() => watchFilter(filter), [filter]);
  const rows = useMemo(
    () => inOrder(all.filter(query.matches), order, descending),
    [all, query, order, descending],
  );
  const below = preview === null ? detailRows : 0;
  const page = Math.max(1, room.rows - 2 - below - (list.unkept === null ? 0 : 1));
  const cursor = useRowCursor(rows, idOf, page);
  const field = useFilterField("watch", {
    text: filter,
    set: setFilter,
    focus,
    moving: cursor.actions,
  });
  const { current } = cursor;
  const marked = rows.filter(({ watched }) => marks.has(watched.key));
  const actions = useWatchListActions({
    list,
    row: current,
    marked,
    onRemoved: () => marking.set([]),
  });
  const sortBy = (step: number) => {
    const at = watchOrders.indexOf(order);
    setOrder(watchOrders[(at + step + watchOrders.length) % watchOrders.length] ?? "attention");
  };
  const allMarked = rows.length > 0 && marked.length === rows.length;
  useSubject({
    values: current ? watchedValues(current.watched) : {},
    marked: {
      count: marked.length,
      find: (most) => marked.slice(0, most).map(({ watched }) => watchedValues(watched)),
    },
  });
  useKeys({
    ...cursor.actions,
    ...rangeMarks({
      ...{ position: cursor.position, length: rows.length, moveTo: cursor.moveTo },
      mark: (positions) => marking.add(positions.flatMap((at) => rows[at]?.watched.key ?? [])),
    }),
    ...actions,
    mute: { run: toggleMuted, label: muted ? "unmute" : "mute" },
    ...(current
      ? {
          mark: () => {
            marking.toggle(current.watched.key);
            cursor.moveTo(cursor.position + 1);
          },
          "mark-all": {
            run: () => marking.set(allMarked ? [] : rows.map(({ watched }) => watched.key)),
            label: allMarked ? "unmark all" : "mark all",
          },
          "sort-previous": () => sortBy(-1),
          "sort-next": () => sortBy(1),
          reverse: () => setDescending(!descending),
        }
      : {}),
    ...field.clearing,
    ...(all.length === 0 ? {} : { filter: field.begin }),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another zone they write other times
  const columns = useMemo(
    () => watchColumns(room.columns, theme.ascii),
    [room.columns, theme.ascii, zone],
  );
  const shown = useTableRows(rows.slice(cursor.top, cursor.top + page), marks);
  // What costs a look into the journal waits until the cursor rests.
  const rested = useRested(current, current?.watched.key ?? "")?.watched.key;
  const previewed = all.find(({ watched }) => watched.key === rested) ?? null;
  const table = (
    <Body>
      {field.typing || filter !== "" ? (
        <Box>
          <FilterLine field={field} focus={focus} />
          <Box flexShrink={0}>
            <Text tone={query.problem ? "bad" : "muted"}>
              {`  ${query.problem ?? `${rows.length} of ${all.length} match`}`}
            </Text>
          </Box>
        </Box>
      ) : all.length > 0 ? (
        <SummaryLine list={list} muted={muted} />
      ) : null}
      {list.unkept === null ? null : <Unkept why={list.unkept} />}
      {all.length === 0 ? (
        <EmptyWords />
      ) : rows.length === 0 ? (
        <Paragraph tone="muted">{`Nothing watched matches ${filter}. ${keyWords("back")} clears the filter.`}</Paragraph>
      ) : (
        <DataTable
          columns={columns}
          rows={shown}
          cursor={current?.watched.key ?? null}
          {...(order === "attention" ? {} : { sort: { id: order, descending } })}
          first={cursor.top}
        />
      )}
      <Box flexGrow={1} />
      {current && preview === null ? <DetailLines row={current} list={list} /> : null}
    </Body>
  );
  if (preview === null) return table;
  return (
    <Box>
      {table}
      <PreviewPane room={preview}>
        {previewed === null ? null : (
          <WatchedPreview key={previewed.watched.key} row={previewed} list={list} />
        )}
      </PreviewPane>
    </Box>
  );
}

/** The rows as they are to be drawn now; one that would be drawn the same is the same object. */
function useWatchRows(list: WatchSnapshot): readonly WatchRow[] {
  const { watch } = useSession();
  const now = useTick();
  const before = useRef<ReadonlyMap<string, WatchRow>>(new Map());
  const all = useRef<readonly WatchRow[]>([]);
  const rows = list.entries.map((watched) =>
    unlessAlike(
      before.current.get(watched.key),
      watchRow(watched, watch.progress(watched.key), now),
    ),
  );
  before.current = new Map(rows.map((row) => [row.watched.key, row]));
  const same =
    rows.length === all.current.length && rows.every((row, at) => row === all.current[at]);
  if (!same) all.current = rows;
  return all.current;
}

/** The visible rows for the table, kept as they were where nothing about them has changed. */
function useTableRows(
  rows: readonly WatchRow[],
  marks: ReadonlySet<string>,
): readonly TableRow<WatchRow>[] {
  const before = useRef<ReadonlyMap<string, TableRow<WatchRow>>>(new Map());
  const next = rows.map((row): TableRow<WatchRow> => {
    const id = row.watched.key;
    const old = before.current.get(id);
    const marked = marks.has(id);
    return old?.row === row && old.marked === marked ? old : { id, row, marked };
  });
  before.current = new Map(next.map((row) => [row.id, row]));
  return next;
}

function Unkept(props: { readonly why: unknown }) {
  const why = errorMessage(props.why);
  return (
    <Line
      pieces={[
        { text: `This list is not saved and lasts for this session only: ${why}`, tone: "bad" },
      ]}
    />
  );
}

function EmptyWords() {
  const { key } = useApp();
  return (
    <>
      <Text tone="title">Nothing is watched yet.</Text>
      <Text> </Text>
      <Paragraph>
        {`${key("watch")} on an account, a supply point, or marked accounts of a list adds them here; ${key("add")} adds one by its number.`}
      </Paragraph>
      <Text> </Text>
      <Paragraph>
        Watched accounts and supply points are checked in the background until no further change is
        expected; then the bell rings. They stay on the list after a restart.
      </Paragraph>
    </>
  );
}
