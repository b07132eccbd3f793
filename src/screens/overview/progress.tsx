import { Box } from "ink";
import { type CreationRate, type NoEstimate, rangeWords } from "../../accounts/finish.ts";
import type { AccountStatistics } from "../../accounts/statistics.ts";
import { Line, type Piece } from "../../components/text.tsx";
import { useLinear, useRoom } from "../../hooks/window.tsx";
import { bar } from "../../text/chart.ts";
import { formatDuration } from "../../text/durations.ts";
import { count, percent } from "../../text/numbers.ts";
import { widthOf } from "../../text/width.ts";
import { useTheme } from "../../theme.tsx";

/** From this width on, rates and finish fit one line. */
const wide = 110;

/** Lines that the progress takes in a room of `columns` cells. */
export function progressRows(columns: number): number {
  return columns >= wide ? 2 : 3;
}

/** How far the migration is, how fast it goes, and how long it may take. */
export function Progress(props: {
  readonly statistics: AccountStatistics;
  /** It was never read to its end yet: what is shown is so far. */
  readonly partial: boolean;
}) {
  const room = useRoom();
  const theme = useTheme();
  const linear = useLinear();
  const { imported, pending, total, rates, finish } = props.statistics;
  const { partial } = props;
  // A share of a part of the list would be wrong by whatever is still to come.
  const share = total === 0 || partial ? "" : percent(imported, total);
  const head = partial
    ? `${count(imported)} imported, ${count(pending)} pending so far`
    : `${count(imported)} of ${count(total)} imported`;
  const width = Math.max(4, room.columns - widthOf(head) - widthOf(share) - 4);
  const pendingPiece: Piece = { text: `${count(pending)} pending   `, tone: "waiting" };
  // Of some of the accounts both would be wrong by whatever is still to come.
  const finishPiece: Piece = partial
    ? { text: "rates and finish: known when all accounts are loaded", tone: "muted" }
    : finish.kind === "range"
      ? { text: `${rangeWords(finish)} left at these rates` }
      : { text: noEstimate[finish.reason], tone: "muted" };
  const ratePieces: readonly Piece[] = partial
    ? []
    : rates.map((rate, at) => ({ text: (at === 0 ? "" : "   ") + rateWords(rate) }));
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Line
        pieces={[
          { text: head, tone: "title" },
          {
            text:
              linear || partial
                ? ""
                : `  ${bar(total === 0 ? 0 : imported / total, width, theme.ascii)}`,
            tone: "ok",
          },
          { text: share === "" ? "" : `  ${share}`, tone: "title" },
        ]}
      />
      {room.columns >= wide ? (
        <Line
          pieces={[...(partial ? [] : [pendingPiece]), finishPiece, { text: "   " }, ...ratePieces]}
        />
      ) : (
        <>
          <Line pieces={[...(partial ? [] : [pendingPiece]), finishPiece]} />
          <Line pieces={ratePieces} />
        </>
      )}
    </Box>
  );
}

/** A rate with its span: `412/h in the last 1 h`. */
function rateWords({ perHour, windowMs }: CreationRate): string {
  const figure =
    perHour === 0
      ? "0/h"
      : perHour >= 10
        ? `${count(Math.round(perHour))}/h`
        : perHour >= 1
          ? `${perHour.toFixed(1)}/h`
          : `${(perHour * 24).toFixed(1)} a day`;
  return `${figure} last ${spanWords(windowMs)}`;
}

function spanWords(ms: number): string {
  return ms === 3_600_000 ? "hour" : ms === 86_400_000 ? "24 h" : formatDuration(ms);
}

const noEstimate: Readonly<Record<NoEstimate, string>> = {
  "nothing-pending": "",
  "no-creation-times": "finish not known: no creation times",
  standstill: "finish not known: none imported in 7 days",
  "too-few": "finish not known: too few imported lately",
  "too-far": "more than ten years left at these rates",
  "too-uneven": "finish not known: the rates differ too much",
  "not-all-kept": "finish not known: not all accounts are stored",
};
