import type { StatusWords } from "../text/describe-status.ts";
import { Text } from "./text.tsx";

/** Shows a status as a mark, a word and a tone, so that color is never the only sign. */
export function StatusBadge(props: { readonly words: StatusWords }) {
  const mark = props.words.mark;
  return (
    <Text tone={props.words.tone} bold>
      {`${mark} ${props.words.label}`}
    </Text>
  );
}
