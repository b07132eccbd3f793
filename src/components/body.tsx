import { Box } from "ink";
import type { ReactNode } from "react";
import { useOverlay } from "../hooks/app.tsx";
import { useActive, useRoom } from "../hooks/window.tsx";

/** A screen's body: drawn only while the screen is on top and nothing stands in front of it. */
export function Body(props: { readonly children: ReactNode }) {
  const active = useActive();
  const overlay = useOverlay();
  const room = useRoom();
  if (!active || overlay) return null;
  return (
    <Box flexDirection="column" width={room.columns} height={room.rows} overflow="hidden">
      {props.children}
    </Box>
  );
}

/** Whether fields and menus of a screen hear keys: the screen is on top and nothing is in front. */
export function useBodyFocus(): boolean {
  const active = useActive();
  const overlay = useOverlay();
  return active && overlay === null;
}
