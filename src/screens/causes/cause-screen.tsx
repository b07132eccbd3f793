import { useCallback, useMemo } from "react";
import { rowFields } from "../../bulk/run-fields.ts";
import type { RunRow } from "../../bulk/run-record.ts";
import { Body } from "../../components/body.tsx";
import { JournalProblem, journalState } from "../../components/journal-problem.tsx";
import { detailBlock, ListScreen } from "../../components/list-screen/list-screen.tsx";
import { pagedSource, type RowSource } from "../../components/list-screen/row-source.ts";
import { Paragraph, Waiting } from "../../components/paragraph.tsx";
import { useRunRows } from "../../components/run-rows.ts";
import { Line, Text } from "../../components/text.tsx";
import { useSession } from "../../hooks/app.tsx";
import {
  type CauseScope,
  entriesScope,
  rowsAt,
  useCauseActions,
  useCauses,
} from "../../hooks/causes.ts";
import { useKeysWaitForJournal } from "../../hooks/in-flight.tsx";
import type { Place } from "../../session/places.ts";
import { plural } from "../../text/numbers.ts";
import { type Cause, causeCodes } from "../../writes/causes.ts";
import type { Journal } from "../../writes/journal/open-journal.ts";
import type { Writes } from "../../writes/open-writes.ts";
import { operationNoun } from "../../writes/words/outcomes.ts";

type CausePlace = Extract<Place, { readonly kind: "cause" }>;

export function CauseScreen({ run, supplier, account, cause }: CausePlace) {
  const { baseUrl } = useSession();
  const scope = useMemo(
    (): CauseScope =>
      run === null ? entriesScope(supplier, account, baseUrl) : { kind: "run", run },
    [run, supplier, account, baseUrl],
  );
  const { view } = useCauses(scope);
  if (view.kind === "opening") return <Grouping />;
  if (view.kind === "failed")
    return (
      <Body>
        <JournalProblem error={view.error} doing="grouping the failures" />
      </Body>
    );
  const causes = view.kind === "read" ? view.value : [];
  const index = causes.findIndex(({ key }) => key === cause);
  const found = causes[index];
  if (found === undefined)
    return (
      <Body>
        <Paragraph>No failure with this cause is left.</Paragraph>
      </Body>
    );
  return <Rows scope={scope} cause={found} number={index + 1} />;
}

CauseScreen.help = {
  name: "Cause",
  about: [
    "The failures with one cause. Actions apply to the marked ones, or to all of them: export them as an input file, resend those that can be sent again, verify those that are unknown.",
  ],
  words: ["outcome"],
} as const;

function Grouping() {
  useKeysWaitForJournal(true);
  return (
    <Body>
      <Waiting words="Grouping the failures…" />
    </Body>
  );
}

function Rows(props: {
  readonly scope: CauseScope;
  readonly cause: Cause;
  readonly number: number;
}) {
  const { scope, cause } = props;
  const numbers = cause.sample;
  const { view, refresh, list, keys, shown } = useRunRows({
    name: `cause ${cause.key} ${scope.kind === "run" ? scope.run : JSON.stringify(scope.filter)}`,
    first: scope.kind === "run" ? "Line" : "Entry",
    read: useCallback(
      ({ context }: Writes) => rowsOf(context.journal, scope, numbers),
      [scope, numbers],
    ),
    idOf,
  });
  const marked = list.marks.count === 0 ? null : list.marked().map(({ line }) => line);
  const actions = useCauseActions(scope, cause, props.number, marked);
  return (
    <ListScreen
      {...shown}
      state={journalState(view, "reading the rows")}
      empty={["No failure with this cause is left."]}
      file={{
        stem: `${scope.kind === "run" ? scope.run : "activity"}.cause-${props.number}.rows`,
        fields: scope.kind === "run" ? runRows : entryRows,
      }}
      above={{
        rows: 3,
        shown: (
          <>
            <Line pieces={[{ text: headline(cause), bold: true }]} />
            <Text>{cause.message ?? " "}</Text>
            <Text> </Text>
          </>
        ),
      }}
      below={detailBlock(({ detail }: RunRow) => (detail === cause.message ? null : detail))}
      actions={{ ...actions, ...keys, refresh }}
    />
  );
}

const idOf = ({ line }: RunRow) => String(line);

const { line: _, ...ofEntries } = rowFields;
const runRows = Object.values(rowFields);
const entryRows = Object.values(ofEntries);

function rowsOf(
  journal: Journal,
  scope: CauseScope,
  numbers: readonly number[],
): RowSource<RunRow> {
  const indexes = new Map(numbers.map((id, index) => [String(id), index]));
  return pagedSource({
    length: numbers.length,
    read(from, limit) {
      const wanted = numbers.slice(from, from + limit);
      const found = new Map(rowsAt(journal, scope, wanted).map((row) => [row.line, row]));
      return wanted.map((id) => found.get(id) ?? null);
    },
    idAt: (index) => String(numbers[index]),
    indexOf: (id) => indexes.get(id) ?? -1,
  });
}

function headline(cause: Cause): string {
  const { operation, httpStatus } = cause;
  return [
    plural(cause.count, "failure"),
    operationNoun(operation),
    httpStatus === null ? "" : String(httpStatus),
    causeCodes(cause),
  ]
    .filter((part) => part !== "")
    .join("  ");
}
