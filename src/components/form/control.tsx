/** Draws one line of a form: a header, a field with its label, or the review button. */
import { Box } from "ink";
import { useRef } from "react";
import { isCode, nextChoice } from "../../forms/fields.ts";
import { useApp } from "../../hooks/app.tsx";
import type { Path } from "../../json/exact.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import { count } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import { padOrTruncate, truncate, widthOf } from "../../text/width.ts";
import { Line, type Piece, Text } from "../text.tsx";
import { TextField } from "../text-field.tsx";
import type { DrawnLine } from "./form-layout.ts";
import type { FormLine, LeafLine } from "./lines.ts";

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
  const { key } = useApp();
  const mark = "folded" in line ? `${line.folded ? "›" : "▼"} ` : "";
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
  readonly line: LeafLine;
  readonly focused: boolean;
  readonly onType: (path: Path, text: string) => void;
}) {
  const { drawn, line, focused, onType } = props;
  const label = padOrTruncate(line.label, drawn.labelWidth - 1);
  const emptyText = line.text.trim() === "" ? emptyWords(line) : "";
  const beside: readonly Piece[] = [
    ...(line.choices.length === 0 ? [] : [{ text: " ▼", tone: "muted" as const }]),
    ...(emptyText === "" ? [] : [{ text: ` ${emptyText}`, tone: "muted" as const }]),
    ...(drawn.exact === null ? [] : [{ text: `  ${drawn.exact}` }]),
  ];
  return (
    <>
      <Box width={drawn.labelWidth} flexShrink={0}>
        <Line pieces={[{ text: label, tone: "muted" }]} />
      </Box>
      {focused ? (
        <TextFieldValue line={line} width={drawn.valueWidth} onType={onType} />
      ) : (
        <Value line={line} width={drawn.valueWidth} />
      )}
      {beside.length === 0 ? null : <Line pieces={beside} />}
    </>
  );
}

/**
 * Returns the width of a field in cells: the width of the text, within a minimum and the available
 * width. The minimum leaves room for the text beside the field.
 */
function fieldWidth({ leaf, text }: LeafLine, width: number): number {
  if (leaf.type === "multiline") return width;
  const minWidth = leaf.type === "boolean" ? 6 : 24;
  return Math.min(width, Math.max(Math.min(minWidth, width - 12), widthOf(safe(text)) + 1));
}

/**
 * Draws the field in focus. The space key selects the next known value until the user types a text.
 */
export function TextFieldValue(props: {
  readonly line: LeafLine;
  readonly width: number;
  readonly onType: (path: Path, text: string) => void;
}) {
  const { line, width, onType } = props;
  const multiline = line.leaf.type === "multiline";
  const isTyping = useRef(false);
  // The newest text might not be drawn yet, because several keys can arrive before the next frame.
  const newest = useRef(line.text);
  newest.current = line.text;
  const set = (text: string) => {
    newest.current = text;
    onType(line.path, text);
  };
  const selectNext = () => {
    const next = isTyping.current ? null : nextChoice(line.choices, newest.current);
    if (next !== null) set(next);
    return next !== null;
  };
  return (
    <TextField
      focus
      edged
      keepsUnseen
      value={line.text}
      multiline={multiline}
      code={isCode(line.leaf)}
      width={fieldWidth(line, width)}
      onKey={(key) => key === "space" && selectNext()}
      onChange={(text) => {
        isTyping.current = text !== "";
        set(text);
      }}
    />
  );
}

const presenceWords = {
  required: "(required)",
  assumed: "(expected)",
  expected: "",
  optional: "",
} as const;

export function emptyWords({ leaf, presence }: LeafLine): string {
  if (leaf.type !== "boolean" || leaf.serviceDefault === undefined) return presenceWords[presence];
  return `not sent (= ${leaf.serviceDefault ? "yes" : "no"})`;
}

function Value({ line, width }: { readonly line: LeafLine; readonly width: number }) {
  const text = shownText(line);
  return (
    <Line
      underline
      pieces={[{ text: padOrTruncate(text, fieldWidth({ ...line, text }, width)) }]}
    />
  );
}

export function shownText({ text }: LeafLine): string {
  if (text.trim() === "") return "";
  const [line = "", ...more] = text.replace(/(?:\r\n|\r|\n)$/, "").split(/\r\n|\r|\n/);
  return more.length === 0 ? line : `${line} … (${count(more.length + 1)} lines)`;
}
