/** Draws the box around every overlay, and computes its number of rows. */
import { Box } from "ink";
import type { ReactNode } from "react";
import { ScreenProvider, useLinear, useRoom } from "../../hooks/window.tsx";
import { KeyLevel } from "../../session/key-registry.ts";
import type { Overlay } from "../../session/overlays.ts";
import { padOrTruncate, wrap } from "../../text/width.ts";
import { Paragraph } from "../paragraph.tsx";
import { Text } from "../text.tsx";
import { commandLines } from "./texts.tsx";

/**
 * Draws the box of an overlay over the last rows of a screen: an underlined title and a body. The
 * title of a question can have several lines, so that the user can read all of it.
 */
export function OverlayFrame(props: {
  readonly title: string;
  readonly rows: number;
  readonly isQuestion?: boolean;
  readonly children: ReactNode;
}) {
  const { title, rows, isQuestion = false } = props;
  const { columns } = useRoom();
  if (useLinear()) return <LinearFrame {...props} />;
  const maxLines = isQuestion ? maxTitleRows : 1;
  const lines = wrap(title, columns).slice(0, maxLines);
  const room = { columns, rows: Math.max(1, rows - lines.length) };
  return (
    <ScreenProvider level={KeyLevel.overlay} room={room} coveredRows={0}>
      <Box flexDirection="column" flexShrink={0} width={columns} height={rows} overflow="hidden">
        {lines.map((line, index) => (
          <Text
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
            key={index}
            tone="title"
            // The title is underlined, because a separate line of dashes takes three bytes a cell.
            underline={index === lines.length - 1}
          >
            {index === lines.length - 1 ? padOrTruncate(line, columns) : line}
          </Text>
        ))}
        {props.children}
      </Box>
    </ScreenProvider>
  );
}

function LinearFrame(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <ScreenProvider level={KeyLevel.overlay}>
      <Box flexDirection="column">
        <Paragraph tone="title">{props.title}</Paragraph>
        <Text> </Text>
        {props.children}
      </Box>
    </ScreenProvider>
  );
}

interface Room {
  readonly columns: number;
  readonly rows: number;
}

const maxTitleRows = 3;

const minRowsAbove = 3;

const minPaletteRows = 10;

const largeShare = 0.35;

const problemRows = 3;

export const pathRows = 6;

/**
 * Returns the rows of the box of an overlay, with its title. They do not depend on the typed text,
 * so that nothing moves while the overlay is open. `keyLines` is the number of lines for the keys
 * of the screen.
 */
export function boxRows(overlay: Overlay, room: Room, keyLines: number): number {
  if (overlay.kind === "raw") return room.rows;
  return Math.min(wantedRows(overlay, room, keyLines), room.rows - minRowsAbove);
}

function wantedRows(
  overlay: Exclude<Overlay, { kind: "raw" }>,
  room: Room,
  keyLines: number,
): number {
  const linesOf = (text: string | null) => (text === null ? 0 : wrap(text, room.columns).length);
  const titleRows = (title: string) => Math.min(maxTitleRows, linesOf(title));
  const sharedRows = Math.floor(room.rows * largeShare);
  switch (overlay.kind) {
    case "help":
      return Math.max(sharedRows, 1 + keyLines);
    case "palette":
      return Math.max(minPaletteRows, sharedRows);
    case "as-command":
      return 1 + commandLines(overlay, room.columns).length;
    case "confirm":
      return titleRows(overlay.question) + linesOf(overlay.detail) + 2;
    case "choose":
      return titleRows(overlay.title) + overlay.choices.length;
    case "prompt": {
      const below = overlay.isPath ? pathRows : problemRows;
      return titleRows(overlay.title) + 1 + Math.max(below, linesOf(overlay.hint));
    }
  }
}
