/** The overlays that ask: a yes-or-no question, a few choices, or one line of text. */
import { Box } from "ink";
import { useState } from "react";
import { useApp } from "../../hooks/app.tsx";
import {
  typedAheadWords,
  useIsQuestionDrawn,
  useKeysWaitForListeners,
} from "../../hooks/in-flight.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useTypedPath } from "../../hooks/typed-path.ts";
import { keyLabel } from "../../keys/key-name.ts";
import type { Choice, Confirm, Prompt } from "../../session/overlays.ts";
import { Menu } from "../menu.tsx";
import { Paragraph } from "../paragraph.tsx";
import { PathField } from "../path-field.tsx";
import { pathRows } from "./frame.tsx";

/** Asks a yes-or-no question. "No" comes first, because it changes nothing. `y` and `n` answer too. */
export function ConfirmBody(props: Confirm & { readonly onClose: () => void }) {
  const { notices } = useApp();
  const mayAnswer = useIsQuestionDrawn(props.onYes);
  const answer = (yes: boolean) => {
    if (yes && !mayAnswer()) {
      notices.explain(typedAheadWords);
      return;
    }
    props.onClose();
    if (yes) props.onYes();
    else props.no?.run();
  };
  useKeys(
    { back: { run: () => answer(false), label: "no" } },
    {
      modal: true,
      printable: {
        allowed: [],
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
          { value: "no", key: "n", label: props.no?.label ?? "No, leave it as it is" },
          { value: "yes", key: "y", label: props.yes },
        ]}
        onChoose={(chosen) => answer(chosen === "yes")}
      />
    </Box>
  );
}

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

const checkingWords = "Checking the text…";

export function PromptBody(props: Prompt & { readonly onClose: () => void }) {
  const typed = useTypedPath({ initial: props.initial });
  useKeysWaitForListeners();
  const mayAnswer = useIsQuestionDrawn(props.onSubmit);
  const [isChecking, setChecking] = useState(false);
  const answerWith = (rejection: string | null) => {
    typed.reject(rejection);
    if (rejection === null) props.onClose();
  };
  useKeys(
    {
      ...(props.isPath ? { "next-tab": typed.complete } : {}),
      back: { run: props.onClose, label: "cancel" },
      open: {
        label: "accept",
        disabled: isChecking ? checkingWords : null,
        run: () => {
          if (props.confirms && !mayAnswer()) {
            typed.reject(typedAheadWords);
            return;
          }
          const rejection = props.onSubmit(typed.text.trim());
          if (!(rejection instanceof Promise)) {
            answerWith(rejection);
            return;
          }
          setChecking(true);
          void rejection.then(answerWith).finally(() => setChecking(false));
        },
      },
    },
    { modal: true },
  );
  return (
    <PathField
      label={props.label}
      typed={typed}
      most={pathRows}
      hint={isChecking ? checkingWords : (props.hint ?? " ")}
    />
  );
}
