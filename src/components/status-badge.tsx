import type { StatusWords } from "../text/describe-status.ts";
import { Text } from "./text.tsx";

/** A status in words, with a mark and a tone: never by color alone. */
export function StatusBadge(props: { readonly words: StatusWords }) {
  const mark = props.words.mark;
  return (
    <Text tone={props.words.tone} bold>
      {`${mark} ${props.words.label}`}
    </Text>
  );
}
