import { Box } from "ink";
import { useEffect, useMemo, useRef } from "react";
import { Body } from "../../components/body.tsx";
import { DataTable, type TableRow } from "../../components/data-table.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { type LinePart, PartLines, partLines } from "../../components/part-lines.tsx";
import { PreviewPane, usePreviewRooms } from "../../components/preview-pane.tsx";
import { Text } from "../../components/text.tsx";
import { useApp, useHere } from "../../hooks/app.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useRested, useRowCursor } from "../../hooks/list-cursor.ts";
import { useNow } from "../../hooks/now.ts";
import { type OpenNow, useOpenWork } from "../../hooks/open-work.ts";
import { useFreshness, useLinear, useRoom, useSubject } from "../../hooks/window.tsx";
import type { ActionId } from "../../keys/bindings.ts";
import { showAsCommand } from "../../session/show-as-command.ts";
import { checkedWords } from "../../text/dates.ts";
import { formatDuration } from "../../text/durations.ts";
import { count, plural } from "../../text/numbers.ts";
import { type Tone, useTheme } from "../../theme.tsx";
import { type OpenKind, openParts, unreadParts } from "../../triage/open/open.ts";
import { boardColumns, linearColumns } from "./board-columns.ts";
import { type BoardFeed, useBoard } from "./board-feed.ts";
import { type ShownSupplier, shownSupplier } from "./board-words.ts";
import { SupplierDetail, SupplierPreview } from "./supplier-detail.tsx";
import { useSupplierList } from "./supplier-list.ts";

const idOf = (code: string) => code;

/**
 * The board: the import suppliers that this profile knows (INTERFACE 4.9 for each), worst first, with
 * what needs someone above them.
 */
export function SuppliersScreen() {
  const here = useHere();
  const { key, navigation } = here.app;
  const room = useRoom();
  const linear = useLinear();
  const { ascii } = useTheme();
  const { codes, add, remove } = useSupplierList();
  const feed = useBoard(codes);
  const { lines } = feed;
  useFreshness(feed.checkedAt, feed.everyMs * 3);
  const { list, preview } = usePreviewRooms();
  const width = list.columns;
  const openNow = useOpenWork(here.session);
  const attention = partLines(
    useAttention(openNow),
    linear ? Number.MAX_SAFE_INTEGER : room.columns,
  );
  const detailRows = preview !== null ? 0 : room.rows < 16 ? 2 : 4;
  // The line of titles, the state of the board, and a gap below what needs someone.
  const around = Math.max(1, attention.length) + 1 + 1 + 1;
  const page = Math.max(1, room.rows - around - detailRows);
  const suppliers = useMemo(() => lines.map(({ supplier }) => supplier), [lines]);
  const cursor = useRowCursor(suppliers, idOf, page);
  // The worst supplier is under the cursor once all are known, and then stays there.
  const { moveTo, position } = cursor;
  const isPinned = useRef(false);
  useEffect(() => {
    if (isPinned.current || feed.checkedAt === null) return;
    isPinned.current = true;
    moveTo(position);
  }, [moveTo, position, feed.checkedAt]);
  // The worst are in sight, wherever the cursor was taken along to.
  const top = !linear && position < page ? 0 : cursor.top;
  const current = lines[position] ?? null;
  const rested = useRested(current?.supplier ?? null, current?.supplier ?? "");
  const previewed = lines.find(({ supplier }) => supplier === rested) ?? null;
  useSubject({ values: current ? { import_supplier: current.supplier } : {} });
  useKeys({
    ...cursor.actions,
    ...(current
      ? {
          open: () => navigation.push({ kind: "overview", supplier: current.supplier }),
          remove: () => remove(current.supplier),
          reconcile: () => navigation.push({ kind: "reconcile", supplier: current.supplier }),
          "as-command": () =>
            showAsCommand(
              here,
              { kind: "accounts-list", supplier: current.supplier, state: "all" },
              ["v1/data-import/all-account-import-processes", current.supplier],
            ),
          refresh: {
            run: feed.refresh,
            disabled: feed.loading ? `Loading; ${key("cancel")} cancels.` : null,
          },
          pause: { run: feed.togglePause, label: feed.paused ? "resume" : "pause" },
        }
      : {}),
    add: add,
  });
  const columns = useMemo(
    () => (linear ? linearColumns : boardColumns(width, ascii)),
    [linear, width, ascii],
  );
  const minute = useNow(60_000);
  const rows = lines.slice(top, top + page).map(
    (line): TableRow<ShownSupplier> => ({
      id: line.supplier,
      row: shownSupplier(line, minute, ascii),
    }),
  );
  if (codes.length === 0) return <NoSuppliers />;
  return (
    <Body>
      {attention.length > 0 ? (
        <PartLines lines={attention} />
      ) : (
        <Text>{calmWords(lines, openNow)}</Text>
      )}
      <Text> </Text>
      <Box>
        <Box width={width} flexShrink={0} flexDirection="column">
          <DataTable
            columns={columns}
            rows={rows}
            cursor={current?.supplier ?? null}
            width={width}
            first={top}
          />
        </Box>
        {previewed && preview ? (
          <PreviewPane room={{ columns: preview.columns, rows: room.rows - around }}>
            <SupplierPreview line={previewed} />
          </PreviewPane>
        ) : null}
      </Box>
      <Box flexGrow={1} />
      {current && detailRows > 0 ? <SupplierDetail line={current} rows={detailRows} /> : null}
      <BoardState feed={feed} />
    </Body>
  );
}

/** Says that nothing needs anyone, as far as it is known. */
function calmWords(lines: BoardFeed["lines"], { open, isCounted }: OpenNow): string {
  const left = lines.filter(({ load }) => load.kind === "waiting" || load.kind === "loading");
  const unknown = left.filter(({ figures }) => figures === null).length;
  const notYet = [
    ...(isCounted ? [] : ["the journal is not read yet"]),
    ...(unknown === 0 ? [] : [`${plural(unknown, "list is", "lists are")} not loaded yet`]),
    ...unreadParts(open).map(({ words }) => words),
  ];
  return notYet.length === 0
    ? "Nothing needs you now."
    : `Nothing needs you so far; ${notYet.join(", ")}.`;
}

function NoSuppliers() {
  const { key } = useApp();
  return (
    <Body>
      <Paragraph>
        {`This profile has no suppliers yet, and the service does not list them. ${key("add")} adds one by its code.`}
      </Paragraph>
    </Body>
  );
}

/** How many suppliers there are, what is being asked for, and how old the figures are. */
function BoardState({ feed }: { readonly feed: BoardFeed }) {
  const { lines, loading, checkedAt, everyMs, paused } = feed;
  const now = useNow(10_000);
  const load = loading?.load;
  const rows = load?.kind === "loading" && load.rows > 0 ? ` ${count(load.rows)} accounts` : "";
  const parts = [
    plural(lines.length, "supplier"),
    loading ? `loading ${loading.supplier}…${rows}` : "",
    checkedAt === null ? "" : checkedWords(checkedAt, now),
    paused ? "paused" : `every ${formatDuration(everyMs)}`,
  ];
  return <Text tone="muted">{parts.filter((part) => part !== "").join("  ")}</Text>;
}

/** The tone of each part of the open work, and the key that leads to it. */
const wayTo: Readonly<Record<OpenKind, readonly [tone: Tone, action: ActionId | null]>> = {
  unknown: ["bad", "activity"],
  "watched-failed": ["bad", "watch-list"],
  gone: ["bad", null],
  "held-back": ["bad", null],
  rejected: ["waiting", "activity"],
  "rejected-rows": ["waiting", "runs"],
  runs: ["waiting", "runs"],
  retryable: ["waiting", "activity"],
  unsent: ["waiting", "activity"],
  watched: ["muted", "watch-list"],
  "entries-unread": ["bad", "activity"],
  "watch-unread": ["bad", "watch-list"],
  "not-loaded": ["bad", null],
  "gone-uncounted": ["muted", null],
};

/**
 * The open work, most serious first, with the key that leads there, then what could not be read.
 * Gone accounts, lists that failed and lists held back have none: their rows are marked, and no key
 * opens a row that the cursor is not on. Empty if nothing is open and the rest is only not counted yet.
 */
function useAttention({ open }: OpenNow): readonly LinePart[] {
  const { key } = useApp();
  const unread = unreadParts(open);
  const known = openParts(open);
  const parts = known.length > 0 || unread.some(({ kind }) => kind !== "gone-uncounted");
  if (!parts) return [];
  const pieces = [...known, ...unread].map(({ kind, words }): LinePart => {
    const [tone, action] = wayTo[kind];
    return [
      { text: words, tone },
      ...(action === null ? [] : [{ text: ` ${key(action)}`, tone: "accent" as const }]),
    ];
  });
  const [first = [], ...rest] = pieces;
  const isOnlyWatched = known.every(({ kind }) => kind === "watched") && unread.length === 0;
  return isOnlyWatched ? pieces : [[{ text: "! ", tone: "bad", bold: true }, ...first], ...rest];
}
