import { useMemo } from "react";
import { runFields } from "../../bulk/run-fields.ts";
import type { RunRecord } from "../../bulk/run-record.ts";
import { countsText, countsWithin, rowsDone, shareText } from "../../bulk/run-words.ts";
import { runBar } from "../../components/bar-pieces.ts";
import { journalState } from "../../components/journal-problem.tsx";
import {
  type Column,
  column,
  drawnColumns,
  fieldColumn,
} from "../../components/list-screen/column.ts";
import { ListScreen } from "../../components/list-screen/list-screen.tsx";
import { useRowList } from "../../components/list-screen/use-list.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { Lines, type Piece, Text } from "../../components/text.tsx";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useTeamRuns } from "../../hooks/colleagues.ts";
import { useKeysWaitForJournal } from "../../hooks/in-flight.tsx";
import { useRoom } from "../../hooks/window.tsx";
import { formatInstant } from "../../text/dates.ts";
import { type Field, within } from "../../text/fields.ts";
import { count, percent } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import type { Tone } from "../../theme.tsx";
import { kindName } from "../../writes/kinds/kinds.ts";
import type { TeamRun } from "../../writes/team/ledger-views.ts";
import { authorWords } from "../../writes/words/authors.ts";
import { operationNoun } from "../../writes/words/outcomes.ts";
import { useRunKeys } from "./run-keys.ts";
import { nextSteps, runState, runUrgency, sourceName } from "./run-state.ts";
import { type RunView, useRunList } from "./run-views.ts";

const idOf = ({ record }: RunView) => record.id;
const valuesOf = ({ record }: RunView) => ({ run: record.id });

const noRows: readonly RunView[] = [];

const of = (field: Field<RunRecord>) => within(field, ({ record }: RunView) => record);

const fields = Object.values(runFields).map(of);

const oneLineWidth = 100;

/** Maximum number of runs of colleagues, one line each. */
const maxTeamRuns = 5;

/** Below this number of rows, the screen shows fewer runs of colleagues. */
const lowRows = 20;

export function RunsScreen() {
  const { key, navigation } = useApp();
  const { view, refresh } = useRunList();
  useKeysWaitForJournal(view.kind === "opening");
  const columns = useMemo(runColumns, []);
  const read = view.kind === "read" ? view.value : noRows;
  // Runs of the same urgency stay in order, newest first.
  const rows = useMemo(
    () => read.toSorted((one, other) => runUrgency(one) - runUrgency(other)),
    [read],
  );
  const list = useRowList({ name: "runs", rows, idOf, columns });
  const { current } = list;
  const runKeys = useRunKeys(current, refresh);
  const isNarrow = useRoom().columns < oneLineWidth;
  const teamRuns = useTeamRuns(useRoom().rows < lowRows ? 2 : maxTeamRuns);
  return (
    <ListScreen
      list={list}
      state={journalState(view, "reading the journal")}
      empty={[
        "No bulk run yet of this service in the journal of this machine.",
        `${key("add")} starts one from a CSV or JSONL file, and so does supplyline bulk run. ${key("compose-marked")} in a list of accounts composes a note or transactions for the marked accounts.`,
      ]}
      noun={["run", "runs"]}
      file={{ stem: "runs", fields }}
      {...(teamRuns.length === 0
        ? {}
        : { above: { rows: teamRuns.length, shown: <TeamRuns runs={teamRuns} /> } })}
      below={{
        rows: isNarrow ? 3 : 2,
        shown: (view) => <Detail view={view} most={isNarrow ? 2 : 1} />,
      }}
      valuesOf={valuesOf}
      enter={({ record }) =>
        () =>
          navigation.push({ kind: "run", id: record.id })
        }
      actions={{
        ...runKeys,
        refresh,
        add: {
          run: () => navigation.push({ kind: "bulk-file", path: null }),
          label: "run file",
          help: "Check a CSV or JSONL file of rows, then send them",
        },
      }}
    />
  );
}

RunsScreen.help = {
  name: "Runs",
  about: [
    "Bulk runs of this machine: from marked accounts, from files, and from supplyline bulk run in any terminal.",
    "Every request of a run is recorded before the first is sent, so a run that is stopped or killed can be resumed.",
  ],
  words: ["run", "outcome"],
} as const;

function Detail({ view, most }: { readonly view: RunView; readonly most: number }) {
  const { key } = useApp();
  const { baseUrl } = useSession();
  const { columns } = useRoom();
  const steps = nextSteps(view, { baseUrl, key, width: columns });
  return (
    <>
      <Text>{detailText(view.record, columns)}</Text>
      {steps.length === 0 ? null : <Paragraph most={most}>{steps.join(" ")}</Paragraph>}
    </>
  );
}

function detailText({ kind, source, counts }: RunRecord, width: number): string {
  const start = `${kindName(kind)} from ${sourceName(source)}: `;
  const full = start + countsText(counts);
  return full.length <= width ? full : countsWithin(counts, width);
}

const doneWidth = 13;

const stateWidth = 25;

function doneText(run: RunRecord): string {
  const done = rowsDone(run);
  const numbers = `${count(done)}/${count(run.rows)}`;
  return numbers.length <= doneWidth ? numbers : percent(done, run.rows);
}

/**
 * Returns the columns of runs. The ID, the number of ended rows and the state are never left out.
 */
function runColumns(): readonly Column<RunView>[] {
  const countOf = (
    id: "confirmed" | "exists" | "rejected" | "unknown",
    title: string,
    tone: "ok" | "bad" | "waiting",
    drop: number,
  ): Column<RunView> =>
    fieldColumn(of(runFields[id]), id, title, Math.max(title.length, 7), {
      text: ({ record }) => countText(record.counts[id]),
      drop,
      align: "right",
      tone: ({ record }) => (record.counts[id] === 0 ? "muted" : tone),
    });
  return [
    fieldColumn(of(runFields.run), "run", "Run", 8),
    fieldColumn(of(runFields.kind), "kind", "Kind", 13, {
      text: ({ record }) => kindName(record.kind),
      drop: 1,
    }),
    column("source", "From", 16, ({ record }) => sourceName(record.source), {
      drop: 3,
      maxWidth: 46,
    }),
    ...drawnColumns(fields),
    fieldColumn(of(runFields.createdAt), "started", "Started", 11, {
      text: ({ record }) => formatInstant(record.createdAt).slice(5, 16),
      drop: 6,
    }),
    column("bar", "Progress", 8, ({ record }) => shareText(record), {
      drop: 0,
      picture: true,
      fills: true,
      pieces: ({ record }, width) => runBar(record.counts, record.rows, width, "line"),
    }),
    column("ended", "Ended", doneWidth, ({ record }) => doneText(record), {
      align: "right",
      value: ({ record }) => rowsDone(record),
    }),
    fieldColumn(of(runFields.rows), "rows", "Rows", 0),
    countOf("confirmed", "Confirmed", "ok", 7),
    countOf("exists", "Existed", "ok", 8),
    countOf("rejected", "Rejected", "bad", 4),
    countOf("unknown", "Unknown", "waiting", 5),
    column("state", "State", stateWidth, (run) => stateText(run), {
      tone: (run) => runState(run).tone,
      value: (run) => runState(run).text,
    }),
  ];
}

function countText(n: number): string {
  return n === 0 ? "–" : count(n);
}

function stateText(run: RunView): string {
  const words = runState(run);
  const text = `${words.mark} ${words.text}`;
  return text.length <= stateWidth ? text : text.replace("finished, ", "");
}

function TeamRuns({ runs }: { readonly runs: readonly TeamRun[] }) {
  return <Lines lines={runs.map(lineOf)} />;
}

/** Returns a line such as `rc3qas  notes by op2 on lap2  4,812 of 5,000 sent, 3 unknown`. */
function lineOf(run: TeamRun): readonly Piece[] {
  const { counts, requests } = run;
  const { unsent = 0, sending = 0, unknown = 0, rejected = 0, retryable = 0 } = counts;
  const claimed = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const ended = claimed - unsent - sending;
  const of = requests === null ? "" : ` of ${count(requests)}`;
  const parts: readonly (readonly [n: number, word: string, tone: Tone])[] = [
    [unknown, "unknown", "unknown"],
    [rejected, "rejected", "bad"],
    [retryable, "retryable", "waiting"],
    [sending, "sending", "busy"],
  ];
  return [
    { text: `${safe(run.run)}  ${operationNoun(run.operation)} by ${authorWords(run)}  ` },
    { text: `${count(ended)}${of} sent` },
    ...parts.flatMap(([n, word, tone]): readonly Piece[] =>
      n === 0 ? [] : [{ text: ", " }, { text: `${count(n)} ${word}`, tone }],
    ),
  ];
}
