import { Box } from "ink";
import { useEffect, useMemo, useRef } from "react";
import { Body } from "../../components/body.tsx";
import { DataTable, type TableRow } from "../../components/data-table.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { type LinePart, PartLines, partLines } from "../../components/part-lines.tsx";
import { PreviewPane, usePreviewRooms } from "../../components/preview-pane.tsx";
import { Text } from "../../components/text.tsx";
import { useAsCommand } from "../../hooks/as-command.ts";
import { useSubject } from "../../hooks/custom-keys.tsx";
import { useUnfinishedWork } from "../../hooks/journal.ts";
import { useKeys, useKeyWords } from "../../hooks/keys.tsx";
import { useRested, useRowCursor } from "../../hooks/list-cursor.ts";
import { useNavigation } from "../../hooks/navigation.tsx";
import { useNow } from "../../hooks/now.ts";
import { useSession } from "../../hooks/session.tsx";
import { useWatched } from "../../hooks/watching.ts";
import { useFreshness, useLinear, useRoom } from "../../hooks/window.tsx";
import type { ActionId } from "../../keys/bindings.ts";
import { checkedWords } from "../../text/dates.ts";
import { formatDuration } from "../../text/durations.ts";
import { count, plural } from "../../text/numbers.ts";
import { type Tone, useTheme } from "../../theme.tsx";
import { boardColumns, linearColumns } from "./board-columns.ts";
import { type BoardFeed, type BoardLine, useBoard } from "./board-feed.ts";
import { type ShownSupplier, shownSupplier } from "./board-words.ts";
import { SupplierDetail, SupplierPreview } from "./supplier-detail.tsx";
import { useSupplierList } from "./supplier-list.ts";

const idOf = (code: string) => code;

/**
 * The board: the import suppliers that this profile knows (INTERFACE 4.9 for each), worst first, with
 * what needs someone above them.
 */
export function SuppliersScreen() {
  const key = useKeyWords();
  const navigation = useNavigation();
  const asCommand = useAsCommand();
  const room = useRoom();
  const linear = useLinear();
  const { ascii } = useTheme();
  const { codes, add, remove } = useSupplierList();
  const feed = useBoard(codes);
  const { lines } = feed;
  useFreshness(feed.checkedAt, feed.everyMs * 3);
  const { list, preview } = usePreviewRooms();
  const width = list.columns;
  const attention = partLines(useAttention(lines), linear ? Number.MAX_SAFE_INTEGER : room.columns);
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
            asCommand({ kind: "accounts-list", supplier: current.supplier, state: "all" }, [
              "v1/data-import/all-account-import-processes",
              current.supplier,
            ]),
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
      {attention.length > 0 ? <PartLines lines={attention} /> : <Text>{calmWords(lines)}</Text>}
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

/** That nothing needs anyone, as far as it is known. */
function calmWords(lines: BoardFeed["lines"]): string {
  const left = lines.filter(({ load }) => load.kind === "waiting" || load.kind === "loading");
  const unknown = left.filter(({ figures }) => figures === null).length;
  return unknown === 0
    ? "Nothing needs you now."
    : `Nothing needs you so far; ${plural(unknown, "list is", "lists are")} not loaded yet.`;
}

function NoSuppliers() {
  const key = useKeyWords();
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

/**
 * What needs someone now, most serious first, with the key that leads there. Gone accounts, lists
 * that failed and lists held back have none: their rows are marked, and no key opens a row that the
 * cursor is not on.
 */
function useAttention(lines: readonly BoardLine[]): readonly LinePart[] {
  const key = useKeyWords();
  const { unknown, runs } = useUnfinishedWork(useSession());
  const watched = useWatched().entries.filter(({ finality }) => finality === "ended").length;
  const notLoaded = lines.filter(({ hasFailed }) => hasFailed).length;
  const heldBack = lines.filter(({ figures }) => figures?.history?.heldBack).length;
  const part = (text: string, tone: Tone, action: ActionId | null): LinePart[] =>
    text === ""
      ? []
      : [
          [
            { text, tone },
            ...(action === null ? [] : [{ text: ` ${key(action)}`, tone: "accent" as const }]),
          ],
        ];
  const parts = [
    ...part(
      unknown === 0 ? "" : `${plural(unknown, "entry", "entries")} unknown`,
      "bad",
      "activity",
    ),
    ...part(watched === 0 ? "" : `watched: ${count(watched)} failed`, "bad", "watch-list"),
    ...part(goneWords(lines), "bad", null),
    ...part(notLoaded === 0 ? "" : `${plural(notLoaded, "list")} not loaded`, "bad", null),
    ...part(heldBack === 0 ? "" : `${plural(heldBack, "list")} held back`, "bad", null),
    ...part(runs === 0 ? "" : `${plural(runs, "run")} stopped`, "waiting", "runs"),
  ];
  const [first, ...rest] = parts;
  return first === undefined ? [] : [[{ text: "! ", tone: "bad", bold: true }, ...first], ...rest];
}

/** Gone accounts, and the supplier where there is only one. */
function goneWords(lines: readonly BoardLine[]): string {
  const having = lines.flatMap(({ supplier, figures }) => {
    const gone = figures?.history?.gone;
    return gone && gone.count > 0 ? [{ supplier, ...gone }] : [];
  });
  const [only, another] = having;
  if (only === undefined) return "";
  const sum = having.reduce((all, one) => all + one.count, 0);
  const many = `${having.some(({ atLeast }) => atLeast) ? "at least " : ""}${count(sum)} gone`;
  return another === undefined
    ? `${many} at ${only.supplier}`
    : `${many} at ${count(having.length)} suppliers`;
}
