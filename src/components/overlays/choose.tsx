import { useKeys } from "../../hooks/keys.tsx";
import type { Choice } from "../../hooks/overlay.tsx";
import { useTurnOf } from "../../hooks/turn.ts";
import { Menu } from "../menu.tsx";
import { OverlayFrame } from "./frame.tsx";

/** A few ways on, of which one is taken; Esc takes none. */
export function ChooseOverlay(props: {
  readonly title: string;
  readonly choices: readonly Choice[];
  readonly onClose: () => void;
}) {
  const turn = useTurnOf(props.choices);
  return (
    <OverlayFrame title={props.title}>
      <ChooseBody key={turn} {...props} />
    </OverlayFrame>
  );
}

function ChooseBody(props: { readonly choices: readonly Choice[]; readonly onClose: () => void }) {
  useKeys({ back: { run: props.onClose, label: "cancel" } }, { modal: true });
  return (
    <Menu
      focus
      items={props.choices.map(({ label, hint }) => ({ value: label, label, hint }))}
      onChoose={(label) => {
        props.onClose();
        props.choices.find((choice) => choice.label === label)?.run();
      }}
    />
  );
}
