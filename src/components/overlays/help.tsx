import { Box } from "ink";
import { useAvailableActions, useKeys } from "../../hooks/keys.tsx";
import { useScroll } from "../../hooks/scroll.ts";
import { useRoom } from "../../hooks/window.tsx";
import { type ActionId, actionIds, bindingOf, keyLabel } from "../../keys/bindings.ts";
import {
  accountStatuses,
  accountStatusWords,
  supplyPointStatuses,
  supplyPointStatusWords,
} from "../../text/describe-status.ts";
import { fit } from "../../text/width.ts";
import type { Tone } from "../../theme.tsx";
import { Line, type Piece } from "../text.tsx";
import { OverlayFrame } from "./frame.tsx";

/** What works here (from the table of keys), and what the statuses mean. */
export function HelpOverlay(props: {
  /** What worked on the screen before the help stood in front of it. */
  readonly here: ReadonlySet<ActionId>;
  readonly onClose: () => void;
}) {
  return (
    <OverlayFrame title="Help">
      <HelpLines {...props} />
    </OverlayFrame>
  );
}

function HelpLines(props: { readonly here: ReadonlySet<ActionId>; readonly onClose: () => void }) {
  const room = useRoom();
  const lines = helpLines(props.here);
  const page = Math.max(1, room.rows - 3);
  const scroll = useScroll(lines.length, page);
  useAvailableActions();
  useKeys(
    {
      ...scroll.actions,
      back: { run: props.onClose, label: "close" },
      help: { run: props.onClose, label: "close" },
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

function helpLines(here: ReadonlySet<ActionId>): readonly (readonly Piece[])[] {
  const keyLine = (id: ActionId): readonly Piece[] => {
    const binding = bindingOf(id);
    return [
      { text: `  ${fit(binding.keys.map(keyLabel).join(" "), 14)}`, tone: "accent" },
      { text: binding.help },
    ];
  };
  const statusLine = (words: { label: string; meaning: string; mark: string; tone: Tone }) => [
    { text: `  ${fit(`${words.mark} ${words.label}`, 22)}`, tone: words.tone },
    { text: words.meaning },
  ];
  const works = actionIds.filter((id) => here.has(id));
  const elsewhere = actionIds.filter((id) => !here.has(id));
  return [
    [{ text: "Works here", tone: "title" }],
    ...works.map(keyLine),
    [{ text: " " }],
    [{ text: "Account import statuses", tone: "title" }],
    ...accountStatuses.map((status) => statusLine(accountStatusWords(status))),
    [{ text: " " }],
    [{ text: "Supply point import statuses", tone: "title" }],
    ...supplyPointStatuses.map((status) => statusLine(supplyPointStatusWords(status))),
    [{ text: " " }],
    [{ text: "Works elsewhere", tone: "title" }],
    ...elsewhere.map(keyLine),
  ];
}
