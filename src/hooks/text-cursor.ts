import { type DOMElement, measureElement, useCursor } from "ink";
import { type RefObject, useLayoutEffect, useState } from "react";
import { useUnseen, useWindow } from "./window.tsx";

/** Where a box stands on the screen, in cells from 0, and how wide it is. */
interface ScreenPlace {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/**
 * Where a box stands on the screen; null before it has been laid out. It is measured after every
 * frame of its owner, since Ink has laid out a frame only once it is drawn.
 */
export function useScreenPlace(box: RefObject<DOMElement | null>): ScreenPlace | null {
  const [place, setPlace] = useState<ScreenPlace | null>(null);
  useLayoutEffect(() => {
    if (!box.current) return;
    const { x, y, width } = measureElement(box.current);
    setPlace((before) =>
      before?.x === x && before.y === y && before.width === width ? before : { x, y, width },
    );
  });
  return place;
}

/**
 * Puts the terminal's own cursor on a cell of a box, for input methods and screen magnifiers that
 * follow it. It is hidden while nothing asks for it, and where the cell cannot be seen.
 */
export function useTextCursor(
  place: ScreenPlace | null,
  cell: { readonly column: number; readonly row: number },
): void {
  const { setCursorPosition } = useCursor();
  const window = useWindow();
  const unseen = useUnseen();
  const x = (place?.x ?? 0) + cell.column;
  const y = (place?.y ?? 0) + cell.row;
  const isSeen = place !== null && !unseen && x < window.columns && y < window.rows;
  setCursorPosition(isSeen ? { x, y } : undefined);
}
