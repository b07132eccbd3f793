import { Box } from "ink";
import { useState } from "react";
import { Body, useBodyFocus } from "../../components/body.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { PathCandidates } from "../../components/path-candidates.tsx";
import { Text } from "../../components/text.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useConsole } from "../../hooks/console.tsx";
import { useRecentFiles } from "../../hooks/history.tsx";
import { useKeys, useKeyWords } from "../../hooks/keys.tsx";
import { usePathCompletion } from "../../hooks/path-completion.ts";
import { useRoom } from "../../hooks/window.tsx";
import { expandPath } from "../../session/complete-path.ts";

/** Asks for the file of a run: a path that a key completes, or one that was used lately. */
export function PathForm(props: {
  readonly onChoose: (path: string) => void;
  /** Closes the form; null where it is the whole screen. */
  readonly onClose: (() => void) | null;
}) {
  const { onChoose, onClose } = props;
  const { env } = useConsole();
  const room = useRoom();
  const key = useKeyWords();
  const focus = useBodyFocus();
  const recent = useRecentFiles();
  const [text, setText] = useState(recent.files[0] ?? "");
  const [problem, setProblem] = useState<string | null>(null);
  const completion = usePathCompletion({
    text,
    onChange: (next) => {
      setText(next);
      setProblem(null);
    },
  });
  const accept = () => {
    if (text === "") {
      setProblem("Type the path of a file.");
      return;
    }
    const path = expandPath(text, env.HOME);
    recent.add(path);
    onChoose(path);
  };
  const at = recent.files.indexOf(text);
  const lately = (step: 1 | -1) => ({
    run: () => completion.change(recent.files[at + step] ?? ""),
    disabled: at + step < -1 || at + step >= recent.files.length ? "There is no other file." : null,
    help: step === 1 ? "The file used before this one" : "The file used after this one",
  });
  useKeys(
    {
      open: { run: accept, label: "check" },
      "next-tab": completion.action,
      ...(recent.files.length === 0 ? {} : { "earlier-text": lately(1), "later-text": lately(-1) }),
      ...(onClose === null ? {} : { back: { run: onClose, label: "cancel" } }),
    },
    { typing: true, active: focus },
  );
  const wrong = problem ?? completion.problem;
  const others = recent.files.filter((path) => path !== text).slice(0, Math.max(0, room.rows - 9));
  return (
    <Body>
      <Paragraph bold>Which file of rows do you want to check and run?</Paragraph>
      <Box marginTop={1}>
        <Box flexShrink={0}>
          <Text tone="muted">{"File  "}</Text>
        </Box>
        <TextField
          focus={focus}
          value={text}
          onChange={completion.change}
          width={Math.max(20, room.columns - 7)}
        />
      </Box>
      <Box marginTop={1} flexDirection="column">
        {wrong === null ? null : <Paragraph tone="bad">{wrong}</Paragraph>}
        {completion.count > 0 ? (
          <PathCandidates completion={completion} most={Math.max(1, room.rows - 6)} />
        ) : (
          <>
            <Paragraph tone="muted">
              {`CSV with a header, or JSON lines. ${key("next-tab")} completes the path. Every row is checked; nothing is sent before you review it.`}
            </Paragraph>
            {others.length === 0 ? null : (
              <Paragraph tone="muted">{`Used lately (${key("earlier-text")}):`}</Paragraph>
            )}
            {others.map((path) => (
              <Text key={path} tone="muted">{`  ${path}`}</Text>
            ))}
          </>
        )}
      </Box>
    </Body>
  );
}
