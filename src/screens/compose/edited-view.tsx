import { Box } from "ink";
import { Body } from "../../components/body.tsx";
import { Menu } from "../../components/menu.tsx";
import type { MenuItem } from "../../components/menu-item.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { Text } from "../../components/text.tsx";
import { pathText } from "../../forms/paths.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useRoom } from "../../hooks/window.tsx";
import { plural } from "../../text/numbers.ts";
import { wrap } from "../../text/width.ts";
import type { Answer, Returned } from "./payload-editor.ts";

/** Lines that one problem may take. */
const most = 3;

/** What came back from the editor and is not in the form, and what is to become of it. */
export function EditedView(props: {
  readonly returned: Returned;
  readonly onAnswer: (answer: Answer) => void;
}) {
  const { returned, onAnswer } = props;
  const room = useRoom();
  useKeys({ back: { run: () => onAnswer("aside"), label: "to the form" } });
  const items: MenuItem<Answer>[] = [
    { value: "again", label: "Edit again", hint: "with what you wrote" },
    ...(returned.fits
      ? [{ value: "take" as const, label: "Take it into the form", hint: "and fix it there" }]
      : []),
    { value: "keep", label: "Keep the form as it was", hint: "what you wrote is dropped" },
  ];
  const lines = Math.max(2, room.rows - items.length - (returned.why === null ? 4 : 4 + most));
  const shown = fitting(returned.issues, lines, room.columns);
  const more = returned.issues.length - shown.length;
  return (
    <Body>
      <Text tone="bad" bold>
        {titleOf(returned)}
      </Text>
      {returned.why === null ? null : (
        <Paragraph
          most={most}
        >{`${returned.why}. What you wrote is saved with this draft.`}</Paragraph>
      )}
      {shown.map((issue, index) => (
        <Paragraph
          // biome-ignore lint/suspicious/noArrayIndexKey: problems have no identity but their place
          key={index}
          most={most}
        >
          {placed(issue)}
        </Paragraph>
      ))}
      <Text tone="muted">{more > 0 ? `and ${more} more` : " "}</Text>
      <Box flexDirection="column" flexShrink={0}>
        <Menu items={items} onChoose={onAnswer} />
      </Box>
    </Body>
  );
}

function titleOf({ issues }: Returned): string {
  return issues.length === 0
    ? "What you wrote in the editor is not in the form yet"
    : `What you wrote cannot be sent: ${plural(issues.length, "problem")}`;
}

/** The first problems, as many as there is room for; always one. */
function fitting(issues: Returned["issues"], lines: number, columns: number): Returned["issues"] {
  let used = 0;
  const end = issues.findIndex((issue) => {
    used += Math.min(most, wrap(placed(issue), columns).length);
    return used > lines;
  });
  return end < 0 ? issues : issues.slice(0, Math.max(1, end));
}

function placed({ line, column, path, message }: Returned["issues"][number]): string {
  const place = line === undefined ? "" : `line ${line}${column ? `:${column}` : ""}  `;
  const field = path.length === 0 ? "" : `${pathText(path)}: `;
  return `${place}${field}${message}`;
}
