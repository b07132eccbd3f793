import type { NewAccount } from "../../accounts/statistics.ts";
import { Line } from "../../components/text.tsx";
import { useNow } from "../../hooks/now.tsx";
import { useRoom } from "../../hooks/window.tsx";
import { ago, formatInstant } from "../../text/dates.ts";
import { fit } from "../../text/width.ts";

/** The accounts created last, newest first. */
export function Newest(props: { readonly rows: readonly NewAccount[] }) {
  const room = useRoom();
  const now = useNow(10_000);
  const number = Math.max(12, Math.min(40, Math.floor((room.columns - 40) / 2)));
  return (
    <>
      <Line pieces={[{ text: "Newest accounts", tone: "title" }]} />
      {props.rows.map((row) => (
        <Line
          key={`${row.createdAt} ${row.external}`}
          pieces={[
            { text: `${fit(row.external, number)}  ` },
            { text: `${fit(row.service, number)}  `, tone: "muted" },
            { text: `${formatInstant(row.createdAt)}  ` },
            { text: ago(row.createdAt, now), tone: "muted" },
          ]}
        />
      ))}
    </>
  );
}
