/** The overlays that ask a yes-or-no question or offer a few choices. */
import { Box } from "ink";
import { typedAheadWords, useAnswers } from "../../hooks/answers.ts";
import { useApp } from "../../hooks/app.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { keyLabel } from "../../keys/key-name.ts";
import type { Choice, Confirm } from "../../session/overlays.ts";
import { Menu } from "../menu.tsx";
import { Paragraph } from "../paragraph.tsx";

/** Asks a question. The harmless answer comes first. `y` and `n` answer it too. */
export function ConfirmBody(props: Confirm & { readonly onClose: () => void }) {
  const { notices } = useApp();
  const answers = useAnswers(props.onYes);
  const answer = (yes: boolean) => {
    if (yes && !answers()) {
      notices.explain(typedAheadWords);
      return;
    }
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
          else notices.explain(`${keyLabel(key)} is not an answer: press y or n.`);
        },
      },
    },
  );
  return (
    <Box flexDirection="column">
      {props.detail ? <Paragraph>{props.detail}</Paragraph> : null}
      <Menu
        focus
        items={[
          { value: "no", key: "n", label: "No, leave it as it is" },
          { value: "yes", key: "y", label: props.yes },
        ]}
        onChoose={(chosen) => answer(chosen === "yes")}
      />
    </Box>
  );
}

/** Offers a few choices. Esc selects none. */
export function ChooseBody(props: {
  readonly choices: readonly Choice[];
  readonly onClose: () => void;
}) {
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
