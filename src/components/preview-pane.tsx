/** Shows a preview beside a list if the terminal is wide enough. */
import { Box, type DOMElement, measureElement } from "ink";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useKeys } from "../hooks/keys.tsx";
import { moving } from "../hooks/list-cursor.ts";
import { type Room, ScreenProvider, useLinear, useRoom } from "../hooks/window.tsx";
import { useBodyFocus } from "./body.tsx";

/** Minimum columns of a terminal for a preview beside a list. */
const wide = 140;
const narrowest = 48;
const widest = 72;
/** The cells of the line between the list and its preview, with the blanks around it. */
const gap = 3;
/** The rows for the layout of a preview that has the focus and scrolls. */
const scrolledRows = 400;

/**
 * Returns the room of a list and the room of its preview. The preview is null if there is no room
 * for it.
 */
export function usePreviewRooms(isEmpty = false): {
  readonly list: Room;
  readonly preview: Room | null;
} {
  const room = useRoom();
  const linear = useLinear();
  if (isEmpty || linear || room.columns < wide) return { list: room, preview: null };
  const columns = Math.max(narrowest, Math.min(widest, Math.floor(room.columns * 0.36)));
  return {
    list: { columns: room.columns - columns - gap, rows: room.rows },
    preview: { columns, rows: room.rows },
  };
}

/**
 * Shows the details of a row beside its list, after a vertical line. A key moves the focus to the
 * preview. Then the cursor keys scroll its whole content.
 */
export function PreviewPane(props: { readonly room: Room; readonly children: ReactNode }) {
  const { room } = props;
  const isDrawn = useBodyFocus();
  const [top, setTop] = useState<number | null>(null);
  const isFocused = top !== null;
  const content = useRef<DOMElement>(null);
  const bounded = (wanted: number) => {
    const height = content.current === null ? 0 : measureElement(content.current).height;
    return Math.max(0, Math.min(wanted, height - room.rows));
  };
  // The content can become shorter.
  useLayoutEffect(() => {
    if (top !== null && bounded(top) !== top) setTop(bounded(top));
  });
  const toList = () => setTop(null);
  useKeys({ preview: () => setTop(0) }, { active: !isFocused });
  useKeys(
    {
      ...moving({
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
          {props.children}
        </Box>
      </Box>
    </ScreenProvider>
  );
}
