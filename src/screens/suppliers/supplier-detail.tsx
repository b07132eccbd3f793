/** The overview of the supplier under the cursor, below or beside the board. */
import { Box } from "ink";
import { errorPlace, Problem } from "../../components/problem.tsx";
import { useNeeds } from "../../components/supplier-needs.tsx";
import {
  FigurePicture,
  type ShownFigures,
  useFigureLines,
} from "../../components/supplier-overview.tsx";
import { Lines, RuleLine } from "../../components/text.tsx";
import { listingContext } from "../../errors/app-error.ts";
import { useSession } from "../../hooks/app.tsx";
import { useServiceNow } from "../../hooks/now.ts";
import { useLinear } from "../../hooks/window.tsx";
import { count } from "../../text/numbers.ts";
import type { SupplierFigures } from "../../triage/figures/supplier-figures.ts";
import type { BoardLine } from "./board-feed.ts";

/** Minimum lines for a rule with the name, and a chart. Else the first line has the name. */
const minRowsForRule = 6;

const maxFailureRows = 5;
const earlierMs = 60_000;

function shownFigures(supplier: string, figures: SupplierFigures, now: number): ShownFigures {
  const { from, listedAt, history } = figures;
  const isEarlier = now - listedAt >= earlierMs;
  return { supplier, figures, from, listedAt, isEarlier, history, unlisted: 0, isPartial: false };
}

/**
 * Shows the figures of a supplier that its row does not have, in at most `rows` lines, with the
 * whole error of a failed load. If there is room, it has the chart and the accounts that stand out.
 */
export function SupplierDetail(props: { readonly line: BoardLine; readonly rows: number }) {
  const { line, rows } = props;
  const { load, figures, supplier } = line;
  const session = useSession();
  const linear = useLinear();
  const now = useServiceNow(60_000);
  const needs = useNeeds(supplier, figures?.history ?? null);
  const hasRule = rows >= minRowsForRule && !linear;
  const shown = figures === null ? null : shownFigures(supplier, figures, now);
  const name = hasRule ? "" : supplier;
  const lines = useFigureLines(shown, { name, hasPace: false, hasChanges: hasRule });
  const textRows = Math.min(lines.length, hasRule ? rows - 1 : rows);
  const freeRows = rows - textRows - (hasRule ? 1 : 0);
  const failureRows = load.kind === "failed" ? Math.min(freeRows, maxFailureRows) : 0;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {hasRule ? (
        <RuleLine
          title={supplier}
          right={
            figures === null ? "" : `${count(figures.imported)} of ${count(figures.total)} imported`
          }
        />
      ) : null}
      <Lines lines={lines.slice(0, textRows)} />
      {load.kind === "failed" && failureRows > 0 ? (
        <Problem
          rows={failureRows}
          error={load.error}
          context={{ ...listingContext(supplier), ...errorPlace(session) }}
        />
      ) : null}
      {hasRule && shown !== null ? (
        <FigurePicture of={shown} needs={needs} rows={freeRows - failureRows} isPart={false} />
      ) : null}
    </Box>
  );
}
