import type { Cell, Grid } from "../../test/helpers/cell.ts";
import { blocksOf, type Lines, linesOf } from "./drawn-glyphs.ts";
import { type Palette, painted } from "./palette.ts";

const fontSize = 13.3;
const cellWidth = 8;
const cellHeight = 17;
/** From the top of a line to the feet of its letters. */
const ascent = 12.6;
const padding = 12;
const barHeight = 32;
const fonts =
  "ui-monospace, 'JetBrains Mono', 'SF Mono', Menlo, 'DejaVu Sans Mono', Consolas, monospace";

export interface PictureOptions {
  /** In the title bar, and what a screen reader reads. */
  readonly title: string;
  readonly palette: Palette;
}

/** Neighbouring cells that look alike. */
interface Run {
  readonly cell: Cell;
  readonly col: number;
  width: number;
  text: string;
}

function escaped(text: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
  };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

/** Without the digits that only make the file longer. */
function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function styleKey(cell: Cell): string {
  const { bold, dim, italic, underline, strikethrough } = cell;
  return [cell.fg, cell.bg, bold, dim, italic, underline, strikethrough].join();
}

function isDrawn(chars: string): boolean {
  return blocksOf(chars) !== null || linesOf(chars) !== null;
}

/**
 * The runs of one row. A wide character, one that the picture draws, and one outside ASCII each
 * stand alone, so that a font which draws it narrower or wider moves nothing after it.
 */
function runsOf(grid: Grid, row: number): Run[] {
  const runs: Run[] = [];
  let open: Run | null = null;
  for (let col = 0; col < grid.cols; col++) {
    const cell = grid.cell(row, col);
    if (cell.width === 0) continue;
    const chars = cell.chars === "" ? " " : cell.chars;
    const alone = !/^[ -~]$/.test(chars);
    if (!alone && open && styleKey(open.cell) === styleKey(cell)) {
      open.width += cell.width;
      open.text += chars;
      continue;
    }
    const run = { cell, col, width: cell.width, text: chars };
    runs.push(run);
    open = alone ? null : run;
  }
  return runs;
}

function paperRect(run: Run, x: number, y: number, { background }: Palette): string {
  const paper = run.cell.bg;
  if (paper === background) return "";
  return `<rect x="${number(x)}" y="${number(y)}" width="${number(run.width * cellWidth)}" height="${cellHeight}" fill="${paper}" shape-rendering="crispEdges"/>`;
}

function linePath(lines: Lines, x: number, y: number): string {
  const [left, right, top, bottom] = [x, x + cellWidth, y, y + cellHeight].map(number);
  const [middleX, middleY] = [number(x + cellWidth / 2), number(y + cellHeight / 2)];
  const ends: Record<string, string> = {
    l: `${left} ${middleY}`,
    r: `${right} ${middleY}`,
    u: `${middleX} ${top}`,
    d: `${middleX} ${bottom}`,
  };
  const reached = [...lines.sides].map((side) => ends[side] ?? "");
  if (lines.rounded) return `M${reached[0]}Q${middleX} ${middleY} ${reached[1]}`;
  return reached.map((end) => `M${middleX} ${middleY}L${end}`).join("");
}

function drawnShape(run: Run, x: number, y: number): string {
  const ink = run.cell.fg;
  const faint = run.cell.dim ? 0.6 : 1;
  const lines = linesOf(run.text);
  if (lines) {
    const opacity = faint < 1 ? ` opacity="${faint}"` : "";
    return `<path d="${linePath(lines, x, y)}" stroke="${ink}" stroke-width="${lines.weight}" stroke-linecap="square" fill="none"${opacity}/>`;
  }
  const rects = (blocksOf(run.text) ?? []).map((block) => {
    const opacity = block.opacity * faint;
    const fill = opacity < 1 ? ` fill-opacity="${number(opacity)}"` : "";
    return `<rect x="${number(x + block.x * cellWidth)}" y="${number(y + block.y * cellHeight)}" width="${number(block.width * cellWidth)}" height="${number(block.height * cellHeight)}" fill="${ink}"${fill} shape-rendering="crispEdges"/>`;
  });
  return rects.join("");
}

function textElement(run: Run, x: number, y: number): string {
  const { bold, dim, italic, underline, strikethrough } = run.cell;
  const shown = underline || strikethrough ? run.text : run.text.trimEnd();
  if (shown.trim() === "" && !underline && !strikethrough) return "";
  const lead = underline || strikethrough ? 0 : shown.length - shown.trimStart().length;
  const text = shown.slice(lead);
  const cells = run.width === run.cell.width ? run.width : text.length;
  const decoration = [underline && "underline", strikethrough && "line-through"].filter(Boolean);
  const attributes = [
    `x="${number(x + lead * cellWidth)}"`,
    `y="${number(y + ascent)}"`,
    `textLength="${number(cells * cellWidth)}"`,
    `fill="${run.cell.fg}"`,
    bold && 'font-weight="bold"',
    italic && 'font-style="italic"',
    dim && 'opacity="0.6"',
    decoration.length > 0 && `text-decoration="${decoration.join(" ")}"`,
  ].filter(Boolean);
  return `<text ${attributes.join(" ")}>${escaped(text)}</text>`;
}

function titleElements(cols: number, { title, palette }: PictureOptions): string[] {
  const width = cols * cellWidth + padding * 2;
  const middle = barHeight / 2;
  const lights = ["#ed6a5e", "#f4be4f", "#61c554"].map(
    (fill, index) => `<circle cx="${18 + index * 20}" cy="${middle}" r="6" fill="${fill}"/>`,
  );
  return [
    `<path d="M0 ${barHeight}V8a8 8 0 0 1 8-8H${number(width - 8)}a8 8 0 0 1 8 8V${barHeight}z" fill="${palette.titleBar}"/>`,
    ...lights,
    `<text x="${number(width / 2)}" y="${middle + 4.5}" text-anchor="middle" font-size="13" fill="${palette.titleText}">${escaped(title)}</text>`,
  ];
}

/** The elements of a screen: backgrounds first, then what is drawn on them. */
function elementsOf(screen: Grid, palette: Palette): readonly string[] {
  const grid = painted(screen, palette);
  const papers: string[] = [];
  const inks: string[] = [];
  for (let row = 0; row < grid.rows; row++) {
    const y = barHeight + padding + row * cellHeight;
    for (const run of runsOf(grid, row)) {
      const x = padding + run.col * cellWidth;
      papers.push(paperRect(run, x, y, palette));
      inks.push(isDrawn(run.text) ? drawnShape(run, x, y) : textElement(run, x, y));
    }
  }
  return [...papers, ...inks];
}

/** An SVG file of the size of a screen. */
function fileOf(
  grid: Grid,
  { title, palette }: PictureOptions,
  content: readonly string[],
): string {
  const width = grid.cols * cellWidth + padding * 2;
  const height = grid.rows * cellHeight + padding * 2 + barHeight;
  const size = `width="${number(width)}" height="${number(height)}"`;
  const label = escaped(title);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${number(width)} ${number(height)}" role="img" aria-label="${label}" font-family="${fonts}" font-size="${fontSize}" xml:space="preserve">`,
    `<title>${label}</title>`,
    `<rect ${size} rx="8" fill="${palette.background}"/>`,
    ...content.filter((line) => line !== ""),
    "</svg>",
    "",
  ].join("\n");
}

/** A picture of a screen, as the text of an SVG file. The same screen gives the same text. */
export function svgOf(grid: Grid, options: PictureOptions): string {
  return fileOf(grid, options, [
    ...titleElements(grid.cols, options),
    ...elementsOf(grid, options.palette),
  ]);
}

/** A screen as it is now; the terminal can change. */
export function stillOf(grid: Grid): Grid {
  const { cols, rows } = grid;
  const cells = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: cols }, (_, col) => grid.cell(row, col)),
  );
  const at = (row: number, col: number) => {
    const found = cells[row]?.[col];
    if (found === undefined) throw new RangeError(`no cell at ${row}, ${col}`);
    return found;
  };
  return { cols, rows, cell: at };
}

/** One screen of an animation, with its words in the title bar. */
export interface Frame {
  readonly grid: Grid;
  readonly caption: string;
  readonly seconds: number;
}

/**
 * Screens that follow one another, as one SVG file that plays without a script. A viewer without
 * animation, or a reader who wants no motion, sees the last one.
 */
export function animatedSvg(frames: readonly [Frame, ...Frame[]], options: PictureOptions): string {
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  const percent = (seconds: number) => `${number((seconds / total) * 100)}%`;
  let begin = 0;
  const rules = frames.map(({ seconds }, n) => {
    const [from, to] = [percent(begin), percent(begin + seconds)];
    begin += seconds;
    const before = n === 0 ? "" : "0%{opacity:0}";
    const after = n === frames.length - 1 ? "100%{opacity:1}" : `${to},100%{opacity:0}`;
    return `@keyframes f${n}{${before}${from}{opacity:1}${after}}#f${n}{animation:f${n} ${total}s step-end infinite}`;
  });
  const last = `#f${frames.length - 1}`;
  return fileOf(frames[0].grid, options, [
    `<style>.f{opacity:0}${last}{opacity:1}${rules.join("")}@media (prefers-reduced-motion:reduce){.f{animation:none!important}}</style>`,
    ...frames.flatMap(({ grid, caption }, n) => [
      `<g class="f" id="f${n}">`,
      ...titleElements(grid.cols, { ...options, title: caption }),
      ...elementsOf(grid, options.palette),
      "</g>",
    ]),
  ]);
}
