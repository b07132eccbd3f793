import { Box } from "ink";
import { useState } from "react";
import { useHistory, useHistoryNow } from "../../hooks/history.tsx";
import { useKeys, useUsedKeys } from "../../hooks/keys.tsx";
import { useLinear } from "../../hooks/linear.ts";
import { useNavigation } from "../../hooks/navigation.tsx";
import { pathTo, placeText } from "../../hooks/places.ts";
import { useRecentPlaces } from "../../hooks/recent-places.ts";
import { useRoom } from "../../hooks/window.tsx";
import type { Found } from "../../keys/scopes.ts";
import { linearSigns } from "../../text/linear-signs.ts";
import { fit } from "../../text/width.ts";
import { Paragraph } from "../paragraph.tsx";
import { Line, SignedLine, Text } from "../text.tsx";
import { TextField } from "../text-field.tsx";
import { OverlayFrame } from "./frame.tsx";
import { paletteEntries } from "./palette-entries.ts";

interface PaletteProps {
  readonly initial: string;
  /** What worked on the screen before the palette stood in front of it. */
  readonly actions: readonly Found[];
  readonly suppliers: readonly string[];
  readonly onClose: () => void;
}

/** Runs any action and goes to any place: `:ACME`, `:ACME/EXT-1`, `:sp ACME/ID`, or words of an action. */
export function PaletteOverlay(props: PaletteProps) {
  return (
    <OverlayFrame title="Go to a place, or do something">
      <PaletteBody {...props} />
    </OverlayFrame>
  );
}

function PaletteBody(props: PaletteProps) {
  const room = useRoom();
  const navigation = useNavigation();
  const [text, setText] = useState(props.initial);
  const [chosen, setChosen] = useState(0);
  const history = useHistory();
  const { keymap } = useUsedKeys();
  const here = navigation.stops.at(-1)?.place;
  const recent = useRecentPlaces().filter((text) => !here || text !== placeText(here));
  const { actions: lately } = useHistoryNow();
  const entries = paletteEntries(text, {
    actions: props.actions,
    suppliers: props.suppliers,
    recent,
    lately,
    keymap,
    go: (place) => navigation.go(pathTo(place)),
  });
  const position = Math.min(chosen, Math.max(0, entries.length - 1));
  const linear = useLinear();
  // Aloud, only the one that Enter takes: the others come with the arrows.
  const page = linear ? 0 : Math.max(1, room.rows - 5);
  const top = Math.max(0, position - page + 1);
  const entry = entries[position];
  useKeys(
    {
      back: { run: props.onClose, label: "close" },
      up: { run: () => setChosen(Math.max(0, position - 1)) },
      down: { run: () => setChosen(Math.min(entries.length - 1, position + 1)) },
      open: {
        label: "go",
        disabled: entry ? entry.disabled : "nothing here goes by that name",
        run: () => {
          props.onClose();
          if (entry?.action) history.addAction(entry.action);
          entry?.run();
        },
      },
    },
    { modal: true },
  );
  return (
    <Box flexDirection="column">
      <Box>
        <Box flexShrink={0}>
          <Text tone="accent">: </Text>
        </Box>
        <TextField
          focus
          value={text}
          placeholder="ACME, ACME/EXT-1, sp ACME/ID, or an action"
          onChange={(next) => {
            setText(next);
            setChosen(0);
          }}
        />
      </Box>
      <Text> </Text>
      {entries.slice(top, top + page).map((one, index) => {
        const inverse = top + index === position;
        const remark = fit(one.disabled ?? one.remark, Math.max(10, room.columns - 33));
        return (
          <Line
            key={one.id}
            pieces={[
              { text: ` ${fit(one.label, 30)} `, tone: one.disabled ? "muted" : "plain", inverse },
              { text: remark, tone: "muted", inverse },
            ]}
          />
        );
      })}
      {linear && entry ? (
        <SignedLine sign={linearSigns.current}>
          {`${position + 1} of ${entries.length}: ${entry.label}, ${entry.disabled ?? entry.remark}`}
        </SignedLine>
      ) : null}
      {entries.length === 0 ? (
        <Paragraph tone="muted">
          {
            "Nothing goes by that name. A supplier is its code, an account CODE/NUMBER, a supply point sp CODE/IDENTIFIER."
          }
        </Paragraph>
      ) : null}
    </Box>
  );
}
