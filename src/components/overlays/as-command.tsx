import { Box } from "ink";
import { useClipboard } from "../../hooks/clipboard.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { usePager } from "../../hooks/pager.ts";
import { Paragraph } from "../paragraph.tsx";
import { Text } from "../text.tsx";
import { OverlayFrame } from "./frame.tsx";

/** The screen as a supplyline command and as curl, with the token left to the shell. */
export function AsCommandOverlay(props: {
  readonly command: string | null;
  readonly curl: string | null;
  readonly note: string | null;
  readonly onClose: () => void;
}) {
  return (
    <OverlayFrame title="As command and curl">
      <AsCommandBody {...props} />
    </OverlayFrame>
  );
}

function AsCommandBody(props: {
  readonly command: string | null;
  readonly curl: string | null;
  readonly note: string | null;
  readonly onClose: () => void;
}) {
  const clipboard = useClipboard();
  const page = usePager();
  const { command, curl } = props;
  useKeys(
    {
      back: { run: props.onClose, label: "close" },
      "as-command": { run: props.onClose, label: "close" },
      pager: {
        run: () =>
          void page([command, curl, props.note].flatMap((part) => part?.split("\n") ?? [])),
      },
      ...(command
        ? { copy: { run: () => clipboard(command, "command"), label: "copy command" } }
        : {}),
      ...(curl ? { "copy-row": { run: () => clipboard(curl, "curl"), label: "copy curl" } } : {}),
    },
    { modal: true },
  );
  return (
    <Box flexDirection="column">
      {command ? (
        <Box flexDirection="column" marginBottom={1}>
          <Text tone="muted">Command</Text>
          {command.split("\n").map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
            <Paragraph key={at}>{line}</Paragraph>
          ))}
        </Box>
      ) : null}
      {curl ? (
        <Box flexDirection="column" marginBottom={1}>
          <Text tone="muted">curl (put a token into SUPPLYLINE_TOKEN first)</Text>
          {curl.split("\n").map((line) => (
            <Paragraph key={line}>{line}</Paragraph>
          ))}
        </Box>
      ) : null}
      {props.note ? <Paragraph tone="muted">{props.note}</Paragraph> : null}
    </Box>
  );
}
