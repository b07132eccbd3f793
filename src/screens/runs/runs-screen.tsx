import { Box } from "ink";
import { countsText, countsWithin, rowsDone, shareText } from "../../bulk/run-counts.ts";
import type { RunRecord } from "../../bulk/run-record.ts";
import { Body } from "../../components/body.tsx";
import { type Column, column } from "../../components/column.ts";
import { DataTable } from "../../components/data-table.tsx";
import { JournalProblem } from "../../components/journal-problem.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { runBar } from "../../components/run-bar.ts";
import { Text } from "../../components/text.tsx";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useKeysWaitForJournal } from "../../hooks/in-flight.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useRowCursor } from "../../hooks/list-cursor.ts";
import { useRoom, useSubject } from "../../hooks/window.tsx";
import { formatInstant } from "../../text/dates.ts";
import { count, percent } from "../../text/numbers.ts";
import { useTheme } from "../../theme.tsx";
import { kindName } from "../../writes/kinds/kinds.ts";
import { useRunKeys } from "./run-keys.ts";
import { runState, sourceName, standsBecause } from "./run-state.ts";
import { type RunView, useLeftOut, useRunList } from "./run-views.ts";

const idOf = ({ record }: RunView) => record.id;

const noRows: readonly RunView[] = [];

/** From this width on, why a run stopped fits one line. */
const wholeSentence = 100;

/** How the rows of a run stand, and where there is room what they are. */
function detailText({ kind, source, counts }: RunRecord, width: number): string {
  const what = `${kindName(kind)} from ${sourceName(source)}: `;
  const whole = what + countsText(counts);
  return whole.length <= width ? whole : countsWithin(counts, width);
}

/** The bulk runs of the service in this machine's journal, the newest first. */
export function RunsScreen() {
  const { key, navigation, clipboard } = useApp();
  const theme = useTheme();
  const room = useRoom();
  const { baseUrl } = useSession();
  const { view, look } = useRunList();
  const leftOut = useLeftOut();
  useKeysWaitForJournal(view.kind === "opening");
  const rows = view.kind === "read" ? view.value : noRows;
  const narrow = room.columns < wholeSentence;
  const page = Math.max(1, room.rows - (narrow ? 5 : 4) - (leftOut === null ? 0 : 1));
  const cursor = useRowCursor(rows, idOf, page);
  const { current } = cursor;
  const stands = current === null ? null : standsBecause(current, baseUrl, key);
  const runKeys = useRunKeys(current, look);
  useSubject({ values: current ? { run: current.record.id } : {} });
  useKeys({
    ...cursor.actions,
    ...runKeys,
    ...(current
      ? {
          open: () => navigation.push({ kind: "run", id: current.record.id }),
          copy: () => clipboard(current.record.id, "run id"),
        }
      : {}),
    refresh: look,
    add: {
      run: () => navigation.push({ kind: "bulk-file", path: null }),
      label: "run file",
      help: "Check a CSV or JSONL file of rows, then send them",
    },
  });
  return (
    <Body>
      {view.kind === "failed" ? (
        <JournalProblem error={view.error} doing="reading the journal" />
      ) : view.kind === "opening" ? (
        <Paragraph tone="muted">Opening the journal…</Paragraph>
      ) : rows.length === 0 ? (
        <>
          <Paragraph>No bulk run yet of this service in the journal of this machine.</Paragraph>
          <Paragraph tone="muted">
            {`${key("add")} starts one from a CSV or JSONL file, and so does supplyline bulk run. ${key("compose-marked")} in a list of accounts composes a note or transactions for the marked accounts.`}
          </Paragraph>
        </>
      ) : (
        <DataTable
          columns={runColumns(room.columns, theme.ascii)}
          rows={cursor.visible}
          cursor={current?.record.id ?? null}
          first={cursor.top}
        />
      )}
      <Box flexGrow={1} />
      {leftOut === null ? null : (
        <Paragraph tone="muted" most={1}>
          {leftOut}
        </Paragraph>
      )}
      {current ? (
        <>
          <Text>{detailText(current.record, room.columns)}</Text>
          {stands === null ? null : (
            <Paragraph tone="waiting" most={narrow ? 2 : 1}>
              {`${stands.because} ${stands.next}`}
            </Paragraph>
          )}
          <Text tone="muted">{`${count(cursor.position + 1)} of ${count(rows.length)}`}</Text>
        </>
      ) : null}
    </Body>
  );
}

/** Which columns stay: the later ones give way first. */
const importance: readonly string[] = [
  ...["run", "state", "done", "bar", "kind", "profile", "source", "rejected", "unknown"],
  ...["started", "confirmed", "exists"],
];

/** The columns that fit, in their order. */
function runColumns(width: number, ascii: boolean): readonly Column<RunView>[] {
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

/** Formats how many rows have ended, as a share where the figures would be cut. */
function doneText(run: RunRecord): string {
  const done = rowsDone(run);
  const figures = `${count(done)}/${count(run.rows)}`;
  return figures.length <= doneWidth ? figures : percent(done, run.rows);
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
    column("profile", "Profile", 10, ({ record }) => record.profile),
    column("started", "Started", 11, ({ record }) => formatInstant(record.createdAt).slice(5, 16)),
    column("bar", "", 8, ({ record }) => shareText(record), {
      pieces: ({ record }) => runBar(record.counts, record.rows, 8, ascii),
    }),
    column("done", "Ended", doneWidth, ({ record }) => doneText(record), {
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
