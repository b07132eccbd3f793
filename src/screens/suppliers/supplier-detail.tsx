import { Box } from "ink";
import { errorPlace } from "../../components/error-place.ts";
import { heldBackParts, lastDayParts } from "../../components/figure-words.ts";
import { type LinePart, PartLines, partLines } from "../../components/part-lines.tsx";
import { Problem } from "../../components/problem.tsx";
import { Line, Text } from "../../components/text.tsx";
import { useSession } from "../../hooks/app.tsx";
import { useServiceNow } from "../../hooks/now.ts";
import { useLinear, useRoom } from "../../hooks/window.tsx";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import { columns } from "../../text/chart.ts";
import { ago } from "../../text/dates.ts";
import { dayMs } from "../../text/durations.ts";
import { padOrTruncate } from "../../text/width.ts";
import { useTheme } from "../../theme.tsx";
import type { SupplierFigures } from "../../triage/figures/supplier-figures.ts";
import { rateWords } from "../../triage/forecast/words.ts";
import type { BoardLine } from "./board-feed.ts";
import { detailWords } from "./board-words.ts";

/** What the row of a supplier has no room for, in at most `rows` lines; a failure in full first. */
export function SupplierDetail(props: { readonly line: BoardLine; readonly rows: number }) {
  const { line } = props;
  const session = useSession();
  const room = useRoom();
  const linear = useLinear();
  const now = useServiceNow(60_000);
  const { load, figures, supplier } = line;
  const parts: LinePart[] = detailWords(line, now).map(([text, tone]) => [{ text, tone }]);
  const profile = profileFlag(session.profile);
  const heldBack = heldBackParts(supplier, figures?.history?.heldBack ?? null, profile);
  const named = [[{ text: supplier, tone: "title" as const }], ...heldBack, ...parts];
  const lines = partLines(named, linear ? Number.MAX_SAFE_INTEGER : room.columns).slice(
    0,
    props.rows,
  );
  const left = props.rows - lines.length;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <PartLines lines={lines} />
      {load.kind === "failed" && left > 0 ? (
        <Problem
          rows={left}
          error={load.error}
          context={{
            doing: `listing the accounts of ${supplier}`,
            ...errorPlace(session),
            subject: { kind: "supplier", supplier },
          }}
        />
      ) : null}
    </Box>
  );
}

/** The figures of the supplier under the cursor, beside the board. */
export function SupplierPreview(props: { readonly line: BoardLine }) {
  const { line } = props;
  const { figures } = line;
  const room = useRoom();
  const now = useServiceNow(60_000);
  return (
    <Box flexDirection="column" flexShrink={0}>
      <SupplierDetail line={line} rows={8} />
      {figures === null ? null : (
        <>
          <PartLines
            lines={[
              ...partLines(
                figures.rates.map((rate) => [{ text: rateWords(rate) }]),
                room.columns,
              ),
              ...(figures.history === null
                ? []
                : partLines(lastDayParts(figures.history, now), room.columns, 2)),
            ]}
          />
          <PreviewChart figures={figures} />
          <PreviewNewest figures={figures} now={now} />
        </>
      )}
    </Box>
  );
}

function PreviewChart({ figures }: { readonly figures: SupplierFigures }) {
  const theme = useTheme();
  const room = useRoom();
  const { created } = figures;
  if (created === null) return null;
  const shown = created.counts.slice(-room.columns);
  const rows = Math.max(2, Math.min(8, Math.floor(room.rows / 4)));
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={1}>
      <Text tone="title">
        {created.bucketMs === dayMs ? "Imported per day" : "Imported over time"}
      </Text>
      {columns(shown, rows, theme.ascii).map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <Text key={at} tone="busy">
          {text}
        </Text>
      ))}
    </Box>
  );
}

function PreviewNewest({ figures, now }: { readonly figures: SupplierFigures; now: number }) {
  const room = useRoom();
  if (figures.newest.length === 0) return null;
  // The longest age is `within 1 min`, and two blanks stand before it and before the second number.
  const number = Math.max(12, Math.min(30, Math.floor((room.columns - 16) / 2)));
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={1}>
      <Text tone="title">Newest</Text>
      {figures.newest.map(({ external, service, createdAt }) => (
        <Line
          key={`${createdAt} ${external}`}
          pieces={[
            { text: `${padOrTruncate(external, number)}  ` },
            { text: `${padOrTruncate(service, number)}  ` },
            { text: now - createdAt < 60_000 ? "within 1 min" : ago(createdAt, now) },
          ]}
        />
      ))}
    </Box>
  );
}
