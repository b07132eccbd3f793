/** The overlays that show a text to read: a raw response or body, or the screen as a command. */
import { Box } from "ink";
import { useMemo } from "react";
import { useApp } from "../../hooks/app.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useScroll } from "../../hooks/list-cursor.ts";
import { useRoom } from "../../hooks/window.tsx";
import type { AsCommand, RawText } from "../../session/overlays.ts";
import { rawLinesOf, showInPager } from "../../session/pager.ts";
import { prettyRaw } from "../../text/pretty-raw.ts";
import { wrap } from "../../text/width.ts";
import type { Tone } from "../../theme.tsx";
import { Text } from "../text.tsx";

/**
 * Shows the screen as a supplyline command and as curl. The curl command reads the token from the
 * environment.
 */
export function AsCommandBody(props: AsCommand & { readonly onClose: () => void }) {
  const room = useRoom();
  const app = useApp();
  const { clipboard } = app;
  const { command, curl } = props;
  const parts = partsOf(props);
  const lines = commandLines(props, room.columns);
  const page = Math.max(1, lines.length > room.rows ? room.rows - 1 : room.rows);
  const scroll = useScroll(lines.length, page);
  useKeys(
    {
      ...(lines.length > page ? scroll.actions : {}),
      back: { run: props.onClose, label: "close" },
      "as-command": { run: props.onClose, label: "close" },
      pager: () =>
        void showInPager(
          app,
          parts.flatMap(({ text }) => text.split("\n")),
        ),
      ...(command
        ? { copy: { run: () => clipboard(command, "command"), label: "copy command" } }
        : {}),
      ...(curl ? { "copy-row": { run: () => clipboard(curl, "curl"), label: "copy curl" } } : {}),
    },
    { modal: true },
  );
  const last = Math.min(scroll.top + page, lines.length);
  return (
    <Box flexDirection="column">
      {lines.slice(scroll.top, last).map(({ text, tone }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <Text key={at} tone={tone}>
          {text === "" ? " " : text}
        </Text>
      ))}
      {lines.length > page ? (
        <Text tone="muted">
          {`lines ${scroll.top + 1}–${last} of ${lines.length}${last < lines.length ? ", ↓ shows more" : ""}`}
        </Text>
      ) : null}
    </Box>
  );
}

interface Part {
  readonly text: string;
  readonly tone: Tone;
}

/** Returns the commands and the note, wrapped to `columns` cells. */
export function commandLines(shown: AsCommand, columns: number): readonly Part[] {
  return partsOf(shown).flatMap(({ text, tone }) =>
    text
      .split("\n")
      .flatMap((line) => (line === "" ? [""] : wrap(line, columns)))
      .map((line) => ({ text: line, tone })),
  );
}

function partsOf({ command, curl, note }: AsCommand): readonly Part[] {
  const parts: Part[] = [];
  if (command) parts.push({ text: command, tone: "plain" });
  if (curl) {
    if (command) parts.push({ text: "", tone: "plain" });
    parts.push({ text: "curl (put a token into SUPPLYLINE_TOKEN first)", tone: "muted" });
    parts.push({ text: curl, tone: "plain" });
  }
  if (note) parts.push({ text: "", tone: "plain" }, { text: note, tone: "muted" });
  return parts;
}

/** Shows a raw text. JSON is indented and otherwise unchanged. */
export function RawLines(props: RawText & { readonly onClose: () => void }) {
  const room = useRoom();
  const app = useApp();
  const { clipboard } = app;
  const pretty = useMemo(() => prettyRaw(props.raw), [props.raw]);
  const lines = useMemo(
    () => pretty.lines.flatMap((line) => (line === "" ? [""] : wrap(line, room.columns))),
    [pretty, room.columns],
  );
  const note = props.note === undefined ? [] : wrap(props.note, room.columns);
  const page = Math.max(1, room.rows - 1 - note.length);
  const scroll = useScroll(lines.length, page);
  useKeys(
    {
      ...scroll.actions,
      back: { run: props.onClose, label: "close" },
      raw: { run: props.onClose, label: "close" },
      copy: () => clipboard(props.raw, "raw answer"),
      pager: () => void showInPager(app, rawLinesOf(props)),
    },
    { modal: true },
  );
  const from = scroll.top;
  return (
    <Box flexDirection="column">
      {note.map((line) => (
        <Text key={line}>{line}</Text>
      ))}
      {lines.slice(from, from + page).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <Text key={index}>{line === "" ? " " : line}</Text>
      ))}
      <Text tone="muted">
        {`${pretty.json ? "JSON" : "not JSON"}, lines ${Math.min(from + 1, lines.length)}–${Math.min(from + page, lines.length)} of ${lines.length}`}
      </Text>
    </Box>
  );
}
