import { Box } from "ink";
import { Line, Text } from "../../components/text.tsx";
import { useServiceNow } from "../../hooks/now.ts";
import { useLinear } from "../../hooks/window.tsx";
import { columns } from "../../text/chart.ts";
import { formatInstant, shownOffsetMs } from "../../text/dates.ts";
import { dayMs, formatDuration } from "../../text/durations.ts";
import { count } from "../../text/numbers.ts";
import { useTheme } from "../../theme.tsx";
import type { CreatedChart as Chart } from "../../triage/figures/chart.ts";
import type { TableFigures } from "../../triage/figures/table-figures.ts";

const weekdays = ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"] as const;

/** Accounts created over time, from `account_created_at` (INTERFACE 2, list item). */
export function CreatedChart(props: { readonly figures: TableFigures; readonly rows: number }) {
  const theme = useTheme();
  const linear = useLinear();
  const now = useServiceNow(60_000);
  const { created, imported } = props.figures;
  if (!created) {
    const why =
      imported === 0
        ? "No chart: nothing is imported yet."
        : "No chart: no account on this list has a creation time.";
    return <Text>{why}</Text>;
  }
  const span = spanName(created.bucketMs);
  const most = Math.max(...created.counts);
  if (linear) {
    const last = created.counts.at(-1) ?? 0;
    return (
      <Text>{`Imported per ${span}: at most ${count(most)}, ${count(last)} in the latest.`}</Text>
    );
  }
  const title = `Imported per ${span}`;
  const peak = `peak ${count(most)}`;
  const between = Math.max(2, created.counts.length - title.length - peak.length);
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Line
        pieces={[
          { text: title, tone: "title" },
          { text: " ".repeat(between) + peak, tone: "muted" },
        ]}
      />
      {columns(created.counts, props.rows, theme.ascii).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <Text key={index} tone="busy">
          {line}
        </Text>
      ))}
      <Text tone="muted">{axisOf(created, now)}</Text>
    </Box>
  );
}

function spanName(bucketMs: number): string {
  const units = [
    [7 * dayMs, "week", "weeks"],
    [dayMs, "day", "days"],
    [3_600_000, "hour", "h"],
    [60_000, "minute", "min"],
  ] as const;
  for (const [ms, one, many] of units) {
    const n = bucketMs / ms;
    if (n === 1) return one;
    if (n > 1 && Number.isInteger(n)) return `${n} ${many}`;
  }
  return formatDuration(bucketMs);
}

/**
 * The line below the columns: when the first begins, weekdays where days or weeks begin, and on the
 * right the present, or when the last one ends where that is in the past.
 */
export function axisOf({ startMs, bucketMs, counts }: Chart, now: number): string {
  const width = counts.length;
  const endMs = startMs + width * bucketMs;
  const day = bucketMs >= dayMs;
  // Where the clocks have changed since, a day begins beside its midnight: its noon is in it.
  const name = (ms: number) =>
    day ? formatInstant(ms + dayMs / 2).slice(0, 10) : formatInstant(ms).slice(0, 16);
  const right = endMs <= now ? name(endMs - bucketMs) : day ? "today" : "now";
  const left = name(startMs);
  if (left.length + 1 + right.length > width) return `${left} to ${right}`;
  const cells = new Array<string>(width).fill(" ");
  const put = (text: string, at: number) => {
    for (let cell = 0; cell < text.length; cell++) cells[at + cell] = text[cell] as string;
  };
  put(left, 0);
  put(right, width - right.length);
  if (bucketMs > dayMs) return cells.join("");
  for (let at = left.length + 1; at < width - right.length - 2; at++) {
    const date = localDay(startMs + at * bucketMs + (day ? dayMs / 2 : 0));
    const weekday = new Date(date * dayMs).getUTCDay();
    const marks = day ? weekday === 1 : date !== localDay(startMs + (at - 1) * bucketMs);
    const isFree = cells.slice(at - 1, at + 3).every((cell) => cell === " ");
    if (marks && isFree) put(weekdays[weekday] ?? "", at);
  }
  return cells.join("");
}

/** The day of an instant in the zone shown, counted from 1970. */
function localDay(ms: number): number {
  return Math.floor((ms + shownOffsetMs(ms)) / dayMs);
}
