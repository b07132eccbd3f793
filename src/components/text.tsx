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
   * True if the text is on the line of the cursor. `bar` is for a bar on that line, which must not
   * become bold.
   */
  readonly selected?: boolean | "bar";
}

/** True inside another Text. Ink draws nested texts as one line, which only the outer one cuts. */
const NestedContext = createContext(false);

/**
 * Writes one line of text to the terminal, and cuts it at the end of its room. All other components
 * use this one, so every string is made safe here. Paragraph wraps long texts.
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
      {safeChildren(props.children, theme.ascii && !nested)}
    </InkText>
  );
  return nested ? text : <NestedContext value={true}>{text}</NestedContext>;
}

/**
 * Returns the safe form of a text. If `isPlainSentence` is true, signs become words for the ASCII
 * mode. In a part of a line they stay, because the output replaces them cell by cell.
 */
function safeChildren(children: ReactNode, isPlainSentence: boolean): ReactNode {
  const safeText = (text: string) => (isPlainSentence ? plainWords(safe(text)) : safe(text));
  if (typeof children === "string") return safeText(children);
  if (!Array.isArray(children)) return children;
  return Children.map(children, (child) => (typeof child === "string" ? safeText(child) : child));
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

export function SignedLine(props: { readonly sign: string; readonly children: string }) {
  return <InkText>{safe(props.children) + props.sign}</InkText>;
}

export function Sign(props: { readonly sign: string }) {
  return <InkText>{props.sign}</InkText>;
}

export interface Piece {
  readonly text: string;
  readonly tone?: Tone;
  readonly bold?: boolean;
  readonly isBar?: true;
}

/** The ASCII signs for the parts of a line-shaped bar that differ from the done part only in color. */
const asciiBarSigns: Readonly<Partial<Record<Tone, string>>> = { waiting: "?", bad: "!" };

function asciiBar({ text, tone = "plain" }: Piece): string {
  return text.replaceAll("━", asciiBarSigns[tone] ?? "━");
}

export function Line(props: {
  readonly pieces: readonly Piece[];
  readonly selected?: boolean;
  readonly underline?: boolean;
}) {
  const { ascii } = useTheme();
  return (
    <Text underline={props.underline ?? false}>
      {joinPieces(props.pieces).map((piece, index) => (
        <Text
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
          key={index}
          {...(piece.tone ? { tone: piece.tone } : {})}
          {...(piece.bold ? { bold: true } : {})}
          {...(props.selected ? { selected: piece.isBar ? "bar" : true } : {})}
        >
          {ascii && piece.isBar ? asciiBar(piece) : piece.text}
        </Text>
      ))}
    </Text>
  );
}

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
 * Blanks have no style, except the gap of a bar, which looks the same on the line of the cursor.
 */
function joinPieces(pieces: readonly Piece[]): readonly Piece[] {
  const result: Piece[] = [];
  for (const original of pieces) {
    const piece =
      original.text.trim() === "" && !original.isBar ? { text: original.text } : original;
    const last = result.at(-1);
    if (last && hasSameStyle(last, piece))
      result[result.length - 1] = { ...last, text: last.text + piece.text };
    else result.push(piece);
  }
  return result;
}

function hasSameStyle(a: Piece, b: Piece): boolean {
  return a.tone === b.tone && a.bold === b.bold && a.isBar === b.isBar;
}

export function samePieces(a: readonly Piece[], b: readonly Piece[]): boolean {
  return (
    a.length === b.length &&
    a.every((piece, at) => {
      const same = b[at];
      return same !== undefined && piece.text === same.text && hasSameStyle(piece, same);
    })
  );
}

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
