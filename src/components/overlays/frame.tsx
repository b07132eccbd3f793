/** Draws the box around every overlay. */
import { Box } from "ink";
import type { ReactNode } from "react";
import { ScreenProvider, useLinear, useRoom } from "../../hooks/window.tsx";
import { KeyLevel } from "../../session/key-registry.ts";
import { padOrTruncate, wrap } from "../../text/width.ts";
import { Paragraph } from "../paragraph.tsx";
import { Text } from "../text.tsx";
import { mostTitleRows } from "./box-rows.ts";

/**
 * Draws the box of an overlay over the last rows of a screen: an underlined title and a body. The
 * title of a question uses several lines if needed, because it must be readable in full.
 */
export function OverlayFrame(props: {
  readonly title: string;
  readonly rows: number;
  readonly isQuestion?: boolean;
  readonly children: ReactNode;
}) {
  // An underline costs one byte for each cell. A separate line costs three.
  const { title, rows, isQuestion = false } = props;
  const { columns } = useRoom();
  if (useLinear()) return <LinearFrame {...props} />;
  const most = isQuestion ? mostTitleRows : 1;
  const lines = wrap(title, columns).slice(0, most);
  const room = { columns, rows: Math.max(1, rows - lines.length) };
  return (
    <ScreenProvider level={KeyLevel.overlay} room={room} covered={0}>
      <Box flexDirection="column" flexShrink={0} width={columns} height={rows} overflow="hidden">
        {lines.map((line, at) => (
          <Text
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
            key={at}
            tone="title"
            underline={at === lines.length - 1}
          >
            {at === lines.length - 1 ? padOrTruncate(line, columns) : line}
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
