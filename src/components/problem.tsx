import { Box } from "ink";
import { describeError } from "../text/describe-error.ts";
import { Text } from "./text.tsx";

type DescribeContext = Parameters<typeof describeError>[1];

/** A failure in words: what happened, why, and what to do next. */
export function Problem(props: { readonly error: unknown; readonly context: DescribeContext }) {
  const words = describeError(props.error, props.context);
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Text tone="bad" bold wrap="wrap">
        {words.what}
      </Text>
      {words.why ? <Text wrap="wrap">{words.why}</Text> : null}
      <Text tone="muted" wrap="wrap">
        {words.next}
      </Text>
    </Box>
  );
}
