import { Box } from "ink";
import { Line, Text } from "../../components/text.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useScroll } from "../../hooks/scroll.ts";
import { useRoom } from "../../hooks/window.tsx";
import type { DocumentLine } from "./document.ts";

/** Lines that scroll, in the rows left beside `taken` others, with a word on where one is. */
export function Scrolling(props: {
  readonly lines: readonly DocumentLine[];
  readonly taken: number;
}) {
  const { lines } = props;
  const room = useRoom();
  const page = Math.max(1, room.rows - props.taken - 1);
  const scroll = useScroll(lines.length, page);
  useKeys(scroll.actions);
  const last = Math.min(scroll.top + page, lines.length);
  const more = lines.length - last;
  return (
    <>
      <Box flexDirection="column" height={page} flexShrink={0}>
        {lines.slice(scroll.top, last).map((pieces, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
          <Line key={at} pieces={pieces} />
        ))}
      </Box>
      <Text tone="muted">
        {lines.length <= page
          ? " "
          : `lines ${scroll.top + 1}–${last} of ${lines.length}${more > 0 ? ", ↓ shows more" : ""}`}
      </Text>
    </>
  );
}
