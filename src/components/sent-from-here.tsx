import { Box } from "ink";
import type { SentFromHere } from "../hooks/activity.ts";
import type { JournalView } from "../hooks/journal.ts";
import { useKeyWords } from "../hooks/keys.tsx";
import { formatInstant } from "../text/dates.ts";
import { describeError, oneLine } from "../text/describe-error.ts";
import { count } from "../text/numbers.ts";
import { useTheme } from "../theme.tsx";
import { JournalError } from "../writes/journal/journal-error.ts";
import { operationNoun, outcomeWords } from "../writes/words/outcomes.ts";
import { Line, type Piece } from "./text.tsx";

/** Enough to see what was done lately; A shows the rest. */
const mostShown = 5;

/** Lines that the section takes of at most `rows`, its title included; 0 when it is left out. */
export function sentRows(view: JournalView<SentFromHere>, rows: number): number {
  if (view.kind === "failed") return rows >= 1 ? 1 : 0;
  if (view.kind !== "read" || view.value.total === 0 || rows < 1) return 0;
  return Math.min(rows, 1 + Math.min(view.value.rows.length, mostShown));
}

/** What this machine has sent to the account or supply point on the screen. */
export function SentFromHereLines(props: {
  readonly view: JournalView<SentFromHere>;
  /** As `sentRows` gives it. */
  readonly rows: number;
}) {
  const { view, rows } = props;
  const theme = useTheme();
  const key = useKeyWords();
  if (rows < 1) return null;
  if (view.kind === "failed") {
    return (
      <Line pieces={[{ text: `Sent from this machine: ${failure(view.error)}`, tone: "bad" }]} />
    );
  }
  if (view.kind !== "read") return null;
  const { total, unknown } = view.value;
  const title: Piece[] = [
    { text: "Sent from this machine", tone: "title" },
    { text: `  ${count(total)}`, tone: "muted" },
    { text: unknown > 0 ? `, ${count(unknown)} unknown` : "", tone: "waiting" },
    { text: `  ${key("activity")} shows all`, tone: "muted" },
  ];
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Line pieces={title} />
      {view.value.rows.slice(0, rows - 1).map((row) => {
        const words = outcomeWords[row.outcome];
        const mark = theme.ascii ? words.asciiMark : words.mark;
        return (
          <Line
            key={row.journal_id}
            pieces={[
              { text: `${formatInstant(Date.parse(row.created_at))}  `, tone: "muted" },
              { text: `${mark} ${words.label}`.padEnd(13), tone: words.tone },
              { text: operationNoun(row.operation) },
              { text: row.code ? `  ${row.code}` : "", tone: "muted" },
            ]}
          />
        );
      })}
    </Box>
  );
}

function failure(error: unknown): string {
  if (error instanceof JournalError) return error.message;
  return oneLine(describeError(error, { doing: "reading the journal" }));
}
