import { Box } from "ink";
import { useKeys } from "../hooks/keys.tsx";
import { useScroll } from "../hooks/list-cursor.ts";
import { usePager } from "../hooks/pager.ts";
import { useRoom } from "../hooks/window.tsx";
import { count } from "../text/numbers.ts";
import type { DocumentLine } from "./document-builder.ts";
import { Line, Text } from "./text.tsx";

/** A document that scrolls in the rows left beside `taken` others, with the position below it. */
export function Document(props: {
  readonly lines: readonly DocumentLine[];
  readonly taken: number;
  /** Stays at the last lines as they are added. */
  readonly tail?: boolean;
  /** False where the screen gives the pager another text. */
  readonly pager?: boolean;
}) {
  const { lines, tail = false, pager = true } = props;
  const room = useRoom();
  const height = Math.max(1, room.rows - props.taken - 1);
  const scroll = useScroll(lines.length, height);
  const page = usePager();
  const inPager = () => void page(lines.map((pieces) => pieces.map(({ text }) => text).join("")));
  useKeys({ ...scroll.actions, ...(pager ? { pager: inPager } : {}) }, { active: !tail });
  const top = tail ? Math.max(0, lines.length - height) : scroll.top;
  return (
    <>
      <Box flexDirection="column" height={height} flexShrink={0}>
        <DocumentLines lines={lines.slice(top, top + height)} />
      </Box>
      <Text tone="muted">{positionText(top, height, lines.length) ?? " "}</Text>
    </>
  );
}

/** Lines of a document as they are. */
export function DocumentLines(props: { readonly lines: readonly DocumentLine[] }) {
  return props.lines.map((pieces, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
    <Line key={at} pieces={pieces} />
  ));
}

/** Which of the lines are in sight; null where all of them are. */
function positionText(top: number, height: number, length: number): string | null {
  if (length <= height) return null;
  const last = Math.min(top + height, length);
  return `lines ${count(top + 1)}–${count(last)} of ${count(length)}${last < length ? ", ↓ shows more" : ""}`;
}
