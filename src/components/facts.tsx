import { Box } from "ink";
import { fit } from "../text/width.ts";
import type { Tone } from "../theme.tsx";
import { Line } from "./text.tsx";

/** One line of a record: what it is, and its value. */
export interface Fact {
  readonly label: string;
  readonly value: string;
  readonly tone?: Tone;
}

/** A record as aligned label and value lines. */
export function Facts(props: { readonly facts: readonly Fact[] }) {
  const width = Math.max(...props.facts.map((fact) => fact.label.length), 0) + 2;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {props.facts.map((fact) => (
        <Line
          key={fact.label}
          pieces={[
            { text: fit(fact.label, width), tone: "muted" },
            { text: fact.value, ...(fact.tone ? { tone: fact.tone } : {}) },
          ]}
        />
      ))}
    </Box>
  );
}
