/** The form that asks for the path of a bulk file, with completion and recent files. */
import { Box } from "ink";
import { Paragraph } from "../../components/paragraph.tsx";
import { PathForm } from "../../components/path-field.tsx";
import { Line, Text } from "../../components/text.tsx";
import { useApp } from "../../hooks/app.tsx";
import { useRecentlyUsed } from "../../hooks/history.tsx";
import { useTypedPath } from "../../hooks/typed-path.ts";
import { useRoom } from "../../hooks/window.tsx";
import { expandPath } from "../../session/complete-path.ts";
import { useTheme } from "../../theme.tsx";

export function BulkFileForm(props: {
  readonly onChoose: (path: string) => void;
  readonly onClose: (() => void) | null;
}) {
  const { env, key } = useApp();
  const room = useRoom();
  const typed = useTypedPath();
  const { text } = typed;
  const files = useRecentlyUsed("file").slice(0, Math.max(1, room.rows - 8));
  const selected = files.indexOf(text);
  const select = (index: number) => typed.change(files[index] ?? "");
  const accept = () => {
    if (text === "") typed.reject("Type the path of a file.");
    else props.onChoose(expandPath(text, env.HOME));
  };
  return (
    <PathForm
      question="Which file of rows do you want to check and run?"
      label="File"
      typed={typed}
      accept={{ run: accept, label: "check" }}
      onClose={props.onClose}
      keys={
        text === "" || selected >= 0
          ? {
              ...(text === "" && files.length > 0
                ? { "next-tab": { run: () => select(0), label: "last file" } }
                : {}),
              down: () => select(Math.min(selected + 1, files.length - 1)),
              up: () => select(selected - 1),
            }
          : {}
      }
      hint={
        <>
          <Paragraph tone="muted">
            {`CSV with a header, or JSON lines. ${key("next-tab")} completes the path. Every row is checked; nothing is sent before you review it.`}
          </Paragraph>
          <LastFiles files={files} selected={selected} />
        </>
      }
    />
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
