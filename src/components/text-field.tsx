import { Box, useInput } from "ink";
import TextInput from "ink-text-input";
import { useRef, useState } from "react";
import { useKeys } from "../hooks/keys.tsx";
import { useLinear } from "../hooks/linear.ts";
import { useNotices } from "../hooks/notices.tsx";
import { linearSigns } from "../text/linear-signs.ts";
import { plural } from "../text/numbers.ts";
import { safe } from "../text/sanitise.ts";
import { typeable } from "../text/typeable.ts";
import { useTheme } from "../theme.tsx";
import { Sign } from "./text.tsx";

/**
 * One line of text to type. It wraps ink-text-input once for the whole program: control keys are
 * never typed, Ctrl-U empties, Ctrl-W removes a word, a paste comes in whole and without its line
 * breaks (so it cannot submit anything), and characters that cannot be seen are left out, and said.
 */
export function TextField(props: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly focus: boolean;
  readonly placeholder?: string;
  /** Shows dots instead of the text. */
  readonly secret?: boolean;
}) {
  const notices = useNotices();
  const linear = useLinear();
  const { ascii } = useTheme();
  const lastKey = useRef({ control: false });
  const [generation, setGeneration] = useState(0);
  const put = (value: string) => {
    props.onChange(value);
    // A new instance puts the cursor at the end, behind what was just put in.
    setGeneration((count) => count + 1);
  };
  useKeys(
    {},
    {
      typing: true,
      active: props.focus,
      onPaste: (pasted) => {
        const { text, removed } = typeable(pasted.trim());
        put(props.value + text);
        if (removed > 0) {
          notices.show(`left out ${plural(removed, "character")} that cannot be seen`, "waiting");
        }
      },
    },
  );
  // Hears each key before the input below it does: effects run in the order of the tree.
  return (
    <Box>
      <KeyWatcher
        active={props.focus}
        onKey={(input, control) => {
          lastKey.current = { control };
          if (control && input === "u") put("");
          if (control && input === "w") put(props.value.replace(/\S+\s*$/u, ""));
        }}
      />
      <TextInput
        key={generation}
        // What was not typed here (a draft, a history, a number pasted elsewhere) passes the gate, too.
        value={props.secret ? props.value : safe(props.value)}
        focus={props.focus}
        showCursor={props.focus}
        placeholder={linear ? "" : (props.placeholder ?? "")}
        {...(props.secret ? { mask: ascii ? "*" : "•" } : {})}
        onChange={(value) => {
          if (!lastKey.current.control) props.onChange(typeable(value).text);
        }}
      />
      {linear && props.focus ? <Sign sign={linearSigns.typed} /> : null}
    </Box>
  );
}

function KeyWatcher(props: {
  readonly active: boolean;
  readonly onKey: (input: string, control: boolean) => void;
}) {
  useInput((input, key) => props.onKey(input, key.ctrl || key.meta), { isActive: props.active });
  return null;
}
