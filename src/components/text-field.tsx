/** A text field with an editable line or several rows, for forms, filters and prompts. */
import { Box, type DOMElement } from "ink";
import TextInput from "ink-text-input";
import { useRef } from "react";
import type { LineState, TextKind } from "../forms/line-editor.ts";
import { lineView, masked, maxRowsShown, rowAt, rowsOf } from "../forms/line-view.ts";
import { useApp } from "../hooks/app.tsx";
import { useKeys } from "../hooks/keys.tsx";
import { useLinear, useRoom } from "../hooks/window.tsx";
import { linearSigns } from "../text/linear-signs.ts";
import { plural } from "../text/numbers.ts";
import { safe } from "../text/sanitize.ts";
import { widthOf } from "../text/width.ts";
import { Line, type Piece, Sign, Text } from "./text.tsx";
import { useLineEditor, useScreenPlace, useTextCursor } from "./text-editing.ts";

interface TextFieldProps extends TextKind {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly focus: boolean;
  readonly placeholder?: string;
  readonly secret?: boolean;
  /**
   * True if invisible characters stay in the text and are shown by their code points, so that a
   * validation can report them. Default: false.
   */
  readonly keepsUnseen?: boolean;
  readonly width?: number;
  /** Called with every key before the editor. Returns true if it handled the key. */
  readonly onKey?: (key: string) => boolean;
  /** Underlines all cells of the field, even of an empty one. Requires `width`. */
  readonly edged?: boolean;
}

/**
 * Shows a text field. While it is in focus, the line editor changes its text (see
 * `src/keys/editing.ts`), and the terminal's cursor is at the position of the next character. A
 * paste is cleaned by {@link pastedText}. Invisible characters are left out and reported, unless
 * `keepsUnseen` is set.
 */
export function TextField(props: TextFieldProps) {
  if (props.focus) return <EditedField {...props} />;
  return <ShownField {...props} />;
}

/** Shows the value of a field without the focus, or its placeholder, cut to one line. */
function ShownField(
  props: Pick<TextFieldProps, "value" | "placeholder" | "secret" | "edged" | "width">,
) {
  const linear = useLinear();
  const { edged = false, width = 0 } = props;
  const text = props.value === "" ? (props.placeholder ?? "") : safe(props.value);
  const rest = edged && !linear ? " ".repeat(Math.max(0, width - widthOf(text))) : "";
  return (
    <Text underline={edged && !linear}>
      <TextInput
        value={props.secret ? props.value : safe(props.value)}
        focus={false}
        showCursor={false}
        placeholder={linear ? "" : (props.placeholder ?? "")}
        {...(props.secret ? { mask } : {})}
        onChange={() => {}}
      />
      {rest}
    </Text>
  );
}

function EditedField(props: TextFieldProps) {
  const { multiline = false, code = false, keepsUnseen = false } = props;
  const { notices } = useApp();
  const linear = useLinear();
  const room = useRoom();
  const box = useRef<DOMElement>(null);
  const place = useScreenPlace(box);
  const width = props.width ?? place?.width ?? room.columns;
  const { value, onChange } = props;
  const editor = useLineEditor({
    value,
    onChange,
    textKind: { multiline, code },
    keepsUnseen,
    width,
  });
  useKeys(
    {},
    {
      typing: true,
      onKey: (key) => (props.onKey?.(key) ?? false) || editor.press(key),
      onPaste: (text) => {
        const removed = editor.paste(text);
        if (removed > 0) {
          notices.show(`Left out ${plural(removed, "character")} that cannot be seen.`, "waiting");
        }
      },
    },
  );
  if (linear) return <LinearLine line={editor.line} secret={props.secret ?? false} />;
  return (
    <Box
      ref={box}
      flexDirection="column"
      {...(props.width === undefined ? { flexGrow: 1 } : { width, flexShrink: 0 })}
    >
      {multiline ? (
        <EditedRows {...props} line={editor.line} place={place} width={width} />
      ) : (
        <EditedLine {...props} line={editor.line} place={place} width={width} />
      )}
    </Box>
  );
}

/** Shows the typed line up to the insertion point, because a linear console continues there. */
function LinearLine(props: { readonly line: LineState; readonly secret: boolean }) {
  const { text, cursor } = shownText(props.line, props.secret);
  const before = text.slice(0, cursor);
  return (
    <>
      <Text>{before.slice(before.search(/[^\r\n]*$/))}</Text>
      <Sign sign={linearSigns.typed} />
    </>
  );
}

type EditedProps = TextFieldProps & {
  readonly line: LineState;
  readonly place: ReturnType<typeof useScreenPlace>;
  readonly width: number;
};

function EditedLine(props: EditedProps) {
  const from = useRef(0);
  const { text, cursor } = shownText(props.line, props.secret ?? false);
  const view = lineView(text, cursor, { width: props.width, from: from.current });
  from.current = view.from;
  useTextCursor(props.place, { column: view.column, row: 0 });
  if (text === "" && props.placeholder) return <ShownField {...props} value="" />;
  const mark = (isCut: boolean): readonly Piece[] => (isCut ? [{ text: "…", tone: "muted" }] : []);
  const pieces = [...mark(view.before), { text: view.shown }, ...mark(view.after)];
  if (!props.edged) return <Line pieces={pieces} />;
  const used = pieces.reduce((cells, { text }) => cells + widthOf(text), 0);
  const rest = { text: " ".repeat(Math.max(0, props.width - used)) };
  return <Line underline pieces={[...pieces, rest]} />;
}

function EditedRows(props: EditedProps) {
  const top = useRef(0);
  const { text, cursor } = props.line;
  const rows = rowsOf(text, props.width);
  const { row, column } = rowAt(rows, text, cursor);
  const lowest = Math.max(0, Math.min(row, rows.length - maxRowsShown));
  top.current = Math.min(Math.max(top.current, row - maxRowsShown + 1), lowest);
  useTextCursor(props.place, { column, row: row - top.current });
  if (text === "" && props.placeholder) return <ShownField {...props} value="" />;
  return rows.slice(top.current, top.current + maxRowsShown).map(({ start, end }) => {
    const cells = safe(text.slice(start, end));
    const padded = props.edged ? cells.padEnd(cells.length + props.width - widthOf(cells)) : cells;
    return (
      <Text key={start} underline={props.edged ?? false}>
        {padded === "" ? " " : padded}
      </Text>
    );
  });
}

function shownText(line: LineState, isSecret: boolean): Pick<LineState, "text" | "cursor"> {
  return isSecret ? masked(line.text, line.cursor, mask) : line;
}

const mask = "•";
