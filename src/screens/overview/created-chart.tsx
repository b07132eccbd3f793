import type { AccountStatistics } from "../../accounts/statistics.ts";
import { Line, Text } from "../../components/text.tsx";
import { useLinear } from "../../hooks/linear.ts";
import { columns } from "../../text/chart.ts";
import { formatInstant } from "../../text/dates.ts";
import { formatDuration } from "../../text/durations.ts";
import { count } from "../../text/numbers.ts";
import { fit, widthOf } from "../../text/width.ts";
import { useTheme } from "../../theme.tsx";

/** Accounts created over time, from `account_created_at` (INTERFACE 2, list item). */
export function CreatedChart(props: {
  readonly statistics: AccountStatistics;
  readonly rows: number;
}) {
  const theme = useTheme();
  const linear = useLinear();
  const { created } = props.statistics;
  if (!created) {
    return <Text tone="muted">No account of this list has a creation time to draw.</Text>;
  }
  if (linear) {
    const last = created.counts.at(-1) ?? 0;
    return (
      <Text>
        {`Accounts created: most in ${formatDuration(created.bucketMs)} ${count(Math.max(...created.counts))}, in the last ${formatDuration(created.bucketMs)} ${count(last)}.`}
      </Text>
    );
  }
  const lines = columns(created.counts, props.rows, theme.ascii);
  const most = Math.max(...created.counts);
  const from = formatInstant(created.startMs, { seconds: false });
  const to = formatInstant(created.startMs + created.counts.length * created.bucketMs, {
    seconds: false,
  });
  const gap = created.counts.length - widthOf(from) - widthOf(to);
  return (
    <>
      <Line
        pieces={[
          { text: "Accounts created", tone: "title" },
          {
            text: `  a column is ${formatDuration(created.bucketMs)}, the highest ${count(most)}`,
            tone: "muted",
          },
        ]}
      />
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <Text key={index} tone="busy">
          {line}
        </Text>
      ))}
      <Text tone="muted">
        {gap > 0 ? from + " ".repeat(gap) + to : fit(`${from} to ${to}`, 40)}
      </Text>
    </>
  );
}
