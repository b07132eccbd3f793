import { Box } from "ink";
import { useKeys } from "../../hooks/keys.tsx";
import { useTurnOf } from "../../hooks/turn.ts";
import { Menu } from "../menu.tsx";
import { Paragraph } from "../paragraph.tsx";
import { OverlayFrame } from "./frame.tsx";

/** A question whose harmless answer comes first. */
export function ConfirmOverlay(props: {
  readonly question: string;
  readonly detail: string | null;
  readonly yes: string;
  readonly onYes: () => void;
  readonly onClose: () => void;
}) {
  const turn = useTurnOf(props.onYes);
  return (
    <OverlayFrame title={props.question}>
      <ConfirmBody key={turn} {...props} />
    </OverlayFrame>
  );
}

function ConfirmBody(props: {
  readonly detail: string | null;
  readonly yes: string;
  readonly onYes: () => void;
  readonly onClose: () => void;
}) {
  useKeys({ back: { run: props.onClose, label: "no" } }, { modal: true });
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
          { value: "no", label: "No, leave it as it is" },
          { value: "yes", label: props.yes },
        ]}
        onChoose={(answer) => {
          props.onClose();
          if (answer === "yes") props.onYes();
        }}
      />
    </Box>
  );
}
