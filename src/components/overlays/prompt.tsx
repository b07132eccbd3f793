import { Box } from "ink";
import { useState } from "react";
import { useKeys } from "../../hooks/keys.tsx";
import { useKeysWaitForListeners } from "../../hooks/keys-wait.ts";
import { useRemountKey } from "../../hooks/overlay.tsx";
import { Paragraph } from "../paragraph.tsx";
import { Text } from "../text.tsx";
import { TextField } from "../text-field.tsx";
import { OverlayFrame } from "./frame.tsx";

interface PromptProps {
  readonly label: string;
  readonly hint: string | null;
  readonly initial: string;
  readonly onSubmit: (value: string) => string | null;
  readonly onClose: () => void;
}

/** Asks for one line of text; a problem keeps it open and says what is wrong. */
export function PromptOverlay(props: PromptProps & { readonly title: string }) {
  const remountKey = useRemountKey(props.onSubmit);
  return (
    <OverlayFrame title={props.title}>
      <PromptBody key={remountKey} {...props} />
    </OverlayFrame>
  );
}

function PromptBody(props: PromptProps) {
  const [value, setValue] = useState(props.initial);
  useKeysWaitForListeners();
  const [problem, setProblem] = useState<string | null>(null);
  useKeys(
    {
      back: { run: props.onClose, label: "cancel" },
      open: {
        label: "accept",
        run: () => {
          const wrong = props.onSubmit(value.trim());
          setProblem(wrong);
          if (wrong === null) props.onClose();
        },
      },
    },
    { modal: true },
  );
  return (
    <Box flexDirection="column">
      <Box>
        <Box flexShrink={0}>
          <Text tone="muted">{`${props.label}  `}</Text>
        </Box>
        <TextField
          focus
          value={value}
          onChange={(next) => {
            setValue(next);
            setProblem(null);
          }}
        />
      </Box>
      <Text> </Text>
      {problem ? (
        <Paragraph tone="bad">{problem}</Paragraph>
      ) : (
        <Paragraph tone="muted">{props.hint ?? " "}</Paragraph>
      )}
    </Box>
  );
}
