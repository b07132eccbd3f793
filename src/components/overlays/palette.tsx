import { Box } from "ink";
import { useState } from "react";
import { useKeys } from "../../hooks/keys.tsx";
import { useLinear } from "../../hooks/linear.ts";
import { useNavigation } from "../../hooks/navigation.tsx";
import { type Place, parsePlace, pathTo } from "../../hooks/places.ts";
import { useRoom } from "../../hooks/window.tsx";
import { bindingOf, keyLabel } from "../../keys/bindings.ts";
import type { Found } from "../../keys/scopes.ts";
import { linearSigns } from "../../text/linear-signs.ts";
import { fit } from "../../text/width.ts";
import { Paragraph } from "../paragraph.tsx";
import { Line, SignedLine, Text } from "../text.tsx";
import { TextField } from "../text-field.tsx";
import { OverlayFrame } from "./frame.tsx";

interface Entry {
  readonly id: string;
  readonly label: string;
  readonly remark: string;
  readonly disabled: string | null;
  readonly run: () => void;
}

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
  const go = (place: Place) => navigation.reset(pathTo(place));
  const entries = entriesFor(text, props, go);
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
          entry?.run();
        },
      },
    },
    { modal: true },
  );
  return (
    <Box flexDirection="column">
      <Box>
        <Text tone="accent">: </Text>
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
      {entries.slice(top, top + page).map((one, index) => (
        <Line
          key={one.id}
          inverse={top + index === position}
          pieces={[
            { text: ` ${fit(one.label, 30)} `, tone: one.disabled ? "muted" : "plain" },
            {
              text: fit(one.disabled ?? one.remark, Math.max(10, room.columns - 33)),
              tone: "muted",
            },
          ]}
        />
      ))}
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

function entriesFor(
  text: string,
  props: PaletteProps,
  go: (place: Place) => void,
): readonly Entry[] {
  const wanted = text.trim();
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (subject: string) => words.every((word) => subject.toLowerCase().includes(word));
  const entries: Entry[] = [];
  const place = parsePlace(wanted);
  if (place?.kind === "account") {
    entries.push({
      id: "place",
      label: `${place.supplier}/${place.account}`,
      remark: "account, on a list or not",
      disabled: null,
      run: () => go(place),
    });
  }
  if (place?.kind === "supply-point") {
    entries.push({
      id: "place",
      label: `sp ${place.supplier}/${place.identifier}`,
      remark: "supply point",
      disabled: null,
      run: () => go(place),
    });
  }
  for (const supplier of props.suppliers) {
    if (!matches(supplier)) continue;
    entries.push({
      id: `supplier ${supplier}`,
      label: supplier,
      remark: "import supplier: overview",
      disabled: null,
      run: () => go({ kind: "overview", supplier }),
    });
  }
  for (const { id, action } of props.actions) {
    const binding = bindingOf(id);
    const label = action.label ?? binding.label;
    if (!binding.palette || !matches(`${label} ${binding.help} ${id}`)) continue;
    entries.push({
      id: `action ${id}`,
      label,
      remark: `${keyLabel(binding.keys[0] ?? "")}  ${binding.help}`,
      disabled: action.wayRound ? null : (action.disabled ?? null),
      run: (action.disabled ? action.wayRound : null) ?? action.run,
    });
  }
  const unlisted = wanted !== "" && !/[\s/]/u.test(wanted) && !props.suppliers.includes(wanted);
  if (unlisted) {
    entries.push({
      id: `unlisted ${wanted}`,
      label: wanted,
      remark: "as an import supplier's code: overview",
      disabled: null,
      run: () => go({ kind: "overview", supplier: wanted }),
    });
  }
  return entries;
}
