/** The details of the supplier under the cursor, below the board. */
import { Box } from "ink";
import { useCallback } from "react";
import { CreatedChart } from "../../components/created-chart.tsx";
import { heldBackParts, lastDayParts } from "../../components/figure-words.ts";
import { errorPlace, Problem } from "../../components/problem.tsx";
import { Line, type LinePart, Lines, partLines, RuleLine } from "../../components/text.tsx";
import { useSession } from "../../hooks/app.tsx";
import { useJournalRead } from "../../hooks/journal.ts";
import { useServiceNow } from "../../hooks/now.ts";
import { useWatched } from "../../hooks/watching.ts";
import { useLinear, useRoom } from "../../hooks/window.tsx";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import { count } from "../../text/numbers.ts";
import { padOrTruncate, widest } from "../../text/width.ts";
import { listActivity } from "../../writes/activity.ts";
import type { Writes } from "../../writes/open-writes.ts";
import type { BoardLine } from "./board-feed.ts";
import { detailWords } from "./board-words.ts";
import { maxNeeds, type NeedRow, needRows } from "./supplier-needs.ts";

/**
 * The minimum number of lines for a rule with the name and for a chart. With fewer lines, the name
 * is in the first line.
 */
const minRowsForRule = 6;

const chartFrameRows = 2;
const minChartRows = 2;
const maxChartRows = 8;
const labelCells = 10;
const maxNumberCells = 30;

/**
 * Shows the details of a supplier in at most `rows` lines: the reasons for attention and the whole
 * error of a failed load. If there is room, it also shows the imports over time and the accounts
 * that need attention.
 */
export function SupplierDetail(props: { readonly line: BoardLine; readonly rows: number }) {
  const { line, rows } = props;
  const { load, figures, supplier } = line;
  const session = useSession();
  const linear = useLinear();
  const lines = useDetailLines(line, rows);
  const hasRule = rows >= minRowsForRule && !linear;
  const freeRows = rows - lines.length - (hasRule ? 1 : 0);
  const failureRows = load.kind === "failed" ? Math.min(freeRows, 5) : 0;
  const restRows = freeRows - failureRows;
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
      <Lines lines={lines} />
      {load.kind === "failed" && failureRows > 0 ? (
        <Problem
          rows={failureRows}
          error={load.error}
          context={{
            doing: `listing the accounts of ${supplier}`,
            ...errorPlace(session),
            subject: { kind: "supplier", supplier },
          }}
        />
      ) : null}
      {hasRule ? <ChartAndNeeds line={line} rows={restRows} /> : null}
    </Box>
  );
}

function useDetailLines(line: BoardLine, rows: number): ReturnType<typeof partLines> {
  const { profile } = useSession();
  const room = useRoom();
  const linear = useLinear();
  const now = useServiceNow(60_000);
  const { figures, supplier } = line;
  const history = figures?.history ?? null;
  const hasRule = rows >= minRowsForRule && !linear;
  const width = linear ? Number.MAX_SAFE_INTEGER : room.columns;
  const parts: readonly LinePart[] = [
    ...(hasRule ? [] : [[{ text: supplier, tone: "title" as const }]]),
    ...heldBackParts(supplier, history?.heldBack ?? null, profileFlag(profile)),
    ...detailWords(line, now).map(([text, tone]): LinePart => [{ text, tone }]),
  ];
  const changes = history === null || !hasRule ? [] : lastDayParts(history, now);
  return [...partLines(parts, width), ...partLines(changes, width, 2)].slice(
    0,
    hasRule ? rows - 1 : rows,
  );
}

function ChartAndNeeds({ line, rows }: { readonly line: BoardLine; readonly rows: number }) {
  const { figures } = line;
  const needs = useNeeds(line);
  if (figures === null) return null;
  const { created, imported } = figures;
  const gap = rows > 8 ? 1 : 0;
  const free = rows - chartFrameRows - gap;
  const hasChart = created !== null && free >= minChartRows;
  const below = (hasChart ? free - minChartRows : rows) - 1;
  const shown = needs.slice(0, Math.max(0, below));
  // On a high screen, the chart takes half of the room.
  const highest = Math.max(maxChartRows, rows >> 1);
  const chart = Math.min(highest, shown.length === 0 ? free : free - shown.length - 1);
  return (
    <>
      {hasChart ? (
        <Box marginTop={gap} flexDirection="column" flexShrink={0}>
          <CreatedChart created={created} imported={imported} rows={chart} />
        </Box>
      ) : null}
      {shown.length > 0 ? (
        <Box marginTop={1} flexDirection="column" flexShrink={0}>
          <NeedLines rows={shown} />
        </Box>
      ) : null}
    </>
  );
}

function NeedLines({ rows }: { readonly rows: readonly NeedRow[] }) {
  const width = Math.min(maxNumberCells, widest(rows.map(({ number }) => number)));
  return rows.map(({ label, tone, number, words }) => (
    <Line
      key={`${label} ${number} ${words}`}
      pieces={[
        { text: ` ${label.padEnd(labelCells)}`, tone },
        { text: `${padOrTruncate(number, width)}   ${words}` },
      ]}
    />
  ));
}

function useNeeds({ supplier, figures }: BoardLine): readonly NeedRow[] {
  const { baseUrl } = useSession();
  const now = useServiceNow(60_000);
  const { entries: watched } = useWatched();
  const { view } = useJournalRead(
    useCallback(
      ({ context: { journal } }: Writes) =>
        listActivity(journal, {
          baseUrl,
          importSupplier: supplier,
          limit: maxNeeds,
          outcomes: ["unknown"],
        }),
      [baseUrl, supplier],
    ),
  );
  const unknown = view.kind === "read" ? view.value : [];
  return figures === null ? [] : needRows({ supplier, figures, watched, unknown }, now);
}
