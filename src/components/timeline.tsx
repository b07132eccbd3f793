import { Box } from "ink";
import type { Tone } from "../theme.tsx";
import { Line } from "./text.tsx";

/** One thing that was observed. */
export interface Moment {
  readonly at: string;
  readonly mark: string;
  readonly label: string;
  readonly tone: Tone;
  readonly remark: string;
}

/** What was observed, newest first, as many lines as there is room for, beside its label. */
export function Timeline(props: {
  readonly label: string;
  /** Cells of the labels' column. */
  readonly labels: number;
  readonly moments: readonly Moment[];
  readonly rows: number;
}) {
  const shown = props.moments.slice(0, Math.max(0, props.rows));
  const times = Math.max(0, ...shown.map(({ at }) => at.length));
  return (
    <Box flexDirection="column" flexShrink={0}>
      {shown.map((moment, index) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: a state can be observed twice in one second
          key={index}
          pieces={[
            { text: (index === 0 ? props.label : "").padEnd(props.labels), tone: "muted" },
            { text: `${moment.at.padEnd(times)}  ` },
            { text: `${moment.mark} ${moment.label}`, tone: moment.tone },
            { text: moment.remark === "" ? "" : `  ${moment.remark}`, tone: "muted" },
          ]}
        />
      ))}
    </Box>
  );
}
