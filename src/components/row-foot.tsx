import { useRoom } from "../hooks/window.tsx";
import { widthOf, wrap } from "../text/width.ts";
import { Line, type Piece, Text } from "./text.tsx";

/**
 * Below a list, in two lines: the detail of the row under the cursor, its position, and a hint. A
 * detail that is longer than a line begins behind the position, and the hint gets what it leaves.
 */
export function RowFoot(props: {
  readonly detail: string | null;
  readonly position: string;
  readonly hint?: string;
}) {
  const { position } = props;
  const { columns } = useRoom();
  const detail = props.detail ?? " ";
  const hint: Piece[] = props.hint ? [{ text: `  ${props.hint}`, tone: "muted" }] : [];
  const isLong = widthOf(detail) > columns;
  const [first = "", ...rest] = isLong
    ? wrap(`${position}  ${detail}`, columns)
    : [detail, position];
  return (
    <>
      <Text>{first}</Text>
      <Line pieces={[{ text: rest.join(" ") }, ...hint]} />
    </>
  );
}
