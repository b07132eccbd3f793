/** The overlay that shows the current screen as a supplyline command and as a curl command. */
import { Box } from "ink";
import { useApp } from "../../hooks/app.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useScroll } from "../../hooks/list-cursor.ts";
import { useRoom } from "../../hooks/window.tsx";
import type { AsCommand } from "../../session/overlays.ts";
import { showInPager } from "../../session/pager.ts";
import { wrap } from "../../text/width.ts";
import type { Tone } from "../../theme.tsx";
import { Text } from "../text.tsx";

/**
 * Shows the screen as a supplyline command and as curl. The curl command reads the token from the
 * environment.
 */
export function AsCommandBody(props: AsCommand & { readonly onClose: () => void }) {
  const room = useRoom();
  const app = useApp();
  const { clipboard } = app;
  const { command, curl } = props;
  const parts = partsOf(props);
  const lines = commandLines(props, room.columns);
  const page = Math.max(1, lines.length > room.rows ? room.rows - 1 : room.rows);
  const scroll = useScroll(lines.length, page);
  useKeys(
    {
      ...(lines.length > page ? scroll.actions : {}),
      back: { run: props.onClose, label: "close" },
      "as-command": { run: props.onClose, label: "close" },
      pager: () =>
        void showInPager(
          app,
          parts.flatMap(({ text }) => text.split("\n")),
        ),
      ...(command
        ? { copy: { run: () => clipboard(command, "command"), label: "copy command" } }
        : {}),
      ...(curl ? { "copy-row": { run: () => clipboard(curl, "curl"), label: "copy curl" } } : {}),
    },
    { modal: true },
  );
  const last = Math.min(scroll.top + page, lines.length);
  return (
    <Box flexDirection="column">
      {lines.slice(scroll.top, last).map(({ text, tone }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <Text key={at} tone={tone}>
          {text === "" ? " " : text}
        </Text>
      ))}
      {lines.length > page ? (
        <Text tone="muted">
          {`lines ${scroll.top + 1}–${last} of ${lines.length}${last < lines.length ? ", ↓ shows more" : ""}`}
        </Text>
      ) : null}
    </Box>
  );
}

interface Part {
  readonly text: string;
  readonly tone: Tone;
}

/** Returns the commands and the note, wrapped to `columns` cells. */
export function commandLines(shown: AsCommand, columns: number): readonly Part[] {
  return partsOf(shown).flatMap(({ text, tone }) =>
    text
      .split("\n")
      .flatMap((line) => (line === "" ? [""] : wrap(line, columns)))
      .map((line) => ({ text: line, tone })),
  );
}

function partsOf({ command, curl, note }: AsCommand): readonly Part[] {
  const parts: Part[] = [];
  if (command) parts.push({ text: command, tone: "plain" });
  if (curl) {
    if (command) parts.push({ text: "", tone: "plain" });
    parts.push({ text: "curl (put a token into SUPPLYLINE_TOKEN first)", tone: "muted" });
    parts.push({ text: curl, tone: "plain" });
  }
  if (note) parts.push({ text: "", tone: "plain" }, { text: note, tone: "muted" });
  return parts;
}
