import { Box } from "ink";
import { Line, Text } from "../../components/text.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useScroll } from "../../hooks/list-cursor.ts";
import { usePager } from "../../hooks/pager.ts";
import { useRoom } from "../../hooks/window.tsx";
import type { DocumentLine } from "./document.ts";

/** Lines that scroll, in the rows left beside `taken` others, with a word on where one is. */
export function Scrolling(props: {
  readonly lines: readonly DocumentLine[];
  readonly taken: number;
  /** Keeps to the last lines, as they are added. */
  readonly tail?: boolean;
}) {
  const { lines } = props;
  const room = useRoom();
  const height = Math.max(1, room.rows - props.taken - 1);
  const scroll = useScroll(lines.length, height);
  const page = usePager();
  const inPager = () => void page(lines.map((pieces) => pieces.map(({ text }) => text).join("")));
  useKeys({ ...scroll.actions, pager: { run: inPager } }, { active: props.tail !== true });
  const top = props.tail ? Math.max(0, lines.length - height) : scroll.top;
  const last = Math.min(top + height, lines.length);
  const more = lines.length - last;
  return (
    <>
      <Box flexDirection="column" height={height} flexShrink={0}>
        {lines.slice(top, last).map((pieces, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
          <Line key={at} pieces={pieces} />
        ))}
      </Box>
      <Text tone="muted">
        {lines.length <= height
          ? " "
          : `lines ${top + 1}–${last} of ${lines.length}${more > 0 ? ", ↓ shows more" : ""}`}
      </Text>
    </>
  );
}
