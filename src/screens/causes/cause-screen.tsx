import { Box } from "ink";
import { useCallback, useMemo } from "react";
import { readRun } from "../../bulk/runs.ts";
import { Body } from "../../components/body.tsx";
import { causeCodes } from "../../components/cause-table.tsx";
import { DataTable } from "../../components/data-table.tsx";
import { JournalProblem } from "../../components/journal-problem.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { RowFoot } from "../../components/row-foot.tsx";
import { rowColumns, targetOf } from "../../components/run-row-columns.ts";
import { Line, Text } from "../../components/text.tsx";
import { useApp, useSession } from "../../hooks/app.tsx";
import {
  type CauseScope,
  entriesScope,
  rowsAt,
  useCauseActions,
  useCauses,
} from "../../hooks/causes.ts";
import { useKeysWaitForJournal } from "../../hooks/in-flight.tsx";
import { useJournalRead } from "../../hooks/journal.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useListCursor, useMarks } from "../../hooks/list-cursor.ts";
import { useRoom } from "../../hooks/window.tsx";
import type { Place } from "../../session/places.ts";
import { count, plural } from "../../text/numbers.ts";
import { useTheme } from "../../theme.tsx";
import type { Cause } from "../../writes/causes.ts";
import type { Writes } from "../../writes/open-writes.ts";
import { operationNoun } from "../../writes/words/outcomes.ts";

type CausePlace = Extract<Place, { readonly kind: "cause" }>;

export function CauseScreen({ run, ...place }: CausePlace) {
  return run === null ? <OfEntries {...place} /> : <OfRun id={run} cause={place.cause} />;
}

function OfRun(props: { readonly id: string; readonly cause: string }) {
  const { id } = props;
  const { view } = useJournalRead(
    useCallback(({ context }: Writes) => readRun(context, id).kind, [id]),
  );
  const kind = view.kind === "read" ? view.value : null;
  const scope = useMemo(
    (): CauseScope | null => (kind === null ? null : { kind: "run", run: { id, kind } }),
    [id, kind],
  );
  if (view.kind === "failed")
    return <JournalProblem error={view.error} doing={`reading run ${id}`} />;
  return scope === null ? <Reading /> : <InScope scope={scope} cause={props.cause} />;
}

function OfEntries({ supplier, account, cause }: Omit<CausePlace, "run" | "kind">) {
  const { baseUrl } = useSession();
  const scope = useMemo(
    () => entriesScope(supplier, account, baseUrl),
    [supplier, account, baseUrl],
  );
  return <InScope scope={scope} cause={cause} />;
}

function Reading() {
  useKeysWaitForJournal(true);
  return (
    <Body>
      <Paragraph tone="muted">Grouping the failures…</Paragraph>
    </Body>
  );
}

function InScope(props: { readonly scope: CauseScope; readonly cause: string }) {
  const view = useCauses(props.scope);
  if (view.kind === "opening") return <Reading />;
  if (view.kind === "failed")
    return (
      <Body>
        <JournalProblem error={view.error} doing="grouping the failures" />
      </Body>
    );
  const causes = view.kind === "read" ? view.value : [];
  const at = causes.findIndex(({ key }) => key === props.cause);
  const cause = causes[at];
  if (cause === undefined)
    return (
      <Body>
        <Paragraph>No failure with this cause is left.</Paragraph>
      </Body>
    );
  return <Rows scope={props.scope} cause={cause} number={at + 1} />;
}

function Rows(props: {
  readonly scope: CauseScope;
  readonly cause: Cause;
  readonly number: number;
}) {
  const { scope, cause } = props;
  const ids = cause.sample;
  const { navigation, clipboard } = useApp();
  const theme = useTheme();
  const room = useRoom();
  const page = Math.max(1, room.rows - 6);
  const positions = useMemo(() => new Map(ids.map((id, at) => [String(id), at])), [ids]);
  const cursor = useListCursor({
    length: ids.length,
    page,
    idAt: useCallback((at: number) => (ids[at] === undefined ? null : String(ids[at])), [ids]),
    positionOf: useCallback((id: string) => positions.get(id) ?? -1, [positions]),
  });
  const { top } = cursor;
  const { view } = useJournalRead(
    useCallback(
      ({ context }: Writes) => rowsAt(context.journal, scope, ids.slice(top, top + page)),
      [scope, ids, top, page],
    ),
  );
  useKeysWaitForJournal(view.kind === "opening");
  const rows = view.kind === "read" ? view.value : [];
  const id = ids[cursor.position];
  const current = rows.find(({ line }) => line === id) ?? null;
  const { marks, set, toggle } = useMarks<number>();
  const marked = useMemo(() => ids.filter((one) => marks.has(one)), [ids, marks]);
  const acts = useCauseActions(scope, cause, props.number, marked.length === 0 ? null : marked);
  useKeys({
    ...cursor.actions,
    ...acts,
    mark: () => {
      if (id !== undefined) toggle(id);
      cursor.moveTo(cursor.position + 1);
    },
    "mark-all": {
      label: marked.length === ids.length ? "unmark all" : "mark all",
      run: () => set(marked.length === ids.length ? [] : ids),
    },
    ...(current
      ? {
          open: {
            label: "entry",
            run: () => navigation.push({ kind: "write", id: String(current.journalId) }),
          },
          copy: () => clipboard(targetOf(current), targetOf(current)),
        }
      : {}),
  });
  const first = scope.kind === "run" ? "Line" : "Entry";
  return (
    <Body>
      <Line pieces={[{ text: headline(cause), bold: true }]} />
      <Text tone="muted">{cause.message ?? " "}</Text>
      <DataTable
        columns={rowColumns(room.columns, theme.ascii, first)}
        rows={rows.map((row) => ({ id: String(row.line), row, marked: marks.has(row.line) }))}
        cursor={id === undefined ? null : String(id)}
        first={top}
      />
      <Box flexGrow={1} />
      <RowFoot
        detail={current?.detail ?? null}
        position={`${count(cursor.position + 1)} of ${count(ids.length)}${marked.length === 0 ? "" : `, ${count(marked.length)} marked`}`}
      />
    </Body>
  );
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
