import { Box } from "ink";
import { useServiceNow } from "../hooks/now.ts";
import { useLinear, useRoom } from "../hooks/window.tsx";
import { columnChart } from "../text/chart.ts";
import { daySpan, formatInstant, shortDay, shownOffsetMs, yearOf } from "../text/dates.ts";
import { dayMs, formatDuration } from "../text/durations.ts";
import { count } from "../text/numbers.ts";
import type { CreatedChart as Chart } from "../triage/figures/chart.ts";
import { Line, Text } from "./text.tsx";

const weekdays = ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"] as const;

export const partWords = " (list incomplete)";

const maxBarCells = 4;

const minWeekdayCells = 10;

/**
 * Shows the accounts created over time, from `account_created_at` (INTERFACE 2, list item). The
 * last bar is muted until its period ends.
 */
export function CreatedChart(props: {
  readonly created: Chart | null;
  readonly imported: number;
  readonly rows: number;
  readonly hasAxis?: boolean;
  /** True if accounts of the list are missing in the chart. Default: false. */
  readonly isPart?: boolean;
}) {
  const linear = useLinear();
  const room = useRoom();
  const now = useServiceNow(60_000);
  const { created, imported, rows, hasAxis = true, isPart = false } = props;
  if (!created) {
    const reason =
      imported === 0
        ? "No chart: nothing is imported yet."
        : "No chart: no account on this list has a creation time.";
    return <Text>{reason}</Text>;
  }
  const title = `Imported per ${bucketName(created.bucketMs)}${isPart ? partWords : ""}`;
  const peak = peakWords(created, now);
  if (linear) {
    const last = created.counts.at(-1) ?? 0;
    return <Text>{`${title}: ${peak}, ${count(last)} in the latest.`}</Text>;
  }
  const { chart, cells } = fitChart(created, room.columns);
  const width = chart.counts.length * cells;
  const isGrowing = endOf(chart) > now;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Line
        pieces={[
          { text: title, tone: "title" },
          { text: " ".repeat(Math.max(2, width - title.length - peak.length)) + peak },
        ]}
      />
      {columnChart(chart.counts, rows).map((line, index) => {
        const bars = Array.from(line, (bar) => bar.repeat(cells));
        return (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
            key={index}
            pieces={[
              { text: bars.slice(0, -1).join("") },
              { text: bars.at(-1) ?? "", tone: isGrowing ? "muted" : "plain" },
            ]}
          />
        );
      })}
      {hasAxis ? <Text tone="muted">{axisOf(chart, cells, now)}</Text> : null}
    </Box>
  );
}

/**
 * Returns the chart fitted to `width` cells: bars of equal width, with empty periods added before
 * the first bar.
 */
export function fitChart(chart: Chart, width: number): { readonly chart: Chart; cells: number } {
  const { startMs, bucketMs, counts } = chart;
  const shown = counts.slice(-width);
  const cells = Math.max(1, Math.min(maxBarCells, Math.floor(width / shown.length)));
  const before = Math.max(0, Math.floor(width / cells) - shown.length);
  const firstIndex = counts.length - shown.length - before;
  return {
    chart: {
      startMs: startMs + firstIndex * bucketMs,
      bucketMs,
      counts: [...new Array<number>(before).fill(0), ...shown],
    },
    cells,
  };
}

function endOf({ startMs, bucketMs, counts }: Chart): number {
  return startMs + counts.length * bucketMs;
}

/**
 * Describes the highest bar: `peak 135 on 3 Nov`, with the time if a bar is less than a day, or with
 * its days if it is longer: `peak 278, 15–28 Apr 2024`.
 */
export function peakWords({ startMs, bucketMs, counts }: Chart, now: number): string {
  const highest = Math.max(...counts);
  const at = startMs + counts.indexOf(highest) * bucketMs;
  if (bucketMs > dayMs) {
    const last = at + bucketMs - dayMs;
    return `peak ${count(highest)}, ${daySpan(inDay(at, bucketMs), inDay(last, bucketMs))}`;
  }
  const time = bucketMs < dayMs ? ` ${formatInstant(at).slice(11, 16)}` : "";
  return `peak ${count(highest)} on ${shortDay(inDay(at, bucketMs), now)}${time}`;
}

/** Names the period of one bar: `day`, `2 weeks`, `6 h`. */
function bucketName(bucketMs: number): string {
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
 * Returns a time that is surely within the day of a bucket. For a bucket of a day or more it is
 * noon, because a clock change can move midnight into another day.
 */
function inDay(ms: number, bucketMs: number): number {
  return bucketMs >= dayMs ? ms + dayMs / 2 : ms;
}

/**
 * Returns the axis below bars of `cells` cells each: on the left the start of the first bar, then
 * the dates at which weeks, days or months start, and on the right `now`, `today` or the day of the
 * last bar.
 */
export function axisOf(chart: Chart, cells: number, now: number): string {
  const { startMs, bucketMs, counts } = chart;
  const width = counts.length * cells;
  const isDay = bucketMs >= dayMs;
  const timeOf = (bucket: number) => inDay(startMs + bucket * bucketMs, bucketMs);
  const time = bucketMs < dayMs / 2 ? ` ${formatInstant(startMs).slice(11, 16)}` : "";
  const isOver = endOf(chart) <= now;
  const end = isOver ? timeOf(counts.length - 1) : now;
  const start = timeOf(0);
  const isOneYear = yearOf(start) === yearOf(end);
  const left = (isOneYear ? shortDay(start, now) : daySpan(start, start)) + time;
  const right = isOver ? shortDay(end, now) : isDay ? "today" : "now";
  if (left.length + 1 + right.length > width) return `${left} to ${right}`;
  const line = new Array<string>(width).fill(" ");
  const write = (text: string, from: number) => {
    for (let cell = 0; cell < text.length; cell++) line[from + cell] = text[cell] as string;
  };
  write(left, 0);
  write(right, width - right.length);
  let namedYear = yearOf(start);
  const cellsBetween = (bucketMs === dayMs ? 7 : dayMs / bucketMs) * cells;
  for (let bucket = 1; bucket < counts.length; bucket++) {
    const day = localDay(timeOf(bucket));
    const weekday = weekdays[new Date(day * dayMs).getUTCDay()] ?? "";
    const date = shortDay(timeOf(bucket), timeOf(bucket));
    const isMarked =
      bucketMs > dayMs
        ? date.slice(-3) !== shortDay(timeOf(bucket - 1), timeOf(bucket)).slice(-3)
        : isDay
          ? weekday === "Mo"
          : day !== localDay(timeOf(bucket - 1));
    const year = yearOf(timeOf(bucket));
    const plain = cellsBetween >= minWeekdayCells ? `${weekday} ${date}` : date;
    const text = year === namedYear ? plain : `${plain} ${year}`;
    const from = bucket * cells;
    const isFree = line.slice(from - 1, from + text.length + 1).every((cell) => cell === " ");
    if (!isMarked || !isFree || from + text.length >= width) continue;
    write(text, from);
    namedYear = year;
  }
  return line.join("");
}

/** Returns the day of an instant in the displayed time zone, in days since 1970. */
function localDay(ms: number): number {
  return Math.floor((ms + shownOffsetMs(ms)) / dayMs);
}
