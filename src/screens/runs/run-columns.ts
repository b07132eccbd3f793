import { kindName } from "../../bulk/kinds.ts";
import { rowsDone } from "../../bulk/run-counts.ts";
import { type Column, column } from "../../components/data-table.tsx";
import { runBar } from "../../components/run-bar.ts";
import { formatInstant } from "../../text/dates.ts";
import { count, percent } from "../../text/numbers.ts";
import { runState, sourceName } from "./run-state.ts";
import type { RunView } from "./run-views.ts";

/** Which columns stay: the later ones give way first. */
const importance: readonly string[] = [
  ...["run", "state", "done", "bar", "kind", "source", "rejected", "unknown"],
  ...["started", "confirmed", "exists"],
];

/** The columns that fit, in their order. */
export function runColumns(width: number, ascii: boolean): readonly Column<RunView>[] {
  const all = everyColumn(ascii);
  let room = width - 2;
  const fitting = new Set<string>();
  for (const id of importance) {
    const needed = (all.find((one) => one.id === id)?.width ?? 0) + 2;
    if (needed > room) continue;
    room -= needed;
    fitting.add(id);
  }
  return all
    .filter(({ id }) => fitting.has(id))
    .map((one) => (one.id === "source" ? { ...one, width: one.width + Math.min(room, 30) } : one));
}

/** Cells for how much is done: as much as some ten thousand rows take. */
const doneWidth = 13;

const stateWidth = 25;

/** How much is done, as a share where the figures would be cut. */
function doneText(done: number, rows: number): string {
  const figures = `${count(done)}/${count(rows)}`;
  return figures.length <= doneWidth ? figures : percent(done, rows);
}

function everyColumn(ascii: boolean): readonly Column<RunView>[] {
  const amount = (
    id: "confirmed" | "exists" | "rejected" | "unknown",
    title: string,
    tone: "ok" | "bad" | "waiting",
  ): Column<RunView> => {
    const text = ({ record }: RunView) =>
      record.counts[id] === 0 ? "–" : count(record.counts[id]);
    return column(id, title, Math.max(title.length, 7), text, {
      align: "right",
      tone: ({ record }) => (record.counts[id] === 0 ? "muted" : tone),
    });
  };
  return [
    column("run", "Run", 8, ({ record }) => record.id),
    column("kind", "Kind", 13, ({ record }) => kindName(record.kind)),
    column("source", "From", 16, ({ record }) => sourceName(record.source)),
    column("started", "Started", 11, ({ record }) => formatInstant(record.createdAt).slice(5, 16)),
    column("bar", "", 8, ({ record }) => percent(rowsDone(record), record.rows), {
      pieces: ({ record }) => runBar(record.counts, record.rows, 8, ascii),
    }),
    column("done", "Done", doneWidth, ({ record }) => doneText(rowsDone(record), record.rows), {
      align: "right",
    }),
    amount("confirmed", "Confirmed", "ok"),
    amount("exists", "Existed", "ok"),
    amount("rejected", "Rejected", "bad"),
    amount("unknown", "Unknown", "waiting"),
    column(
      "state",
      "State",
      stateWidth,
      (run) => {
        const words = runState(run);
        const text = `${ascii ? words.asciiMark : words.mark} ${words.text}`;
        // Of a run that is over, how many rows went wrong says more than that it is over.
        return text.length <= stateWidth ? text : text.replace("finished, ", "");
      },
      { tone: (run) => runState(run).tone },
    ),
  ];
}
