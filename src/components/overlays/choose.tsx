import { useKeys } from "../../hooks/keys.tsx";
import type { Choice } from "../../hooks/overlay.tsx";
import { useRemountKey } from "../../hooks/overlay.tsx";
import { Menu } from "../menu.tsx";
import { OverlayFrame } from "./frame.tsx";

/** A few ways on, of which one is taken; Esc takes none. */
export function ChooseOverlay(props: {
  readonly title: string;
  readonly choices: readonly Choice[];
  readonly onClose: () => void;
}) {
  const remountKey = useRemountKey(props.choices);
  return (
    <OverlayFrame title={props.title}>
      <ChooseBody key={remountKey} {...props} />
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
