import type { StatusWords } from "../text/describe-status.ts";
import { useTheme } from "../theme.tsx";
import { Text } from "./text.tsx";

/** A status in words, with a mark and a tone: never by color alone. */
export function StatusBadge(props: { readonly words: StatusWords }) {
  const theme = useTheme();
  const mark = theme.ascii ? props.words.asciiMark : props.words.mark;
  return (
    <Text tone={props.words.tone} bold>
      {`${mark} ${props.words.label}`}
    </Text>
  );
}
