/** Shows a verdict on one line, or on more lines if there is too little room for its shortest form. */
import { useRoom } from "../hooks/window.tsx";
import { truncate, widthOf } from "../text/width.ts";
import { tailIn, type VerdictWords } from "../triage/verdict-words.ts";
import { Paragraph } from "./paragraph.tsx";
import { type Piece, StatusBadge, Text } from "./text.tsx";

const maxLines = 2;

export function VerdictLine(props: { readonly words: VerdictWords; readonly end: Piece | null }) {
  const { columns } = useRoom();
  const { words, end } = props;
  const { badge } = words;
  const tail = tailIn(words, columns);
  // An unknown state can be of any length, and must not hide the rest of the screen.
  const label = truncate(badge.label, maxLines * columns - widthOf(`${badge.mark} ${tail}`));
  const line = `${badge.mark} ${label}${tail}`;
  if (widthOf(line) > columns)
    return (
      <Paragraph tone={badge.tone} bold>
        {line}
      </Paragraph>
    );
  const space = end === null ? 0 : columns - widthOf(line) - widthOf(end.text);
  return (
    <Text>
      <StatusBadge words={badge} />
      <Text>{tail}</Text>
      {end === null ? null : (
        <Text tone={end.tone ?? "muted"}>{" ".repeat(Math.max(1, space)) + end.text}</Text>
      )}
    </Text>
  );
}
