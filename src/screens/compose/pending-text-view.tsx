/** The choices for a text from the editor that the form did not take. */
import { Box } from "ink";
import { Body } from "../../components/body.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { Text } from "../../components/text.tsx";
import { atPath } from "../../forms/payload-places.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useRoom } from "../../hooks/window.tsx";
import { plural } from "../../text/numbers.ts";
import { wrap } from "../../text/width.ts";
import type { PendingText } from "./editor.ts";

type Decision = "again" | "take" | "drop";

const maxRows = 3;

export function PendingTextView(props: {
  readonly pending: PendingText;
  readonly onDecision: (decision: Decision) => void;
  /** Leaves the text with the draft until the payload is edited again. */
  readonly onClose: () => void;
}) {
  const { pending } = props;
  const room = useRoom();
  useKeys({ back: { run: props.onClose, label: "to the form" } });
  const items: MenuItem<Decision>[] = [
    { value: "again", label: "Edit again", hint: "with this text" },
    ...(pending.fits
      ? [
          {
            value: "take" as const,
            label: "Put it into the form",
            hint: pending.issues.length === 0 ? "as it is" : "and fix it there",
          },
        ]
      : []),
    { value: "drop", label: "Leave the form as it was", hint: "this text is discarded" },
  ];
  const rows = Math.max(2, room.rows - items.length - (pending.why === null ? 4 : 4 + maxRows));
  const shown = firstThatFit(pending.issues.map(withPosition), rows, room.columns);
  const more = pending.issues.length - shown.length;
  return (
    <Body>
      <Text tone="bad" bold>
        {titleOf(pending)}
      </Text>
      {pending.why === null ? null : (
        <Paragraph most={maxRows}>{`${pending.why}. The text is saved with this draft.`}</Paragraph>
      )}
      {shown.map((words, index) => (
        <Paragraph
          // biome-ignore lint/suspicious/noArrayIndexKey: problems have no identity except their position
          key={index}
          most={maxRows}
        >
          {words}
        </Paragraph>
      ))}
      <Text tone="muted">{more > 0 ? `and ${more} more` : " "}</Text>
      <Box flexDirection="column" flexShrink={0}>
        <Menu items={items} onChoose={props.onDecision} />
      </Box>
    </Body>
  );
}

function titleOf({ issues }: PendingText): string {
  return issues.length === 0
    ? "The text from the editor is not in the form yet"
    : `The text from the editor cannot be sent: ${plural(issues.length, "problem")}`;
}

function firstThatFit(issues: readonly string[], rows: number, columns: number): readonly string[] {
  let used = 0;
  const end = issues.findIndex((words) => {
    used += Math.min(maxRows, wrap(words, columns).length);
    return used > rows;
  });
  return end < 0 ? issues : issues.slice(0, Math.max(1, end));
}

function withPosition(issue: PendingText["issues"][number]): string {
  const { line, column } = issue;
  const position = line === undefined ? "" : `line ${line}${column ? `:${column}` : ""}  `;
  return `${position}${atPath(issue)}`;
}
