import { type RunProgress, slowWords, speedText, timeLeftText } from "../../bulk/progress.ts";
import { countsWithin, rowsDone, shareText } from "../../bulk/run-counts.ts";
import { contentsOf } from "../../bulk/run-settings.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { runBar } from "../../components/run-bar.ts";
import { Line, type Piece, Text } from "../../components/text.tsx";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useNow } from "../../hooks/now.ts";
import { useLinear, useRoom } from "../../hooks/window.tsx";
import { formatInstant } from "../../text/dates.ts";
import { wholeSeconds } from "../../text/durations.ts";
import { count, plural } from "../../text/numbers.ts";
import { useTheme } from "../../theme.tsx";
import { pauseOf, type RunStands, runState, sourceName, standsBecause } from "./run-state.ts";
import type { RunView } from "./run-views.ts";

/** Why a run is paused is shown whole where this many lines hold it. */
const pauseRows = 2;

/** Lines that the summary takes. */
export function summaryRows({ task }: RunView): number {
  return pauseOf(task) === null ? 4 : 3 + pauseRows;
}

/** How far a run is, how its rows stand, and how it goes. */
export function RunSummary(props: { readonly view: RunView }) {
  const { record } = props.view;
  const { ascii } = useTheme();
  const linear = useLinear();
  const { columns } = useRoom();
  const { profile } = useSession();
  const other = record.profile === profile.name ? "" : `, by the profile ${record.profile}`;
  const words = runState(props.view);
  const done = rowsDone(record);
  const figures = `  ${count(done)} of ${count(record.rows)}  ${shareText(record)}`;
  const width = Math.max(6, Math.min(60, columns - figures.length));
  return (
    <>
      <Line
        pieces={[
          {
            text: `${ascii ? words.asciiMark : words.mark} ${words.text}`,
            tone: words.tone,
            bold: true,
          },
          {
            text: `  ${contentsOf(record)} from ${sourceName(record.source)}, ${formatInstant(record.createdAt, { seconds: false })}${other}`,
            tone: "muted",
          },
        ]}
      />
      <Line
        pieces={[
          ...(linear ? [] : runBar(record.counts, record.rows, width, ascii)),
          { text: figures },
        ]}
      />
      <Text>{countsWithin(record.counts, columns)}</Text>
      <Going view={props.view} />
    </>
  );
}

/** Rate and time left while it runs; else why it stands. */
function Going(props: { readonly view: RunView }) {
  const { task, process } = props.view;
  const { baseUrl } = useSession();
  const now = useNow();
  const { key } = useApp();
  const { columns } = useRoom();
  if (task?.kind === "running") {
    const { progress: stage, stopping } = task;
    if (stage.kind === "recording") {
      const recorded = count(stage.recorded);
      return <Text tone="busy">{`${recorded} rows recorded; sending starts when all are.`}</Text>;
    }
    const { progress } = stage;
    if (progress === null) return <Text tone="busy">Starting…</Text>;
    const { pause } = progress;
    if (pause !== null) {
      const wait = pause.nextTryAt - now;
      const next = wait > 0 ? `Next try in ${wholeSeconds(wait)}` : "Trying now";
      return (
        <Paragraph tone="waiting" most={pauseRows}>
          {`${next}: ${pause.why}. Paused for ${wholeSeconds(now - pause.since)}.`}
        </Paragraph>
      );
    }
    if (stopping) {
      const waitedFor = plural(progress.inFlight, "request");
      return (
        <Text tone="waiting">
          {`Stopping: waiting for ${waitedFor} in flight; ${key("stop-run")} cuts off.`}
        </Text>
      );
    }
    const why = slowWords(progress);
    const left = timeLeftText(progress);
    const pieces: Piece[] = [
      { text: speedText(progress) },
      { text: why === null ? "" : ` (${why})`, tone: "waiting" },
      { text: left === "" ? "" : `, about ${left}` },
      {
        text: `  ${inFlightWords(progress, columns)}`,
        tone: "muted",
      },
    ];
    return <Line pieces={pieces} />;
  }
  if (process !== null) {
    return <Text tone="busy">{`Process ${process} is running it; its progress shows here.`}</Text>;
  }
  return (
    <Text tone="waiting">{remedyFirst(standsBecause(props.view, baseUrl, key), columns)}</Text>
  );
}

/** How many requests are under way, in the words that fit beside the rate. */
function inFlightWords({ inFlight, limit }: RunProgress, columns: number): string {
  if (columns < 80) return `${count(inFlight)} in flight`;
  return `${plural(inFlight, "request")} in flight, ${limit} at most`;
}

/** On one line: where it is cut, what to do stands before why. */
function remedyFirst(stands: RunStands | null, width: number): string {
  if (stands === null) return " ";
  const { because, next } = stands;
  return `${because} ${next}`.length <= width ? `${because} ${next}` : `${next} ${because}`;
}
