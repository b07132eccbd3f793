import { Box } from "ink";
import { useRef } from "react";
import { useApp } from "../../hooks/app.tsx";
import { useLinear, useRoom } from "../../hooks/window.tsx";
import type { Path } from "../../json/exact.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import { linearSigns } from "../../text/linear-signs.ts";
import { count } from "../../text/numbers.ts";
import { padOrTruncate, wrap } from "../../text/width.ts";
import { useTheme } from "../../theme.tsx";
import { Line, SignedLine, Text } from "../text.tsx";
import { Control, emptyWords, headerNotes, shownText, TextFieldValue } from "./control.tsx";
import { type DrawnLine, helpOf } from "./form-layout.ts";

/**
 * Shows the lines of a form, scrolled so that the line in focus is visible with its issues. The
 * help of that line has the last rows, so that the lines do not move with the cursor. `rows` is the
 * height of the lines and the help together.
 */
export function FormView(props: {
  readonly lines: readonly DrawnLine[];
  readonly rows: number;
  readonly focus: boolean;
  readonly alert: string | null;
  readonly onType: (path: Path, text: string) => void;
}) {
  const { lines, focus, alert } = props;
  const help = helpRows(props.rows);
  const rows = props.rows - 1 - help;
  const linear = useLinear();
  const { key } = useApp();
  const { columns } = useRoom();
  const topLine = useRef(0);
  const position = Math.max(
    0,
    lines.findIndex((line) => line.focused),
  );
  topLine.current = visibleTop(lines, position, rows, topLine.current);
  const top = topLine.current;
  const current = lines[position];
  const sentences =
    alert !== null ? [alert] : current === undefined ? [] : helpOf(current.line, key);
  if (linear) {
    return (
      <>
        {lines.map((line) => (
          <LinearRow key={line.line.id} drawn={line} />
        ))}
        {current && focus ? (
          <LinearRow
            key={`focus ${current.line.id}`}
            drawn={current}
            help={sentences}
            onType={props.onType}
          />
        ) : null}
      </>
    );
  }
  const bottom = bottomOf(lines, top, rows);
  return (
    <>
      <Box flexDirection="column" height={rows} overflow="hidden" flexShrink={0}>
        {lines.slice(top, bottom).map((line) => (
          <FormRow key={line.line.id} drawn={line} focus={focus} onType={props.onType} />
        ))}
      </Box>
      <Text tone="muted" underline>
        {padOrTruncate(hiddenWords(top, lines.length - bottom), columns, { align: "right" })}
      </Text>
      <Box flexDirection="column" height={help} overflow="hidden" flexShrink={0}>
        {wrap(sentences.join(" "), columns)
          .slice(0, help)
          .map((text) => (
            <Text key={text} tone={alert === null ? "plain" : "waiting"} bold={alert !== null}>
              {text}
            </Text>
          ))}
      </Box>
    </>
  );
}

export function helpRows(rows: number): number {
  return rows >= 14 ? 3 : 2;
}

function hiddenWords(above: number, below: number): string {
  return [
    ...(above > 0 ? [`${count(above)} above`] : []),
    ...(below > 0 ? [`${count(below)} below`] : []),
  ].join(", ");
}

/**
 * Returns the index of the first line to show, as near as possible to `previousTop`. The line at
 * `position` is visible with its issues. No row is empty at the end while lines are hidden above.
 */
function visibleTop(
  lines: readonly Pick<DrawnLine, "height">[],
  position: number,
  rows: number,
  previousTop: number,
): number {
  /** Returns the first line from which all lines up to `last` fit, or `last`. */
  const topFor = (last: number) => {
    let used = lines[last]?.height ?? 0;
    let top = last;
    while (top > 0 && used + (lines[top - 1]?.height ?? 0) <= rows) {
      top--;
      used += lines[top]?.height ?? 0;
    }
    return top;
  };
  // The line below is visible, too, because an unfolded section begins there.
  const below = Math.min(position + 1, lines.length - 1);
  const preferred = Math.min(Math.max(previousTop, topFor(below)), position);
  return Math.max(0, Math.min(preferred, topFor(lines.length - 1)));
}

function bottomOf(lines: readonly DrawnLine[], top: number, rows: number): number {
  let used = 0;
  let at = top;
  while (at < lines.length && used < rows) {
    used += lines[at]?.height ?? 0;
    at++;
  }
  return at;
}

function FormRow(props: {
  readonly drawn: DrawnLine;
  readonly focus: boolean;
  readonly onType: (path: Path, text: string) => void;
}) {
  const { drawn } = props;
  const theme = useTheme();
  const focused = props.focus && drawn.focused;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Box flexShrink={0}>
        <Box width={2 + drawn.line.depth * 2} flexShrink={0}>
          <Line pieces={[{ text: focused ? `${theme.cursor} ` : "  ", tone: "accent" }]} />
        </Box>
        <Control drawn={drawn} focused={focused} onType={props.onType} />
      </Box>
      {drawn.below.map(({ text, tone }, index) => (
        <Box
          // biome-ignore lint/suspicious/noArrayIndexKey: the texts have no id
          key={index}
          marginLeft={drawn.indent}
          flexShrink={0}
        >
          <Text tone={tone}>{text}</Text>
        </Box>
      ))}
    </Box>
  );
}

/**
 * Shows a line of a form in words, for linear output. With `onType` the line is in focus. Its
 * issues and hints are printed first, because the line changes as the user types.
 */
function LinearRow(props: {
  readonly drawn: DrawnLine;
  readonly help?: readonly string[];
  readonly onType?: (path: Path, text: string) => void;
}) {
  const { drawn, help = [], onType } = props;
  const { line } = drawn;
  const { key } = useApp();
  const words = wordsOf(drawn, onType !== undefined, key);
  if (onType === undefined) {
    return (
      <>
        <Text>{words}</Text>
        {drawn.focused ? null : <Below drawn={drawn} />}
      </>
    );
  }
  return (
    <>
      <Below drawn={drawn} help={help} />
      {line.kind === "leaf" ? (
        <Box>
          <Text>{`${line.label}:`}</Text>
          <TextFieldValue line={line} width={drawn.valueWidth} onType={onType} />
        </Box>
      ) : (
        <SignedLine sign={linearSigns.current}>{words}</SignedLine>
      )}
    </>
  );
}

function Below(props: { readonly drawn: DrawnLine; readonly help?: readonly string[] }) {
  const { drawn, help = [] } = props;
  const texts = [
    ...(drawn.exact === null ? [] : [drawn.exact]),
    ...drawn.below.map(({ text }) => text),
    ...help,
  ];
  return texts.length === 0 ? null : <Text>{texts.join(" ")}</Text>;
}

function wordsOf(drawn: DrawnLine, focused: boolean, key: KeyWords): string {
  const { line } = drawn;
  switch (line.kind) {
    case "leaf":
      return `${line.label}: ${shownText(line) || emptyWords(line)}`;
    case "review":
      return `Button ${line.label}`;
    case "section":
    case "object":
    case "rows":
    case "row": {
      const folded = "folded" in line && line.folded ? ", folded" : "";
      const inside = drawn.inside > 0 ? `, ${drawn.inside} wrong inside` : "";
      const issues = headerNotes(line, focused, key).map(({ text }) => `, ${text.trim()}`);
      return `${line.label}${folded}${issues.join("")}${inside}`;
    }
  }
}
