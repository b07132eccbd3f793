import { Box } from "ink";
import type { ReactNode } from "react";
import { type Room, RoomProvider, useLinear, useRoom } from "../hooks/window.tsx";
import { useTheme } from "../theme.tsx";
import { useBodyFocus } from "./body.tsx";

/** Terminals at least this wide have room for a preview beside a list. */
const wide = 140;
const narrowest = 48;
const widest = 72;
/** Cells of the line between the list and its preview, with the blanks around it. */
const gap = 3;

/** How the body is shared between a list and the preview of its current row; null without room. */
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

/** What a row of a list has no room for, beside the list and behind a line. */
export function PreviewPane(props: { readonly room: Room; readonly children: ReactNode }) {
  const { room } = props;
  const theme = useTheme();
  const isDrawn = useBodyFocus();
  return (
    <RoomProvider room={room}>
      <Box
        display={isDrawn ? "flex" : "none"}
        borderStyle={theme.ascii ? "classic" : "single"}
        borderTop={false}
        borderBottom={false}
        borderRight={false}
        borderDimColor
        marginLeft={1}
        paddingLeft={1}
        height={room.rows}
        width={room.columns + gap - 1}
      >
        {props.children}
      </Box>
    </RoomProvider>
  );
}
