import { Box } from "ink";
import { useKeys } from "../../hooks/keys.tsx";
import { useRemountKey } from "../../hooks/overlay.tsx";
import { Menu } from "../menu.tsx";
import { Paragraph } from "../paragraph.tsx";
import { OverlayFrame } from "./frame.tsx";

/** A question whose harmless answer comes first; `y` and `n` answer it as well. */
export function ConfirmOverlay(props: {
  readonly question: string;
  readonly detail: string | null;
  readonly yes: string;
  readonly onYes: () => void;
  readonly onClose: () => void;
}) {
  const remountKey = useRemountKey(props.onYes);
  return (
    <OverlayFrame title={props.question}>
      <ConfirmBody key={remountKey} {...props} />
    </OverlayFrame>
  );
}

function ConfirmBody(props: {
  readonly detail: string | null;
  readonly yes: string;
  readonly onYes: () => void;
  readonly onClose: () => void;
}) {
  const answer = (yes: boolean) => {
    props.onClose();
    if (yes) props.onYes();
  };
  useKeys(
    { back: { run: props.onClose, label: "no" } },
    {
      modal: true,
      printable: {
        acts: [],
        other: (key) => {
          if (/^[yn]$/i.test(key)) answer(key.toLowerCase() === "y");
        },
      },
    },
  );
  return (
    <Box flexDirection="column">
      {props.detail ? (
        <Box marginBottom={1}>
          <Paragraph>{props.detail}</Paragraph>
        </Box>
      ) : null}
      <Menu
        focus
        items={[
          { value: "no", label: "No, leave it as it is", hint: "n" },
          { value: "yes", label: props.yes, hint: "y" },
        ]}
        onChoose={(chosen) => answer(chosen === "yes")}
      />
    </Box>
  );
}
