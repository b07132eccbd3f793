import { Box } from "ink";
import type { ReactNode } from "react";
import { ScreenProvider, useRoom } from "../../hooks/window.tsx";
import { KeyLevel } from "../../session/key-registry.ts";
import { Paragraph } from "../paragraph.tsx";
import { Text } from "../text.tsx";

/**
 * What stands in front of a screen: a title and a body in the room of the screen. A question is read
 * before it is answered, so its title takes the lines it needs.
 */
export function OverlayFrame(props: {
  readonly title: string;
  readonly isQuestion?: boolean;
  readonly children: ReactNode;
}) {
  const room = useRoom();
  return (
    <ScreenProvider level={KeyLevel.overlay}>
      <Box flexDirection="column" width={room.columns} height={room.rows} overflow="hidden">
        {props.isQuestion ? (
          <Paragraph tone="title" most={3}>
            {props.title}
          </Paragraph>
        ) : (
          <Text tone="title">{props.title}</Text>
        )}
        <Text> </Text>
        {props.children}
      </Box>
    </ScreenProvider>
  );
}
