/** The overlay that asks for one line of text, such as a file name. */
import { Box } from "ink";
import { useState } from "react";
import { typedAheadWords, useAnswers } from "../../hooks/answers.ts";
import { useKeysWaitForListeners } from "../../hooks/in-flight.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { usePathCompletion } from "../../hooks/path-completion.ts";
import type { Prompt } from "../../session/overlays.ts";
import { Paragraph } from "../paragraph.tsx";
import { PathCandidates } from "../path-candidates.tsx";
import { Text } from "../text.tsx";
import { TextField } from "../text-field.tsx";
import { pathRows } from "./box-rows.ts";

/** Asks for one line of text. If the text has a problem, the prompt shows it and stays open. */
export function PromptBody(props: Prompt & { readonly onClose: () => void }) {
  const [value, setValue] = useState(props.initial ?? "");
  useKeysWaitForListeners();
  const answers = useAnswers(props.onSubmit);
  const [problem, setProblem] = useState<string | null>(null);
  const completion = usePathCompletion({
    text: value,
    onChange: (next) => {
      setValue(next);
      setProblem(null);
    },
  });
  useKeys(
    {
      ...(props.isPath ? { "next-tab": completion.action } : {}),
      back: { run: props.onClose, label: "cancel" },
      open: {
        label: "accept",
        run: () => {
          if (props.confirms && !answers()) {
            setProblem(typedAheadWords);
            return;
          }
          const wrong = props.onSubmit(value.trim());
          setProblem(wrong);
          if (wrong === null) props.onClose();
        },
      },
    },
    { modal: true },
  );
  const wrong = problem ?? completion.problem;
  return (
    <Box flexDirection="column">
      <Box>
        <Box flexShrink={0}>
          <Text tone="muted">{`${props.label}  `}</Text>
        </Box>
        <TextField focus value={value} onChange={completion.change} />
      </Box>
      {wrong ? (
        <Paragraph tone="bad">{wrong}</Paragraph>
      ) : completion.count > 0 ? (
        <PathCandidates completion={completion} most={pathRows} />
      ) : (
        <Paragraph tone="muted">{props.hint ?? " "}</Paragraph>
      )}
    </Box>
  );
}
