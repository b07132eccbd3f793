import { Box } from "ink";
import type { Tone } from "../theme.tsx";
import { Line } from "./text.tsx";

/** One thing that was seen to happen. */
export interface Moment {
  readonly at: string;
  readonly mark: string;
  readonly label: string;
  readonly tone: Tone;
  readonly remark: string;
}

/** What was observed, newest first, as many lines as there is room for. */
export function Timeline(props: { readonly moments: readonly Moment[]; readonly rows: number }) {
  const shown = props.moments.slice(0, Math.max(0, props.rows));
  return (
    <Box flexDirection="column" flexShrink={0}>
      {shown.map((moment) => (
        <Line
          key={`${moment.at} ${moment.label}`}
          pieces={[
            { text: `${moment.at}  `, tone: "muted" },
            { text: `${moment.mark} ${moment.label}`, tone: moment.tone },
            { text: moment.remark === "" ? "" : `  ${moment.remark}`, tone: "muted" },
          ]}
        />
      ))}
    </Box>
  );
}
