/** The form that asks for the path of a bulk file, with completion and recent files. */
import { Box } from "ink";
import { useState } from "react";
import { Body, useBodyFocus } from "../../components/body.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { PathCandidates } from "../../components/path-candidates.tsx";
import { Line, Text } from "../../components/text.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useApp } from "../../hooks/app.tsx";
import { useRecentlyUsed } from "../../hooks/history.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { usePathCompletion } from "../../hooks/path-completion.ts";
import { useRoom } from "../../hooks/window.tsx";
import { expandPath } from "../../session/complete-path.ts";
import { useTheme } from "../../theme.tsx";

export function PathForm(props: {
  readonly onChoose: (path: string) => void;
  /** Closes the form, or null if the form is the whole screen. */
  readonly onClose: (() => void) | null;
}) {
  const { onChoose, onClose } = props;
  const { env, key } = useApp();
  const room = useRoom();
  const focus = useBodyFocus();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const completion = usePathCompletion({
    text,
    onChange: (next) => {
      setText(next);
      setProblem(null);
    },
  });
  const files = useRecentlyUsed("file").slice(0, Math.max(1, room.rows - 8));
  const selected = files.indexOf(text);
  const select = (index: number) => completion.change(files[index] ?? "");
  const accept = () => {
    if (text === "") {
      setProblem("Type the path of a file.");
      return;
    }
    onChoose(expandPath(text, env.HOME));
  };
  useKeys(
    {
      open: { run: accept, label: "check" },
      "next-tab":
        text === "" && files.length > 0
          ? { run: () => select(0), label: "last file" }
          : completion.action,
      ...(text === "" || selected >= 0
        ? {
            down: () => select(Math.min(selected + 1, files.length - 1)),
            up: () => select(selected - 1),
          }
        : {}),
      ...(onClose === null ? {} : { back: { run: onClose, label: "cancel" } }),
    },
    { typing: true, active: focus },
  );
  const shownProblem = problem ?? completion.problem;
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
        {shownProblem === null ? null : <Paragraph tone="bad">{shownProblem}</Paragraph>}
        {completion.count > 0 ? (
          <PathCandidates completion={completion} most={Math.max(1, room.rows - 6)} />
        ) : (
          <>
            <Paragraph tone="muted">
              {`CSV with a header, or JSON lines. ${key("next-tab")} completes the path. Every row is checked; nothing is sent before you review it.`}
            </Paragraph>
            <LastFiles files={files} selected={selected} />
          </>
        )}
      </Box>
    </Body>
  );
}

/**
 * Lists the recently written or checked files, newest first. `selected` is the index of the file in
 * the field, or -1.
 */
function LastFiles(props: { readonly files: readonly string[]; readonly selected: number }) {
  const { files, selected } = props;
  const { key } = useApp();
  const { cursor } = useTheme();
  if (files.length === 0) return null;
  return (
    <Box marginTop={1} flexDirection="column">
      <Text>{`Last files; ${key("next-tab")} takes the first one, ${key("down")} the next.`}</Text>
      {files.map((file, index) => (
        <Line
          key={file}
          pieces={[
            { text: index === selected ? `${cursor} ` : "  ", tone: "accent" },
            { text: file, bold: index === selected },
          ]}
        />
      ))}
    </Box>
  );
}
