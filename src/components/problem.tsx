import { Box } from "ink";
import { describeError } from "../text/describe-error.ts";
import { Paragraph } from "./paragraph.tsx";

type DescribeContext = Parameters<typeof describeError>[1];

/** A failure in words: what happened, why, and what to do next (`next` where the screen knows better). */
export function Problem(props: {
  readonly error: unknown;
  readonly context: DescribeContext;
  readonly next?: string;
}) {
  const words = describeError(props.error, props.context);
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Paragraph tone="bad" bold>
        {words.what}
      </Paragraph>
      {words.why ? <Paragraph>{words.why}</Paragraph> : null}
      <Paragraph tone="muted">{props.next ?? words.next}</Paragraph>
    </Box>
  );
}
