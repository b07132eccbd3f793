/**
 * Shows the preview of the row on which the cursor rests: beside its list on a wide terminal, or
 * else below it if the list has lines for that.
 */
import { Box, type DOMElement, measureElement } from "ink";
import { Fragment, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useApp } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { moveActions, useDebounced } from "../../hooks/list-cursor.ts";
import { type Room, ScreenProvider, useLinear, useRoom } from "../../hooks/window.tsx";
import { useBodyFocus } from "../body.tsx";
import type { List } from "./use-list.ts";

const minColumnsBeside = 140;
const minPreviewColumns = 48;
const maxPreviewColumns = 72;
const minRowsBelow = 18;
const gap = 3;
/** The number of rows in which a preview is laid out while it has the focus and scrolls. */
const scrolledRows = 400;

interface PreviewProps<Row> {
  readonly list: List<Row>;
  readonly room: Room;
  readonly shown: (row: Row) => ReactNode;
}

/** The columns of a list, and the room of its preview. At least one of the two rooms is null. */
interface PreviewLayout {
  readonly columns: number;
  readonly beside: Room | null;
  /** The room below the list, with 0 rows while the preview is folded. */
  readonly below: Room | null;
}

/** `rowsBelow` is the number of lines for a preview below the list. */
export function usePreviewLayout(isEmpty: boolean, rowsBelow: number): PreviewLayout {
  const room = useRoom();
  const folded = useStore(useApp().isFolded);
  const none: PreviewLayout = { columns: room.columns, beside: null, below: null };
  if (useLinear() || isEmpty) return none;
  if (room.columns >= minColumnsBeside) {
    const columns = Math.max(
      minPreviewColumns,
      Math.min(maxPreviewColumns, Math.floor(room.columns * 0.36)),
    );
    return {
      columns: room.columns - columns - gap,
      beside: { columns, rows: room.rows },
      below: null,
    };
  }
  return rowsBelow === 0 || room.rows < minRowsBelow
    ? none
    : { ...none, below: { columns: room.columns, rows: folded ? 0 : rowsBelow } };
}

/**
 * Shows the details of a row beside its list, after a vertical line. A key moves the focus to the
 * preview. While the preview has the focus, the cursor keys scroll its content.
 */
export function PreviewBeside<Row>(props: PreviewProps<Row>) {
  const { room } = props;
  const preview = useRestedPreview(props);
  const isDrawn = useBodyFocus();
  const [top, setTop] = useState<number | null>(null);
  const isFocused = top !== null;
  const content = useRef<DOMElement>(null);
  const bounded = (wanted: number) => {
    const height = content.current === null ? 0 : measureElement(content.current).height;
    return Math.max(0, Math.min(wanted, height - room.rows));
  };
  // The content can become shorter while it is scrolled.
  useLayoutEffect(() => {
    if (top !== null && bounded(top) !== top) setTop(bounded(top));
  });
  const toList = () => setTop(null);
  useKeys({ preview: () => setTop(0) }, { active: !isFocused });
  useKeys(
    {
      ...moveActions({
        from: top ?? 0,
        page: room.rows,
        last: scrolledRows,
        to: (next) => setTop(bounded(next)),
      }),
      back: { run: toList, label: "list" },
      list: toList,
    },
    { part: true, active: isFocused },
  );
  return (
    <ScreenProvider room={isFocused ? { ...room, rows: scrolledRows } : room}>
      <Box
        display={isDrawn ? "flex" : "none"}
        flexDirection="column"
        borderStyle={isFocused ? "bold" : "single"}
        borderTop={false}
        borderBottom={false}
        borderRight={false}
        borderDimColor={!isFocused}
        marginLeft={1}
        paddingLeft={1}
        height={room.rows}
        width={room.columns + gap - 1}
        overflow="hidden"
      >
        <Box
          ref={content}
          flexDirection="column"
          flexShrink={0}
          width={room.columns}
          marginTop={-(top ?? 0)}
        >
          {preview}
        </Box>
      </Box>
    </ScreenProvider>
  );
}

/**
 * Shows the preview below its list, with the key that folds it. A folded preview still follows the
 * cursor, so that it is drawn at once when the user unfolds it.
 */
export function PreviewBelow<Row>(props: PreviewProps<Row>) {
  const { room } = props;
  const { isFolded } = useApp();
  const folded = room.rows === 0;
  const preview = useRestedPreview(props);
  useKeys({
    preview: {
      run: () => isFolded.set(!folded),
      label: folded ? "unfold" : "fold",
      help: "Fold or unfold the preview below the list",
    },
  });
  if (folded) return null;
  return (
    <ScreenProvider room={room}>
      <Box height={room.rows} flexShrink={0} flexDirection="column" overflow="hidden">
        {preview}
      </Box>
    </ScreenProvider>
  );
}

function useRestedPreview<Row>({ list, shown }: PreviewProps<Row>): ReactNode {
  const id = list.idAt(list.position);
  const debounced = useDebounced(id === null ? null : { id, row: list.current }, id ?? "");
  if (debounced === null) return null;
  // The row can have changed since the cursor stopped.
  const row = list.at(list.positionOf(debounced.id)) ?? debounced.row;
  return row === null ? null : <Fragment key={debounced.id}>{shown(row)}</Fragment>;
}
