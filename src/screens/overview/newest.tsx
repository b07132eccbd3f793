import { Box } from "ink";
import type { NewAccount } from "../../accounts/statistics.ts";
import { Line } from "../../components/text.tsx";
import { useNow } from "../../hooks/now.ts";
import { useRoom } from "../../hooks/window.tsx";
import { ago, formatInstant } from "../../text/dates.ts";
import { padOrTruncate } from "../../text/width.ts";

/** The accounts created last, newest first. */
export function Newest(props: { readonly rows: readonly NewAccount[] }) {
  const room = useRoom();
  const now = useNow(60_000);
  const number = Math.max(12, Math.min(40, Math.floor((room.columns - 40) / 2)));
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Line pieces={[{ text: "Newest", tone: "title" }]} />
      {props.rows.map((row) => (
        <Line
          key={`${row.createdAt} ${row.external}`}
          pieces={[
            { text: `${padOrTruncate(row.external, number)}  ` },
            { text: `${padOrTruncate(row.service, number)}  `, tone: "muted" },
            { text: `${formatInstant(row.createdAt)}  ` },
            { text: agoWords(row.createdAt, now), tone: "muted" },
          ]}
        />
      ))}
    </Box>
  );
}

/** To the minute: the screen rests in between. */
function agoWords(ms: number, now: number): string {
  return now - ms < 60_000 ? "within 1 min" : ago(ms, now);
}
