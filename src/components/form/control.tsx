import { Box } from "ink";
import { useApp } from "../../hooks/app.tsx";
import type { Path } from "../../json/exact.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import { count } from "../../text/numbers.ts";
import { safe } from "../../text/sanitise.ts";
import { padOrTruncate, truncate, widthOf } from "../../text/width.ts";
import { useTheme } from "../../theme.tsx";
import { Line, type Piece, Text } from "../text.tsx";
import { TextField } from "../text-field.tsx";
import { type DrawnLine, isTyped } from "./drawn-line.ts";
import type { FormLine } from "./lines.ts";

/** What stands in a line of a form: a header, a value with its label, or the button. */
export function Control(props: {
  readonly drawn: DrawnLine;
  readonly focused: boolean;
  readonly onType: (path: Path, text: string) => void;
}) {
  const { drawn, focused } = props;
  const { line } = drawn;
  if (line.kind === "leaf") return <Leaf {...props} line={line} />;
  if (line.kind === "review") {
    return (
      <Box marginLeft={drawn.labelWidth} flexShrink={0}>
        <Text tone="title" selected={focused}>{`[ ${line.label} ]`}</Text>
      </Box>
    );
  }
  return <Header drawn={drawn} line={line} focused={focused} />;
}

type HeaderLine = Exclude<FormLine, { kind: "leaf" | "review" }>;

function Header(props: {
  readonly drawn: DrawnLine;
  readonly line: HeaderLine;
  readonly focused: boolean;
}) {
  const { drawn, line, focused } = props;
  const { glyphs } = useTheme();
  const { key } = useApp();
  const mark = "folded" in line ? `${line.folded ? glyphs.separator : glyphs.down} ` : "";
  const pieces: Piece[] = [
    { text: mark, tone: "muted" },
    { text: line.label, bold: focused || line.kind === "section" },
    ...headerNotes(line, focused, key),
  ];
  if (drawn.inside > 0) {
    pieces.push({ text: `  ${count(drawn.inside)} wrong inside`, tone: "bad" });
  }
  return <Line pieces={pieces} />;
}

export function headerNotes(line: HeaderLine, focused: boolean, key: KeyWords): readonly Piece[] {
  switch (line.kind) {
    case "section":
    case "rows": {
      const { rows } = line;
      if (rows === null) return [];
      const adds = focused || rows.count === 0 ? `  ${key("add")} adds one` : "";
      const sum = rows.sum === null ? "" : `  sum ${rows.sum}`;
      return [{ text: `  ${count(rows.count)}${sum}${adds}`, tone: "muted" }];
    }
    case "object":
      return line.folded && !line.filled ? [{ text: "  nothing filled in", tone: "muted" }] : [];
    case "row":
      return line.title === "" ? [] : [{ text: `  ${truncate(line.title, 40)}`, tone: "muted" }];
  }
}

function Leaf(props: {
  readonly drawn: DrawnLine;
  readonly line: Extract<FormLine, { kind: "leaf" }>;
  readonly focused: boolean;
  readonly onType: (path: Path, text: string) => void;
}) {
  const { drawn, line, focused, onType } = props;
  const { ascii, glyphs } = useTheme();
  const label = padOrTruncate(line.label, drawn.labelWidth - 1, { ascii });
  const missing = line.text.trim() === "" ? presenceWords[line.presence] : "";
  const beside: readonly Piece[] = [
    ...(isTyped(line) ? [] : [{ text: ` ${glyphs.down}`, tone: "muted" as const }]),
    ...(isTyped(line) && missing !== "" ? [{ text: ` ${missing}`, tone: "muted" as const }] : []),
    ...(drawn.exact === null ? [] : [{ text: `  ${drawn.exact}` }]),
  ];
  return (
    <>
      <Box width={drawn.labelWidth} flexShrink={0}>
        <Text tone="muted">{label}</Text>
      </Box>
      {focused && isTyped(line) ? (
        <Typed line={line} width={drawn.valueWidth} onType={onType} />
      ) : (
        <Value line={line} width={drawn.valueWidth} focused={focused} />
      )}
      {beside.length === 0 ? null : <Line pieces={beside} />}
    </>
  );
}

/** Cells of a field whose text is short. */
const fieldCells = 24;

/** The cells of a field: as wide as its text, as far as there is room for what stands beside it. */
function cellsOf(text: string, width: number): number {
  return Math.min(width, Math.max(Math.min(fieldCells, width - 12), widthOf(safe(text)) + 1));
}

/** A field that is being typed into. */
export function Typed(props: {
  readonly line: Extract<FormLine, { kind: "leaf" }>;
  readonly width: number;
  readonly onType: (path: Path, text: string) => void;
}) {
  const { line, width, onType } = props;
  const multiline = line.leaf.type === "multiline";
  return (
    <TextField
      focus
      edged
      keepsUnseen
      value={line.text}
      multiline={multiline}
      width={multiline ? width : cellsOf(line.text, width)}
      onChange={(text) => onType(line.path, text)}
    />
  );
}

const presenceWords = {
  required: "(required)",
  assumed: "(expected)",
  expected: "",
  optional: "",
} as const;

/** A value that is not being typed; the edge of a field shows where text can go. */
function Value(props: {
  readonly line: Extract<FormLine, { kind: "leaf" }>;
  readonly width: number;
  readonly focused: boolean;
}) {
  const { line, width, focused } = props;
  const { ascii, glyphs } = useTheme();
  const { text, empty } = shownValue(line, glyphs.ellipsis);
  if (isTyped(line)) {
    const multiline = line.leaf.type === "multiline";
    const shown = empty ? "" : text;
    const cells = multiline ? width : cellsOf(shown, width);
    return <Text underline>{padOrTruncate(shown, cells, { ascii })}</Text>;
  }
  return (
    <Text {...(empty ? { tone: "muted" as const } : {})} bold={focused}>
      {truncate(text, width - 2, { ascii })}
    </Text>
  );
}

export function shownValue(
  line: Extract<FormLine, { kind: "leaf" }>,
  ellipsis: string,
): {
  readonly text: string;
  readonly empty: boolean;
} {
  const { leaf, text } = line;
  if (text.trim() === "") {
    const needed = presenceWords[line.presence];
    if (needed !== "") return { text: needed, empty: true };
    const standard =
      leaf.type === "boolean" && leaf.standard !== undefined
        ? `; the service takes ${leaf.standard ? "yes" : "no"}`
        : "";
    const choice = leaf.type === "boolean" || leaf.type === "enumeration";
    return { text: choice ? `(not sent${standard})` : "", empty: true };
  }
  if (leaf.type === "boolean") {
    const word = text === "true" ? "yes" : text === "false" ? "no" : text;
    return { text: word, empty: false };
  }
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.length === 1) return { text, empty: false };
  return { text: `${lines[0] ?? ""} ${ellipsis} (${count(lines.length)} lines)`, empty: false };
}
