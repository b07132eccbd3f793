/** The overlays that show a text to read: a raw response or body, or the screen as a command. */
import { Box } from "ink";
import { useMemo } from "react";
import { useApp } from "../../hooks/app.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useScroll } from "../../hooks/list-cursor.ts";
import { useRoom } from "../../hooks/window.tsx";
import type { AsCommand, RawText } from "../../session/overlays.ts";
import { rawLinesOf, showInPager } from "../../session/pager.ts";
import { prettyRaw } from "../../text/shown-json.ts";
import { wrap } from "../../text/width.ts";
import type { Piece } from "../text.tsx";
import { Lines, Text } from "../text.tsx";

/** Shows a raw text. JSON is indented and otherwise unchanged. */
export function RawLines(props: RawText & { readonly onClose: () => void }) {
  const room = useRoom();
  const app = useApp();
  const { clipboard } = app;
  const pretty = useMemo(() => prettyRaw(props.raw), [props.raw]);
  const lines = useMemo(
    () => pretty.lines.flatMap((line) => wrapped({ text: line }, room.columns)),
    [pretty, room.columns],
  );
  const note = props.note === undefined ? [] : wrapped({ text: props.note }, room.columns);
  const page = Math.max(1, room.rows - 1 - note.length);
  const { top, actions } = useScroll(lines.length, page);
  useKeys(
    {
      ...actions,
      back: { run: props.onClose, label: "close" },
      raw: { run: props.onClose, label: "close" },
      copy: () => clipboard(props.raw, "raw answer"),
      pager: () => void showInPager(app, rawLinesOf(props)),
    },
    { modal: true },
  );
  return (
    <Box flexDirection="column">
      <Lines lines={[...note, ...lines.slice(top, top + page)]} />
      <Text tone="muted">
        {`${pretty.json ? "JSON" : "not JSON"}, lines ${Math.min(top + 1, lines.length)}–${Math.min(top + page, lines.length)} of ${lines.length}`}
      </Text>
    </Box>
  );
}

/** The curl command reads the token from the environment. */
export function AsCommandBody(props: AsCommand & { readonly onClose: () => void }) {
  const room = useRoom();
  const app = useApp();
  const { clipboard } = app;
  const { command, curl } = props;
  const lines = commandLines(props, room.columns);
  const page = Math.max(1, lines.length > room.rows ? room.rows - 1 : room.rows);
  const { top, actions } = useScroll(lines.length, page);
  const isLong = lines.length > page;
  useKeys(
    {
      ...(isLong ? actions : {}),
      back: { run: props.onClose, label: "close" },
      "as-command": { run: props.onClose, label: "close" },
      pager: () =>
        void showInPager(
          app,
          partsOf(props).flatMap(({ text }) => text.split("\n")),
        ),
      ...(command
        ? { copy: { run: () => clipboard(command, "command"), label: "copy command" } }
        : {}),
      ...(curl ? { "copy-row": { run: () => clipboard(curl, "curl"), label: "copy curl" } } : {}),
    },
    { modal: true },
  );
  const last = Math.min(top + page, lines.length);
  return (
    <Box flexDirection="column">
      <Lines lines={lines.slice(top, last)} />
      {isLong ? (
        <Text tone="muted">
          {`lines ${top + 1}–${last} of ${lines.length}${last < lines.length ? ", ↓ shows more" : ""}`}
        </Text>
      ) : null}
    </Box>
  );
}

export function commandLines(shown: AsCommand, columns: number): readonly (readonly Piece[])[] {
  return partsOf(shown).flatMap(({ text, ...look }) =>
    text.split("\n").flatMap((line) => wrapped({ text: line, ...look }, columns)),
  );
}

function partsOf({ command, curl, note }: AsCommand): readonly Piece[] {
  const parts: Piece[] = [];
  if (command) parts.push({ text: command });
  if (curl) {
    if (command) parts.push({ text: "" });
    parts.push({ text: "curl (put a token into SUPPLYLINE_TOKEN first)", tone: "muted" });
    parts.push({ text: curl });
  }
  if (note) parts.push({ text: "" }, { text: note, tone: "muted" });
  return parts;
}

function wrapped({ text, ...look }: Piece, columns: number): readonly (readonly Piece[])[] {
  return text === ""
    ? [[{ text: " " }]]
    : wrap(text, columns).map((line) => [{ text: line, ...look }]);
}
