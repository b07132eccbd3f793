/** Draws the body of a screen, and reports if the body has the keyboard focus. */
import { Box } from "ink";
import type { ReactNode } from "react";
import { useOverlay } from "../hooks/app.tsx";
import { useActive, useLinear, useRoom } from "../hooks/window.tsx";

/**
 * Draws the body of a screen while the screen is on top. An overlay covers the last rows of the
 * body. In a linear console, which cannot draw over text, the overlay replaces the body.
 */
export function Body(props: { readonly children: ReactNode }) {
  const active = useActive();
  const overlay = useOverlay();
  const room = useRoom();
  const linear = useLinear();
  if (!active || (linear && overlay)) return null;
  return (
    <Box
      flexDirection="column"
      flexShrink={0}
      width={room.columns}
      height={room.rows}
      overflow="hidden"
    >
      {props.children}
    </Box>
  );
}

/**
 * Returns true if fields and menus of a screen receive keys: the screen is on top and no overlay is
 * open.
 */
export function useBodyFocus(): boolean {
  const active = useActive();
  const overlay = useOverlay();
  return active && overlay === null;
}
