import { slowedWords } from "../../bulk/progress.ts";
import { Line, type Piece, Text } from "../../components/text.tsx";
import { useKeyWords } from "../../hooks/keys.tsx";
import { useLinear } from "../../hooks/linear.ts";
import { useNow } from "../../hooks/now.tsx";
import { countsText, doneOf } from "../../hooks/run-words.ts";
import type { RunView } from "../../hooks/runs.ts";
import { useSession } from "../../hooks/session.tsx";
import { useRoom } from "../../hooks/window.tsx";
import { bar } from "../../text/chart.ts";
import { formatInstant } from "../../text/dates.ts";
import { wholeSeconds } from "../../text/durations.ts";
import { count, percent, plural } from "../../text/numbers.ts";
import { truncate } from "../../text/width.ts";
import { useTheme } from "../../theme.tsx";
import { kindName, runState, sourceName, standsBecause } from "./run-state.ts";

/** Lines that the summary takes. */
export const summaryRows = 4;

/** How far a run is, how its rows stand, and how it goes. */
export function RunSummary(props: { readonly view: RunView }) {
  const { record } = props.view;
  const { ascii } = useTheme();
  const linear = useLinear();
  const { columns } = useRoom();
  const { profile } = useSession();
  const other = record.profile === profile.name ? "" : `, by the profile ${record.profile}`;
  const words = runState(props.view);
  const done = doneOf(record);
  const share = percent(done, record.rows);
  const figures = `  ${count(done)} of ${count(record.rows)}  ${share}`;
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
            text: `  ${kindName(record.kind)} from ${sourceName(record.source)}, ${formatInstant(record.createdAt, { seconds: false })}${other}`,
            tone: "muted",
          },
        ]}
      />
      <Line
        pieces={[
          {
            text: linear ? "" : bar(record.rows === 0 ? 0 : done / record.rows, width, ascii),
            tone: words.tone,
          },
          { text: figures },
        ]}
      />
      <Text>{truncate(countsText(record.counts), columns, { ascii })}</Text>
      <Going view={props.view} />
    </>
  );
}

/** Rate and time left while it runs; else why it stands. */
function Going(props: { readonly view: RunView }) {
  const { turn, process } = props.view;
  const { baseUrl } = useSession();
  const now = useNow();
  const key = useKeyWords();
  if (turn?.kind === "recording") {
    return (
      <Text tone="busy">{`${count(turn.recorded)} rows on record; nothing is sent before all are.`}</Text>
    );
  }
  if (turn?.kind === "running") {
    const { progress } = turn;
    if (progress === null) return <Text tone="busy">Starting…</Text>;
    const { pause } = progress;
    if (pause !== null) {
      const next = wholeSeconds(Math.max(0, pause.nextTryAt - now));
      return (
        <Text tone="waiting">
          {`Paused for ${wholeSeconds(now - pause.since)}: ${pause.why}. Tried again in ${next}.`}
        </Text>
      );
    }
    if (turn.stopping) {
      const waitedFor = plural(progress.inFlight, "request");
      return (
        <Text tone="waiting">
          {`Stopping: ${waitedFor} in flight, waited for; ${key("stop-run")} cuts off.`}
        </Text>
      );
    }
    const { slowed } = progress;
    const pieces: Piece[] = [
      { text: rateText(progress.perSecond) },
      { text: slowed === null ? "" : ` (${slowedWords(slowed)})`, tone: "waiting" },
      {
        text:
          progress.secondsLeft === null
            ? ""
            : `, about ${wholeSeconds(progress.secondsLeft * 1_000)} left`,
      },
      {
        text: `  ${plural(progress.inFlight, "request")} in flight, ${progress.limit} at most`,
        tone: "muted",
      },
    ];
    return <Line pieces={pieces} />;
  }
  if (process !== null) {
    return <Text tone="busy">{`Process ${process} is at it; what it does shows here.`}</Text>;
  }
  return <Text tone="waiting">{standsBecause(props.view, baseUrl, key) ?? " "}</Text>;
}

function rateText(perSecond: number): string {
  if (perSecond === 0) return "No row ended in the last seconds";
  const rate = perSecond >= 10 ? count(Math.round(perSecond)) : perSecond.toFixed(1);
  return `${rate} rows a second`;
}
