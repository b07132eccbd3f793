import { Box } from "ink";
import { useAvailableActions, useKeys, useUsedKeys } from "../../hooks/keys.tsx";
import { usePager } from "../../hooks/pager.ts";
import { type Place, trailOf } from "../../hooks/places.ts";
import { useScroll } from "../../hooks/scroll.ts";
import { useRoom } from "../../hooks/window.tsx";
import type { Available } from "../../keys/scopes.ts";
import { useTheme } from "../../theme.tsx";
import { Line } from "../text.tsx";
import { OverlayFrame } from "./frame.tsx";
import { helpLines } from "./help-lines.ts";
import { helpTopics } from "./help-topics.ts";

interface HelpProps {
  readonly place: Place;
  /** What worked on the screen before the help stood in front of it. */
  readonly here: readonly Available[];
  readonly onClose: () => void;
}

/** What the screen is for, what works there (by the keys that hold), and what its words mean. */
export function HelpOverlay(props: HelpProps) {
  return (
    <OverlayFrame title={`Help: ${trailOf(props.place).join(", ")}`}>
      <HelpLines {...props} />
    </OverlayFrame>
  );
}

function HelpLines(props: HelpProps) {
  const room = useRoom();
  const theme = useTheme();
  const inPager = usePager();
  const lines = helpLines({
    topic: helpTopics[props.place.kind],
    here: props.here,
    keys: useUsedKeys(),
    columns: room.columns,
    ascii: theme.ascii,
  });
  const page = Math.max(1, room.rows - 3);
  const scroll = useScroll(lines.length, page);
  useAvailableActions();
  useKeys(
    {
      ...scroll.actions,
      back: { run: props.onClose, label: "close" },
      help: { run: props.onClose, label: "close" },
      pager: {
        run: () => void inPager(lines.map((pieces) => pieces.map(({ text }) => text).join(""))),
      },
    },
    { modal: true },
  );
  const rest = lines.length - scroll.top - page;
  return (
    <Box flexDirection="column">
      {lines.slice(scroll.top, scroll.top + page).map((pieces, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <Line key={index} pieces={pieces} />
      ))}
      {rest > 0 ? <Line pieces={[{ text: `${rest} more below`, tone: "muted" }]} /> : null}
    </Box>
  );
}
