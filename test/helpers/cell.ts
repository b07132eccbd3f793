import type { IBufferCell } from "@xterm/headless";

const colorNames = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/** One cell of the screen as a person sees it. */
export interface Cell {
  /** The character with everything combined into it; empty in the right half of a wide one. */
  readonly chars: string;
  /** Cells taken: 2 for a wide character, 0 for the cell in its right half. */
  readonly width: number;
  /** `default`, `red` … `bright-white`, `color-16` … `color-255`, or `#rrggbb`. */
  readonly fg: string;
  readonly bg: string;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
  readonly strikethrough: boolean;
}

/** A screen that can be read cell by cell; rows and columns count from 0. */
export interface Grid {
  readonly cols: number;
  readonly rows: number;
  cell(row: number, col: number): Cell;
}

function colorName(kind: "default" | "palette" | "rgb", value: number): string {
  if (kind === "default") return "default";
  if (kind === "rgb") return `#${value.toString(16).padStart(6, "0")}`;
  const name = colorNames[value % 8];
  if (value < 8 && name) return name;
  if (value < 16 && name) return `bright-${name}`;
  return `color-${value}`;
}

/** Reads one cell of the emulator's buffer. */
export function readCell(cell: IBufferCell): Cell {
  return {
    chars: cell.getChars(),
    width: cell.getWidth(),
    fg: colorName(
      cell.isFgDefault() ? "default" : cell.isFgRGB() ? "rgb" : "palette",
      cell.getFgColor(),
    ),
    bg: colorName(
      cell.isBgDefault() ? "default" : cell.isBgRGB() ? "rgb" : "palette",
      cell.getBgColor(),
    ),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
    inverse: cell.isInverse() !== 0,
    strikethrough: cell.isStrikethrough() !== 0,
  };
}
