/** Shows facts, each as a line with a label and a value. */
import { Box } from "ink";
import type { Tone } from "../theme.tsx";
import { Paragraph } from "./paragraph.tsx";
import { Text } from "./text.tsx";

export interface Fact {
  readonly label: string;
  readonly value: string;
  readonly tone?: Tone;
}

export function labelWidth(labels: readonly string[]): number {
  return Math.max(0, ...labels.map((label) => label.length)) + 2;
}

export function Facts(props: { readonly facts: readonly Fact[]; readonly labels?: number }) {
  const width = props.labels ?? labelWidth(props.facts.map((fact) => fact.label));
  return (
    <Box flexDirection="column" flexShrink={0}>
      {props.facts.map((fact) => (
        <Box key={fact.label} flexShrink={0}>
          <Box width={width} flexShrink={0} marginRight={-width}>
            <Text tone="muted">{fact.label}</Text>
          </Box>
          <Paragraph indent={width} {...(fact.tone ? { tone: fact.tone } : {})}>
            {fact.value}
          </Paragraph>
        </Box>
      ))}
    </Box>
  );
}
