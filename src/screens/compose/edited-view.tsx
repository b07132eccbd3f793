/** The choices for a text from the editor that the form did not take. */
import { Box } from "ink";
import { Body } from "../../components/body.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { Text } from "../../components/text.tsx";
import { atPath } from "../../forms/places.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useRoom } from "../../hooks/window.tsx";
import { plural } from "../../text/numbers.ts";
import { wrap } from "../../text/width.ts";
import type { EditorResult } from "./editor.ts";

type Decision = "again" | "take" | "drop";

/** The maximum number of lines for one problem. */
const maxRows = 3;

/** Shows a text from the editor that the form did not take, and asks for a decision. */
export function EditedView(props: {
  readonly returned: EditorResult;
  readonly onDecision: (decision: Decision) => void;
  /** Leaves the text with the draft until the payload is edited again. */
  readonly onClose: () => void;
}) {
  const { returned } = props;
  const room = useRoom();
  useKeys({ back: { run: props.onClose, label: "to the form" } });
  const items: MenuItem<Decision>[] = [
    { value: "again", label: "Edit again", hint: "with what you wrote" },
    ...(returned.fits
      ? [
          {
            value: "take" as const,
            label: "Put it into the form",
            hint: returned.issues.length === 0 ? "as it is" : "and fix it there",
          },
        ]
      : []),
    { value: "drop", label: "Leave the form as it was", hint: "what you wrote is discarded" },
  ];
  const lines = Math.max(2, room.rows - items.length - (returned.why === null ? 4 : 4 + maxRows));
  const shown = fitting(returned.issues.map(placed), lines, room.columns);
  const more = returned.issues.length - shown.length;
  return (
    <Body>
      <Text tone="bad" bold>
        {titleOf(returned)}
      </Text>
      {returned.why === null ? null : (
        <Paragraph
          most={maxRows}
        >{`${returned.why}. What you wrote is saved with this draft.`}</Paragraph>
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

function titleOf({ issues }: EditorResult): string {
  return issues.length === 0
    ? "What you wrote in the editor is not in the form yet"
    : `What you wrote cannot be sent: ${plural(issues.length, "problem")}`;
}

/** Returns the first problems that fit into the lines, at least one. */
function fitting(issues: readonly string[], lines: number, columns: number): readonly string[] {
  let used = 0;
  const end = issues.findIndex((words) => {
    used += Math.min(maxRows, wrap(words, columns).length);
    return used > lines;
  });
  return end < 0 ? issues : issues.slice(0, Math.max(1, end));
}

function placed(issue: EditorResult["issues"][number]): string {
  const { line, column } = issue;
  const place = line === undefined ? "" : `line ${line}${column ? `:${column}` : ""}  `;
  return `${place}${atPath(issue)}`;
}
