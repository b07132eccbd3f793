/** The overlay that shows a raw response or the raw body of a request. */
import { Box } from "ink";
import { useMemo } from "react";
import { useApp } from "../../hooks/app.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useScroll } from "../../hooks/list-cursor.ts";
import { useRoom } from "../../hooks/window.tsx";
import type { RawText } from "../../session/overlays.ts";
import { rawLinesOf, showInPager } from "../../session/pager.ts";
import { prettyRaw } from "../../text/pretty-raw.ts";
import { wrap } from "../../text/width.ts";
import { Text } from "../text.tsx";

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
