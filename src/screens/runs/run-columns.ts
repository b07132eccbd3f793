import { kindName } from "../../bulk/kinds.ts";
import { rowsDone } from "../../bulk/run-counts.ts";
import type { Column } from "../../components/data-table.tsx";
import { runBar } from "../../components/run-bar.ts";
import { formatInstant } from "../../text/dates.ts";
import { count, percent } from "../../text/numbers.ts";
import { runState, sourceName } from "./run-state.ts";
import type { RunView } from "./run-views.ts";

interface Ranked extends Column<RunView> {
  /** The higher ones give way first. */
  readonly rank: number;
}

/** The columns that fit, in their order. */
export function runColumns(width: number, ascii: boolean): readonly Column<RunView>[] {
  const all = rankedColumns(ascii);
  let room = width - 2;
  const fitting = new Set<Ranked>();
  for (const column of all.toSorted((a, b) => a.rank - b.rank)) {
    if (column.width + 2 > room) continue;
    room -= column.width + 2;
    fitting.add(column);
  }
  return all
    .filter((column) => fitting.has(column))
    .map((column) =>
      column.id === "source" ? { ...column, width: column.width + Math.min(room, 30) } : column,
    );
}

/** Cells for how much is done: as much as some ten thousand rows take. */
const doneWidth = 13;

const stateWidth = 25;

/** How much is done, as a share where the figures would be cut. */
function doneText(done: number, rows: number): string {
  const figures = `${count(done)}/${count(rows)}`;
  return figures.length <= doneWidth ? figures : percent(done, rows);
}

function rankedColumns(ascii: boolean): readonly Ranked[] {
  const amount = (
    id: "confirmed" | "exists" | "rejected" | "unknown",
    title: string,
    rank: number,
    tone: "ok" | "bad" | "waiting",
  ): Ranked => ({
    id,
    title,
    rank,
    width: Math.max(title.length, 7),
    align: "right",
    text: ({ record }) => (record.counts[id] === 0 ? "–" : count(record.counts[id])),
    tone: ({ record }) => (record.counts[id] === 0 ? "muted" : tone),
  });
  return [
    { id: "run", title: "Run", rank: 1, width: 8, text: ({ record }) => record.id },
    {
      id: "kind",
      title: "Kind",
      rank: 5,
      width: 13,
      text: ({ record }) => kindName(record.kind),
    },
    {
      id: "source",
      title: "From",
      rank: 6,
      width: 16,
      text: ({ record }) => sourceName(record.source),
    },
    {
      id: "started",
      title: "Started",
      rank: 9,
      width: 11,
      text: ({ record }) => formatInstant(record.createdAt).slice(5, 16),
    },
    {
      id: "bar",
      title: "",
      rank: 4,
      width: 8,
      text: ({ record }) => percent(rowsDone(record), record.rows),
      pieces: ({ record }) => runBar(record.counts, record.rows, 8, ascii),
    },
    {
      id: "done",
      title: "Done",
      rank: 3,
      width: doneWidth,
      align: "right",
      text: ({ record }) => doneText(rowsDone(record), record.rows),
    },
    amount("confirmed", "Confirmed", 10, "ok"),
    amount("exists", "Existed", 11, "ok"),
    amount("rejected", "Rejected", 7, "bad"),
    amount("unknown", "Unknown", 8, "waiting"),
    {
      id: "state",
      title: "State",
      rank: 2,
      width: stateWidth,
      text: (run) => {
        const words = runState(run);
        const text = `${ascii ? words.asciiMark : words.mark} ${words.text}`;
        // Of a run that is over, how many rows went wrong says more than that it is over.
        return text.length <= stateWidth ? text : text.replace("finished, ", "");
      },
      tone: (run) => runState(run).tone,
    },
  ];
}
