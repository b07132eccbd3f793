/** The components that write text to the terminal. They make untrusted text safe. */
import { Box, Text as InkText } from "ink";
import { Children, createContext, type ReactNode, useContext } from "react";
import { useRoom } from "../hooks/window.tsx";
import type { StatusWords } from "../text/describe-status.ts";
import { safe } from "../text/sanitize.ts";
import { plainWords, truncate, widthOf } from "../text/width.ts";
import { type Tone, useTheme } from "../theme.tsx";

export interface TextProps {
  readonly children?: ReactNode;
  readonly tone?: Tone;
  readonly bold?: boolean;
  readonly inverse?: boolean;
  readonly underline?: boolean;
  /**
   * True if the text is on the line of the cursor, or `bar` for a bar, which is never bold there.
   */
  readonly selected?: boolean | "bar";
}

/** True inside another Text. Ink draws both as one line, and only the outermost can truncate. */
const NestedContext = createContext(false);

/**
 * Writes text to the terminal. All other components use it, so every string is made safe here. A
 * line is cut at the end of its room. Paragraph wraps.
 */
export function Text(props: TextProps) {
  const theme = useTheme();
  const nested = useContext(NestedContext);
  const style = theme.style(props.tone ?? "plain", props.selected ?? false);
  const text = (
    <InkText
      {...style}
      {...(props.bold === undefined ? {} : { bold: props.bold })}
      {...(props.inverse === undefined ? {} : { inverse: props.inverse })}
      {...(props.underline === undefined ? {} : { underline: props.underline })}
      wrap="truncate"
    >
      {gated(props.children, theme.ascii && !nested)}
    </InkText>
  );
  return nested ? text : <NestedContext value={true}>{text}</NestedContext>;
}

/**
 * Returns the safe form of a text. In ASCII mode, signs in a sentence become words. A part of a
 * line keeps its width, because the output replaces its signs cell by cell.
 */
function gated(children: ReactNode, isPlainSentence: boolean): ReactNode {
  const gate = (text: string) => (isPlainSentence ? plainWords(safe(text)) : safe(text));
  if (typeof children === "string") return gate(children);
  if (!Array.isArray(children)) return children;
  return Children.map(children, (child) => (typeof child === "string" ? gate(child) : child));
}

/** Shows a status as a mark, a word and a tone, so that color is never the only sign. */
export function StatusBadge(props: { readonly words: StatusWords }) {
  const { mark, label, tone } = props.words;
  return (
    <Text tone={tone} bold>
      {`${mark} ${label}`}
    </Text>
  );
}

/** Shows a line of the linear console with the sign of its kind (see `linearSigns`). */
export function SignedLine(props: { readonly sign: string; readonly children: string }) {
  return <InkText>{safe(props.children) + props.sign}</InkText>;
}

/** Shows the sign alone, in the line of the text beside it. */
export function Sign(props: { readonly sign: string }) {
  return <InkText>{props.sign}</InkText>;
}

/** A part of a line with one style. */
export interface Piece {
  readonly text: string;
  readonly tone?: Tone;
  readonly bold?: boolean;
  /** True for a part of a bar. Default: false. */
  readonly isBar?: true;
}

/** Shows one line made of pieces. `selected` is true for the line of the cursor. */
export function Line(props: {
  readonly pieces: readonly Piece[];
  readonly selected?: boolean;
  readonly underline?: boolean;
}) {
  return (
    <Text underline={props.underline ?? false}>
      {joined(props.pieces).map((piece, index) => (
        <Text
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
          key={index}
          {...(piece.tone ? { tone: piece.tone } : {})}
          {...(piece.bold ? { bold: true } : {})}
          {...(props.selected ? { selected: piece.isBar ? "bar" : true } : {})}
        >
          {piece.text}
        </Text>
      ))}
    </Text>
  );
}

/** The blanks between two parts of the header, or of the last line of a list. */
export const partGap = "  ";

/**
 * Returns the parts that fit into `width` cells with gaps between them, in their order. The highest
 * `drop` is left out first. A part with 0 always stays.
 */
export function fittingParts<P extends Piece>(
  parts: readonly { readonly piece: P; readonly drop: number }[],
  width: number,
): readonly { readonly piece: P }[] {
  let shown = parts.filter(({ piece }) => piece.text !== "");
  const used = () =>
    shown.reduce((sum, { piece }) => sum + widthOf(piece.text + partGap), -partGap.length);
  while (used() > width) {
    const highest = Math.max(...shown.map(({ drop }) => drop));
    if (highest === 0) break;
    const last = shown.findLastIndex(({ drop }) => drop === highest);
    shown = shown.toSpliced(last, 1);
  }
  return shown;
}

/** Shows lines below each other. */
export function Lines(props: { readonly lines: readonly (readonly Piece[])[] }) {
  return (
    <Box flexDirection="column" flexShrink={0}>
      {props.lines.map((pieces, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <Line key={at} pieces={pieces} />
      ))}
    </Box>
  );
}

/** The cells of a rule before its title. */
const beforeTitle = 2;

/**
 * Shows a rule with a title, and a text at its right end. The lines below the rule are about one
 * row above it.
 */
export function RuleLine(props: { readonly title: string; readonly right: string }) {
  const { columns } = useRoom();
  const right = props.right === "" ? "" : ` ${props.right}`;
  const title = truncate(props.title, Math.max(8, columns - beforeTitle - widthOf(right) - 4));
  const rest = columns - beforeTitle - widthOf(title) - widthOf(right) - 2;
  return (
    <Line
      pieces={[
        { text: `${"─".repeat(beforeTitle)} `, tone: "muted" },
        { text: title, tone: "title" },
        { text: ` ${"─".repeat(Math.max(0, rest))}`, tone: "muted" },
        { text: right },
      ]}
    />
  );
}

/**
 * Joins neighbors of the same style into one piece, because each piece slows down every frame.
 * Blanks have no style.
 */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const out: Piece[] = [];
  for (const given of pieces) {
    const piece = given.text.trim() === "" ? { text: given.text } : given;
    const last = out.at(-1);
    if (last && sameLook(last, piece))
      out[out.length - 1] = { ...last, text: last.text + piece.text };
    else out.push(piece);
  }
  return out;
}

function sameLook(one: Piece, other: Piece): boolean {
  return one.tone === other.tone && one.bold === other.bold && one.isBar === other.isBar;
}

/** Returns true if two lines are drawn the same way. */
export function samePieces(one: readonly Piece[], other: readonly Piece[]): boolean {
  return (
    one.length === other.length &&
    one.every((piece, at) => {
      const same = other[at];
      return same !== undefined && piece.text === same.text && sameLook(piece, same);
    })
  );
}

/** A part of a line. It is never broken over two lines. */
export type LinePart = readonly Piece[];

/**
 * Lays out parts side by side, `gap` cells apart. A part that does not fit starts the next line.
 */
export function partLines(
  parts: readonly LinePart[],
  width: number,
  gap = 3,
): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [];
  let used = 0;
  for (const part of parts) {
    const cells = part.reduce((sum, { text }) => sum + widthOf(text), 0);
    const line = lines.at(-1);
    if (cells === 0) continue;
    if (line && used + gap + cells <= width) {
      line.push({ text: " ".repeat(gap) }, ...part);
      used += gap + cells;
    } else {
      lines.push([...part]);
      used = cells;
    }
  }
  return lines;
}
