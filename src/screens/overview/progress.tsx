import type { AccountStatistics, NoEstimate } from "../../accounts/statistics.ts";
import { Line, type Piece } from "../../components/text.tsx";
import { useLinear } from "../../hooks/linear.ts";
import { useRoom } from "../../hooks/window.tsx";
import { bar } from "../../text/chart.ts";
import { formatInstant } from "../../text/dates.ts";
import { formatDuration } from "../../text/durations.ts";
import { count, percent } from "../../text/numbers.ts";
import { useTheme } from "../../theme.tsx";

/** How far the migration is, how fast it goes, and when it may be done. */
export function Progress(props: {
  readonly statistics: AccountStatistics;
  /** It was never read to its end yet: what is shown is so far. */
  readonly partial: boolean;
}) {
  const room = useRoom();
  const theme = useTheme();
  const linear = useLinear();
  const { imported, pending, total } = props.statistics;
  const share = percent(imported, total);
  const width = Math.max(10, room.columns - 22);
  return (
    <>
      <Line
        pieces={[
          { text: "Imported  ", tone: "title" },
          {
            text: linear ? "" : bar(total === 0 ? 0 : imported / total, width, theme.ascii),
            tone: "ok",
          },
          { text: `  ${total === 0 ? "" : share}`, tone: "title" },
        ]}
      />
      <Line
        pieces={[
          { text: "          " },
          { text: `${count(imported)} imported`, tone: "ok" },
          { text: "   " },
          { text: `${count(pending)} pending`, tone: "waiting" },
          { text: `   ${count(total)} in all${props.partial ? ", so far" : ""}`, tone: "muted" },
        ]}
      />
      <RateLine statistics={props.statistics} partial={props.partial} />
    </>
  );
}

/** Rate and finish: beside each other where there is room. */
function RateLine(props: { readonly statistics: AccountStatistics; readonly partial: boolean }) {
  const room = useRoom();
  const { rate, finish } = props.statistics;
  // Of some of the accounts both would be told, and wrong by whatever is still to come.
  const notYet = { text: "known once all are read", tone: "muted" } as const;
  const rateLine: readonly Piece[] = [
    { text: "Rate      ", tone: "title" },
    props.partial
      ? notYet
      : rate
        ? { text: `${rateWords(rate.perHour)}, in the last ${formatDuration(rate.windowMs)}` }
        : { text: "not known", tone: "muted" },
  ];
  const finishLine: readonly Piece[] = [
    { text: "Finish    ", tone: "title" },
    props.partial
      ? notYet
      : finish.kind === "estimate"
        ? { text: `about ${formatInstant(finish.at, { seconds: false })} at this rate` }
        : { text: noEstimate[finish.reason], tone: "muted" },
  ];
  if (room.columns >= 100) {
    return <Line pieces={[...rateLine, { text: "    " }, ...finishLine]} />;
  }
  return (
    <>
      <Line pieces={rateLine} />
      <Line pieces={finishLine} />
    </>
  );
}

function rateWords(perHour: number): string {
  if (perHour >= 10) return `${count(Math.round(perHour))} an hour`;
  if (perHour >= 1) return `${perHour.toFixed(1)} an hour`;
  return `${(perHour * 24).toFixed(1)} a day`;
}

const noEstimate: Readonly<Record<NoEstimate, string>> = {
  "nothing-pending": "nothing is pending",
  "no-creation-times": "not known: no creation times",
  standstill: "not known: none in seven days",
  "too-few": "not known: too few to tell",
  "too-far": "more than ten years at this rate",
  "not-all-kept": "not known: not all accounts are kept",
};
