/** Shows the journal entries of this machine for the account or supply point on the screen. */
import { Box } from "ink";
import { errorLine } from "../errors/error-words.ts";
import { useApp } from "../hooks/app.tsx";
import type { JournalView, SentFromHere } from "../hooks/journal.ts";
import { useNow } from "../hooks/now.ts";
import { shortInstant } from "../text/dates.ts";
import { count, plural } from "../text/numbers.ts";
import { operationNoun, outcomeWords } from "../writes/words/outcomes.ts";
import { Line, type Piece } from "./text.tsx";

export const sentLabel = "Sent from here";

/**
 * Returns the number of lines of the section, at most `rows`, with its title. Returns 0 if it is
 * left out.
 */
export function sentRows(view: JournalView<SentFromHere>, rows: number): number {
  if (view.kind === "failed") return rows >= 1 ? 1 : 0;
  if (view.kind !== "read" || view.value.total === 0 || rows < 1) return 0;
  return Math.min(rows, 1 + view.value.rows.length);
}

/** Shows the entries of this machine for the account or supply point on the screen. */
export function SentFromHereLines(props: {
  readonly view: JournalView<SentFromHere>;
  /** Number of rows from `sentRows`. */
  readonly rows: number;
  /** The width of the label column in cells. */
  readonly labels: number;
}) {
  const { view, rows, labels } = props;
  const now = useNow(60_000);
  const { key } = useApp();
  if (rows < 1) return null;
  if (view.kind === "failed") {
    return (
      <Line
        pieces={[
          { text: sentLabel.padEnd(labels), tone: "muted" },
          { text: failure(view.error), tone: "bad" },
        ]}
      />
    );
  }
  if (view.kind !== "read") return null;
  const { total, unknown } = view.value;
  const shown = view.value.rows.slice(0, rows - 1);
  const times = shown.map(({ created_at: at }) => shortInstant(Date.parse(at), now));
  const timeWidth = Math.max(...times.map(({ length }) => length));
  const kindWidth = Math.max(...shown.map(({ operation }) => operationNoun(operation).length));
  const title: Piece[] = [
    { text: sentLabel.padEnd(labels), tone: "muted" },
    { text: plural(total, "entry", "entries") },
    { text: unknown > 0 ? `, ${count(unknown)} unknown` : "", tone: "unknown" },
    { text: `  ${key("activity")} shows all`, tone: "muted" },
  ];
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Line pieces={title} />
      {shown.map((row, at) => {
        const words = outcomeWords[row.outcome];
        const mark = words.mark;
        return (
          <Line
            key={row.journal_id}
            pieces={[
              {
                text: `${" ".repeat(labels)}${times[at]?.padEnd(timeWidth)}  `,
                tone: "muted",
              },
              { text: `${mark} ${words.label}`.padEnd(13), tone: words.tone },
              { text: `${operationNoun(row.operation).padEnd(kindWidth)}  ${row.contents}` },
              { text: row.code && row.outcome !== "confirmed" ? `  ${row.code}` : "" },
            ]}
          />
        );
      })}
    </Box>
  );
}

function failure(error: unknown): string {
  return errorLine(error, { doing: "reading the journal" });
}
