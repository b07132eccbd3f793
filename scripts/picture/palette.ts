import type { Cell, Grid } from "../../test/helpers/cell.ts";

/** The colors of a terminal whose sixteen colors all read well on its background. */
export interface Palette {
  readonly background: string;
  readonly foreground: string;
  readonly titleBar: string;
  readonly titleText: string;
  readonly normal: readonly string[];
  readonly bright: readonly string[];
}

const dark: Palette = {
  background: "#1a1d23",
  foreground: "#d6dae1",
  titleBar: "#2a2f38",
  titleText: "#9aa3b2",
  normal: words("#3b414d #e86671 #8cc570 #e2b95b #61a8f0 #c98be0 #4fbcc6 #c3c9d3"),
  bright: words("#7d8695 #ff8590 #a9e08d #f6d278 #85c1ff #dfa8f2 #74d8e1 #ffffff"),
};

const light: Palette = {
  background: "#fbfbfa",
  foreground: "#24292f",
  titleBar: "#e6e8eb",
  titleText: "#57606a",
  normal: words("#24292f #c62f39 #2f7d32 #8a6100 #1f62b5 #8a3ba8 #0b7285 #8c959f"),
  bright: words("#57606a #d9434e #3d9440 #a37500 #2f78d0 #a04fc0 #128a9e #ffffff"),
};

export const palettes = { dark, light };

const names = words("black red green yellow blue magenta cyan white");

function words(text: string): readonly string[] {
  return text.split(" ");
}

/** The 256-color cube and its grays, as terminals agree on them. */
function indexed(index: number): string {
  const hex = (value: number) => value.toString(16).padStart(2, "0");
  if (index >= 232) return `#${hex(8 + (index - 232) * 10).repeat(3)}`;
  const steps = [0, 95, 135, 175, 215, 255];
  const at = index - 16;
  const [red, green, blue] = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6];
  return `#${[red, green, blue].map((step) => hex(steps[step] ?? 0)).join("")}`;
}

/** Returns the value of a color by its name on a cell. Throws for a name that no cell has. */
function colorValue(name: string, { normal, bright }: Palette, byDefault: string): string {
  if (name === "default") return byDefault;
  if (name.startsWith("#")) return name;
  const index = /^color-(\d+)$/.exec(name)?.[1];
  if (index !== undefined) return indexed(Number(index));
  const isBright = name.startsWith("bright-");
  const shades = isBright ? bright : normal;
  const value = shades[names.indexOf(isBright ? name.slice("bright-".length) : name)];
  if (value === undefined) throw new RangeError(`no color ${name}`);
  return value;
}

/** Returns the screen with each color as the value that the palette gives it. */
export function painted(grid: Grid, palette: Palette): Grid {
  return {
    cols: grid.cols,
    rows: grid.rows,
    cell: (row, col): Cell => {
      const cell = grid.cell(row, col);
      const ink = colorValue(cell.fg, palette, palette.foreground);
      const paper = colorValue(cell.bg, palette, palette.background);
      const [fg, bg] = cell.inverse ? [paper, ink] : [ink, paper];
      return { ...cell, fg, bg, inverse: false };
    },
  };
}
