/**
 * The parts of what is shown of a supplier or a cohort: its figures in lines, a chart, and the
 * accounts that stand out. The board shows them below its rows, and the overview as a screen.
 */
import { Box } from "ink";
import { useSession } from "../hooks/app.tsx";
import { useServiceNow } from "../hooks/now.ts";
import { useLinear, useRoom } from "../hooks/window.tsx";
import { profileFlag } from "../settings/sandbox-profile.ts";
import { shortInstant } from "../text/dates.ts";
import { count, percent, plural } from "../text/numbers.ts";
import { widthOf } from "../text/width.ts";
import type { Tone } from "../theme.tsx";
import type { Figures } from "../triage/figures/figures.ts";
import { futureAccountsNote } from "../triage/figures/newest.ts";
import type { SupplierFigures, SupplierHistory } from "../triage/figures/supplier-figures.ts";
import { leftWords, ratesBehind, ratesWords } from "../triage/forecast/words.ts";
import { barPieces } from "./bar-pieces.ts";
import { CreatedChart } from "./created-chart.tsx";
import { Extremes } from "./extremes.tsx";
import { allGoneWords, heldBackParts, lastDayParts, waitingWords } from "./figure-words.ts";
import { NeedLines, type NeedRow } from "./supplier-needs.tsx";
import { Line, type LinePart, partLines } from "./text.tsx";

export interface ShownFigures {
  readonly supplier: string;
  readonly figures: Figures;
  /** Figures from observations have no chart. */
  readonly from: SupplierFigures["from"];
  /** The time of the list (epoch milliseconds), with which the pending times end. */
  readonly listedAt: number;
  readonly isEarlier: boolean;
  readonly history: SupplierHistory | null;
  readonly unlisted: number;
  /** True if the list was never read completely, so that the figures cover only the rows so far. */
  readonly isPartial: boolean;
}

/**
 * Returns the lines with rates, ages and changes, or none if `of` is null. `name` begins them in
 * place of a title. Rates and finish are left out if `hasPace` is false.
 */
export function useFigureLines(
  of: ShownFigures | null,
  options: { readonly name?: string; readonly hasPace: boolean; readonly hasChanges: boolean },
): ReturnType<typeof partLines> {
  const room = useRoom();
  const linear = useLinear();
  const now = useServiceNow(60_000);
  const { profile } = useSession();
  const { name = "", hasPace, hasChanges } = options;
  const width = linear ? Number.MAX_SAFE_INTEGER : room.columns;
  const head = [part(name, "title")];
  if (of === null) return partLines(head, width);
  const { supplier, history, isPartial } = of;
  const parts = [
    ...head,
    ...heldBackParts(supplier, history?.heldBack ?? null, profileFlag(profile)),
    ...(hasPace ? paceParts(of) : []),
    ...(isPartial ? [] : ageParts(of, now)),
  ];
  const changes = history === null || isPartial || !hasChanges ? [] : lastDayParts(history, now);
  return [...partLines(parts, width), ...partLines(changes, width, 2)];
}

function part(text: string, tone: Tone = "plain"): LinePart {
  return [{ text, tone }];
}

function paceParts({ figures, isPartial }: ShownFigures): readonly LinePart[] {
  const { finish, rates } = figures;
  if (isPartial) return [part("rates and finish: known when all accounts are loaded")];
  return [
    ...ratesWords(ratesBehind(finish, rates)).map((words) => part(words)),
    part(leftWords(finish)),
  ];
}

/** Returns the facts about ages and missing accounts, most severe first, without zeros. */
export function ageParts(
  { figures, history, listedAt, isEarlier, unlisted }: ShownFigures,
  now: number,
): readonly LinePart[] {
  const { pending, ahead } = figures;
  return [
    part(allGoneWords(history), "bad"),
    part(unlisted === 0 ? "" : `${plural(unlisted, "account")} on no list`, "bad"),
    part(waitingWords(history, listedAt), "waiting"),
    // If all accounts are listed, the pending accounts are exactly those that are not imported, so
    // their number adds nothing.
    part(unlisted === 0 || pending === 0 ? "" : `${count(pending)} pending`, "waiting"),
    part(futureAccountsNote(ahead), "waiting"),
    part(!isEarlier ? "" : `as listed ${shortInstant(listedAt, now)}`, "muted"),
  ];
}

export function Progress(props: ShownFigures) {
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

/** The number of lines around the bars of the chart: gap, title and axis, or only its title. */
const chartFrames = { whole: 3, title: 1 } as const;
const minChartRows = 2;
const maxChartRows = 16;

/**
 * Shows the chart and the accounts that stand out in at most `rows` lines: first those that need
 * someone, then those pending longest and the newest. The chart takes the room that is left. A part
 * without room is left out, because it would be drawn over another part.
 */
export function FigurePicture(props: {
  readonly of: ShownFigures;
  readonly needs: readonly NeedRow[];
  readonly rows: number;
  readonly isPart: boolean;
}) {
  const { of, needs, rows, isPart } = props;
  const { created, imported, longest, newest } = of.figures;
  const accounts = Math.max(longest.length, newest.length);
  const { chart, frame, below } =
    of.from === "observations"
      ? { chart: 0, frame: 0, below: Math.max(0, rows - 1) }
      : pictureRows(rows, needs.length, accounts);
  const shownNeeds = needs.slice(0, below);
  const rest = below - shownNeeds.length;
  return (
    <>
      {chart > 0 ? (
        <Box marginTop={frame > 1 ? 1 : 0} flexDirection="column" flexShrink={0}>
          <CreatedChart
            created={created}
            imported={imported}
            rows={chart}
            hasAxis={frame > 1}
            isPart={isPart}
          />
        </Box>
      ) : null}
      {below > 1 && shownNeeds.length + accounts > 0 ? (
        <Box marginTop={1} flexDirection="column" flexShrink={0}>
          <NeedLines rows={shownNeeds} />
          {rest > 1 && accounts > 0 ? (
            <Extremes
              longest={longest}
              newest={newest}
              rows={rest}
              listedAt={of.listedAt}
              isPart={isPart}
            />
          ) : null}
        </Box>
      ) : null}
    </>
  );
}

/** Returns the lines of the bars, of their frame, and of the accounts below a gap. */
function pictureRows(rows: number, needs: number, accounts: number) {
  const third = Math.max(minChartRows, Math.min(maxChartRows, Math.floor(rows / 3)));
  const frame = rows >= third + chartFrames.whole ? chartFrames.whole : chartFrames.title;
  const free = rows - frame - 1;
  const titled = accounts === 0 ? 0 : accounts + 1;
  const wanted = Math.max(
    third,
    Math.min(free - needs - titled, Math.max(maxChartRows, rows >> 1)),
  );
  // The accounts that need someone have their lines, and of the others the first one.
  const chart = Math.max(minChartRows, Math.min(wanted, free - needs - Math.min(2, titled)));
  return chart + frame <= rows
    ? { chart, frame, below: Math.max(0, free - chart) }
    : { chart: 0, frame, below: Math.max(0, rows - 1) };
}
