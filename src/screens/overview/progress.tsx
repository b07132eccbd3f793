/** The upper part of an overview: the progress bar, and the lines with rates and changes. */
import { Box } from "ink";
import { barPieces } from "../../components/bar-pieces.ts";
import {
  allGoneWords,
  heldBackParts,
  lastDayParts,
  waitingWords,
} from "../../components/figure-words.ts";
import { Line, type LinePart, partLines } from "../../components/text.tsx";
import { useSession } from "../../hooks/app.tsx";
import { useServiceNow } from "../../hooks/now.ts";
import { useLinear, useRoom } from "../../hooks/window.tsx";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import { shortInstant } from "../../text/dates.ts";
import { count, percent, plural } from "../../text/numbers.ts";
import { widthOf } from "../../text/width.ts";
import type { Tone } from "../../theme.tsx";
import { futureAccountsNote } from "../../triage/figures/newest.ts";
import type { SupplierHistory } from "../../triage/figures/supplier-figures.ts";
import type { TableFigures } from "../../triage/figures/table-figures.ts";
import { leftWords, ratesBehind, ratesWords } from "../../triage/forecast/words.ts";

export interface OverviewFigures {
  readonly figures: Pick<
    TableFigures,
    "total" | "imported" | "pending" | "rates" | "finish" | "ahead"
  >;
  /** The time of the list (epoch milliseconds), with which the pending times end. */
  readonly listedAt: number;
  readonly isEarlier: boolean;
  readonly history: SupplierHistory | null;
  readonly unlisted: number;
  /** True if the list was never read completely, so that the figures cover only the rows so far. */
  readonly isPartial: boolean;
}

export function Progress(props: OverviewFigures) {
  const room = useRoom();
  const linear = useLinear();
  const { figures, unlisted, isPartial } = props;
  const { imported, pending } = figures;
  const total = figures.total + unlisted;
  // A share of an incomplete list would be wrong, so none is shown.
  const share = total === 0 || isPartial ? "" : percent(imported, total);
  const countsText = isPartial
    ? `${count(imported)} imported, ${count(pending)} pending so far`
    : `${count(imported)} of ${count(total)} imported`;
  const width = Math.max(4, room.columns - widthOf(countsText) - widthOf(share) - 4);
  return (
    <Box flexShrink={0}>
      <Line
        pieces={[
          { text: countsText, tone: "title" },
          ...(linear || isPartial
            ? []
            : [{ text: "  " }, ...barPieces({ done: imported }, total, width, "solid")]),
          { text: share === "" ? "" : `  ${share}`, tone: "title" },
        ]}
      />
    </Box>
  );
}

export function useDetailLines(
  supplier: string,
  of: OverviewFigures,
): ReturnType<typeof partLines> {
  const room = useRoom();
  const now = useServiceNow(60_000);
  const { history, isPartial } = of;
  const parts = isPartial ? incompleteParts : paceParts(of, now);
  const changes = history === null || isPartial ? [] : lastDayParts(history, now);
  const { profile } = useSession();
  const heldBack = heldBackParts(supplier, history?.heldBack ?? null, profileFlag(profile));
  return [
    ...partLines(heldBack, room.columns),
    ...partLines(parts, room.columns),
    ...partLines(changes, room.columns, 2),
  ];
}

const incompleteParts: readonly LinePart[] = [
  [{ text: "rates and finish: known when all accounts are loaded" }],
];

function paceParts(of: OverviewFigures, now: number): readonly LinePart[] {
  const { figures, history, listedAt, isEarlier, unlisted } = of;
  const { finish, pending, rates } = figures;
  const part = (text: string, tone: Tone = "plain"): LinePart => [{ text, tone }];
  return [
    ...ratesWords(ratesBehind(finish, rates)).map((words) => part(words)),
    part(leftWords(finish)),
    part(waitingWords(history, listedAt), "waiting"),
    // If all accounts are listed, the pending accounts are exactly those that are not imported, so
    // their number adds nothing.
    part(unlisted === 0 || pending === 0 ? "" : `${count(pending)} pending`, "waiting"),
    part(unlisted === 0 ? "" : `${plural(unlisted, "account")} on no list`, "bad"),
    part(allGoneWords(history), "bad"),
    part(futureAccountsNote(figures.ahead), "waiting"),
    part(!isEarlier ? "" : `as listed ${shortInstant(listedAt, now)}`, "muted"),
  ];
}
