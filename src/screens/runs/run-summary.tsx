/** The lines above the rows of a bulk run: its outcome, counts and progress. */
import { useMemo } from "react";
import {
  pauseSentence,
  type RunProgress,
  slowWords,
  speedText,
  timeLeftText,
} from "../../bulk/progress.ts";
import type { RunCounts } from "../../bulk/run-record.ts";
import { contentsOf } from "../../bulk/run-settings.ts";
import { countsText, countsWithin, countWords, rowsDone } from "../../bulk/run-words.ts";
import { runBar } from "../../components/bar-pieces.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { Line, type Piece, Text } from "../../components/text.tsx";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useDoneWords } from "../../hooks/journal.ts";
import { useNow } from "../../hooks/now.ts";
import { useLinear, useRoom } from "../../hooks/window.tsx";
import { shortInstant } from "../../text/dates.ts";
import { count, plural } from "../../text/numbers.ts";
import { widthOf, wrap } from "../../text/width.ts";
import type { Tone } from "../../theme.tsx";
import { isOver, pauseOf, runState, sourceName } from "./run-state.ts";
import type { RunView } from "./run-views.ts";

const pauseRows = 2;

export function summaryRows({ task }: RunView, steps: readonly string[]): number {
  return pauseOf(task) === null ? 2 + Math.max(1, steps.length) : 2 + pauseRows;
}

const maxSummed = 20_000;

/**
 * Returns the lines below the counts of a run that does not run: what took effect in at most two
 * lines, then the next steps. On a low screen, where rows are few, an effect of two lines is left out.
 */
export function useEndLines(
  view: RunView,
  steps: readonly string[],
  { columns, rows }: { readonly columns: number; readonly rows: number },
): readonly string[] {
  const { id } = view.record;
  const hasEnded = isOver(view);
  const filter = useMemo(() => (hasEnded ? { run: id } : null), [hasEnded, id]);
  const done = useDoneWords(filter, maxSummed);
  const lines = done === "" ? [] : wrap(done, Math.max(20, columns));
  const isLeftOut = lines.length > 1 && rows < minRowsForTwo;
  return [...(isLeftOut ? [] : lines.slice(0, 2)), ...steps];
}

const minRowsForTwo = 16;

export function RunSummary(props: { readonly view: RunView; readonly steps: readonly string[] }) {
  const { record } = props.view;
  const linear = useLinear();
  const { columns } = useRoom();
  const words = runState(props.view);
  const outcome = `${words.mark} ${outcomeText(props.view)}`;
  const bar = runBar(record.counts, record.rows, columns - widthOf(outcome) - gap, "solid");
  return (
    <>
      <Line
        pieces={[
          { text: outcome, tone: words.tone, bold: true },
          ...(linear ? [] : [{ text: " ".repeat(gap) }, ...bar]),
        ]}
      />
      <CountsLine view={props.view} />
      <ProgressLine {...props} />
    </>
  );
}

const gap = 2;

/**
 * Formats the main count: `22 of 60 rejected`, `60 of 60 confirmed` or `stopped, 12 of 60 ended`.
 */
function outcomeText(view: RunView): string {
  const { record } = view;
  const { rows, counts } = record;
  const of = (n: number, word: string) => `${count(n)} of ${count(rows)} ${word}`;
  if (record.state !== "ended" || view.task?.kind === "running")
    return `${runState(view).text}, ${of(rowsDone(record), "ended")}`;
  const worstOutcome = (["unknown", "rejected", "retryable"] as const).find(
    (name) => counts[name] > 0,
  );
  if (worstOutcome !== undefined) return of(counts[worstOutcome], worstOutcome);
  const { heldBack } = record.leftAlone;
  if (heldBack > 0) return of(heldBack, "held back");
  const { confirmed, exists, closed } = counts;
  return of(confirmed + exists + closed, exists + closed === 0 ? "confirmed" : "done");
}

const countTones: Readonly<Record<keyof RunCounts, Tone>> = {
  unknown: "unknown",
  rejected: "bad",
  retryable: "waiting",
  sending: "busy",
  waiting: "plain",
  confirmed: "ok",
  exists: "ok",
  closed: "plain",
};

/**
 * Shows the number of rows by outcome in the colors of the bar, and their contents, source, time
 * and profile as far as there is room.
 */
function CountsLine({ view }: { readonly view: RunView }) {
  const { record } = view;
  const linear = useLinear();
  const { columns } = useRoom();
  const { profile } = useSession();
  const now = useNow(60_000);
  const counts = linear ? countsText(record.counts) : countsWithin(record.counts, columns);
  const pieces = coloredCounts(record.counts, counts);
  const room = linear ? Number.MAX_SAFE_INTEGER : columns - widthOf(counts) - gap;
  const contents = contentsOf(record);
  const source = `${contents} from ${sourceName(record.source)}`;
  const withTime = `${source}, ${shortInstant(record.createdAt, now)}`;
  const withProfile =
    record.profile === profile.name ? withTime : `${withTime}, by ${record.profile}`;
  const facts = [withProfile, withTime, source].find((text) => widthOf(text) <= room) ?? contents;
  const space = linear ? gap : Math.max(gap, columns - widthOf(counts) - widthOf(facts));
  return <Line pieces={[...pieces, { text: " ".repeat(space) + facts }]} />;
}

function coloredCounts(counts: RunCounts, text: string): readonly Piece[] {
  const names = countWords.filter(({ name }) => counts[name] > 0).map(({ name }) => name);
  return text.split(/(?<=, )/).map((part, index) => {
    const name = names[index];
    const isMore = name === undefined || part.startsWith("+");
    return { text: part, tone: isMore ? "plain" : countTones[name] };
  });
}

/**
 * Shows the rate and the remaining time of a running run, or else the reason why it makes no
 * progress.
 */
function ProgressLine(props: { readonly view: RunView; readonly steps: readonly string[] }) {
  const { record, task } = props.view;
  const now = useNow();
  const { key } = useApp();
  const { columns } = useRoom();
  if (task?.kind === "running") {
    const { progress: stage, stopping } = task;
    if (stage.kind === "recording") {
      const recorded = count(stage.recorded);
      return <Text>{`${recorded} rows recorded; sending starts when all are.`}</Text>;
    }
    const { progress } = stage;
    if (progress === null) return <Text tone="busy">Starting…</Text>;
    const { pause } = progress;
    if (pause !== null) return <Paragraph most={pauseRows}>{pauseSentence(pause, now)}</Paragraph>;
    if (stopping) {
      const waitedFor = plural(progress.inFlight, "request");
      return (
        <Text>{`Stopping: waiting for ${waitedFor} in flight; ${key("stop-run")} cuts off.`}</Text>
      );
    }
    const why = slowWords(progress);
    const left = timeLeftText(progress);
    const pieces: Piece[] = [
      { text: speedText(progress) },
      { text: why === null ? "" : ` (${why})`, tone: "waiting" },
      { text: left === "" ? "" : left.startsWith("under") ? `, ${left}` : `, about ${left}` },
      {
        text: `  ${inFlightWords(progress, columns)}`,
        tone: "muted",
      },
    ];
    return <Line pieces={pieces} />;
  }
  if (record.process !== null) {
    return <Text>{`Process ${record.process} is running it; its progress shows here.`}</Text>;
  }
  if (props.steps.length === 0) return <Text> </Text>;
  return props.steps.map((step) => <Text key={step}>{step}</Text>);
}

function inFlightWords({ inFlight, limit }: RunProgress, columns: number): string {
  if (columns < 80) return `${count(inFlight)} in flight`;
  return `${plural(inFlight, "request")} in flight, ${limit} at most`;
}
