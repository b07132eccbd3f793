/** Shows sentences: a wrapped text, and the task that a screen waits for. */
import { Box } from "ink";
import { useState } from "react";
import { useApp, useShownSentence } from "../hooks/app.tsx";
import { useNow } from "../hooks/now.ts";
import { useLinear, useRoom } from "../hooks/window.tsx";
import { wholeSeconds } from "../text/durations.ts";
import { wrap } from "../text/width.ts";
import type { Tone } from "../theme.tsx";
import { Text } from "./text.tsx";

/**
 * Shows text on several lines, wrapped to the width of the body minus `indent` cells. Ink's own
 * wrapping is not used, because its lines can start with a blank.
 */
export function Paragraph(props: {
  readonly children: string;
  readonly tone?: Tone;
  readonly bold?: boolean;
  readonly indent?: number;
  /** Maximum number of lines. The rest is left out. */
  readonly most?: number;
}) {
  const room = useRoom();
  const { indent = 0, most: maxLines = Number.POSITIVE_INFINITY } = props;
  // The terminal wraps the lines of a linear console.
  const width = useLinear() ? props.children.length : Math.max(8, room.columns - indent);
  const all = wrap(props.children, width);
  const lines = all.slice(0, maxLines);
  useShownSentence(lines.length === all.length ? props.children : null);
  return (
    <Box flexDirection="column" flexShrink={0} marginLeft={indent}>
      {lines.map((line, index) => (
        <Text
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
          key={index}
          {...(props.tone ? { tone: props.tone } : {})}
          {...(props.bold ? { bold: true } : {})}
        >
          {line}
        </Text>
      ))}
    </Box>
  );
}

export function Paragraphs(props: { readonly texts: readonly string[] }) {
  return props.texts.map((text) => <Paragraph key={text}>{text}</Paragraph>);
}

export interface WaitWords {
  readonly words: string;
  /** Epoch milliseconds of the start. Default: the time when the words were first shown. */
  readonly since?: number;
  readonly more?: string;
}

/**
 * Shows the task that the screen waits for, and the elapsed seconds after the first second. A
 * linear console does not show the seconds.
 */
export function Waiting({ bold = false, ...props }: WaitWords & { readonly bold?: boolean }) {
  return <Paragraph bold={bold}>{useWaitWords(props)}</Paragraph>;
}

export function useWaitWords({ words, more = "", since }: WaitWords): string {
  const { clock } = useApp();
  const linear = useLinear();
  const [opened] = useState(() => clock.now());
  const waited = useNow(1_000) - (since ?? opened);
  const seconds = linear || waited < 1_000 ? "" : ` ${wholeSeconds(waited)}`;
  const end = seconds === "" || more === "" ? "" : ".";
  return `${words}${seconds}${end} ${more}`.trimEnd();
}
