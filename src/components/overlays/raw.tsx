import { Box } from "ink";
import { useMemo } from "react";
import { useClipboard } from "../../hooks/clipboard.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useScroll } from "../../hooks/list-cursor.ts";
import { rawLinesOf, usePager } from "../../hooks/pager.ts";
import { useRoom } from "../../hooks/window.tsx";
import { prettyRaw } from "../../text/pretty-raw.ts";
import { wrap } from "../../text/width.ts";
import { Text } from "../text.tsx";
import { OverlayFrame } from "./frame.tsx";

/** The raw answer: indented when it is JSON, every value spelled as on the wire. */
export function RawOverlay(props: {
  readonly title: string;
  readonly raw: string;
  /** What else has to be known; shown above it. */
  readonly note: string | null;
  readonly onClose: () => void;
}) {
  return (
    <OverlayFrame title={`Raw: ${props.title}`}>
      <RawLines {...props} />
    </OverlayFrame>
  );
}

function RawLines(props: {
  readonly raw: string;
  readonly note: string | null;
  readonly onClose: () => void;
}) {
  const room = useRoom();
  const clipboard = useClipboard();
  const inPager = usePager();
  const noted = props.note === null ? {} : { note: props.note };
  const pretty = useMemo(() => prettyRaw(props.raw), [props.raw]);
  const lines = useMemo(
    () => pretty.lines.flatMap((line) => (line === "" ? [""] : wrap(line, room.columns))),
    [pretty, room.columns],
  );
  const note = props.note === null ? [] : wrap(props.note, room.columns);
  const page = Math.max(1, room.rows - 4 - note.length);
  const scroll = useScroll(lines.length, page);
  useKeys(
    {
      ...scroll.actions,
      back: { run: props.onClose, label: "close" },
      raw: { run: props.onClose, label: "close" },
      copy: { run: () => clipboard(props.raw, "raw answer") },
      pager: { run: () => void inPager(rawLinesOf({ raw: props.raw, ...noted })) },
    },
    { modal: true },
  );
  const from = scroll.top;
  return (
    <Box flexDirection="column">
      {note.map((line) => (
        <Text key={line} tone="waiting">
          {line}
        </Text>
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
