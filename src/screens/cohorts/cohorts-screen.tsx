import { Box } from "ink";
import { useState } from "react";
import { Body } from "../../components/body.tsx";
import { type Column, column } from "../../components/column.ts";
import { DataTable } from "../../components/data-table.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { Text } from "../../components/text.tsx";
import { useApp } from "../../hooks/app.tsx";
import { cohortFailureWords } from "../../hooks/cohort.ts";
import { useRowCursor } from "../../hooks/list-cursor.ts";
import { useNow } from "../../hooks/now.ts";
import { useRoom } from "../../hooks/window.tsx";
import { formatInstant, sinceThen } from "../../text/dates.ts";
import { count } from "../../text/numbers.ts";
import type { Tone } from "../../theme.tsx";
import { useCohortKeys } from "./cohort-keys.ts";
import { type CohortList, type CohortRow, useCohortRows } from "./cohort-list.ts";

const idOf = ({ cohort }: CohortRow) => cohort.name;

const noRows: readonly CohortRow[] = [];

/** The stored lists of accounts, of all suppliers: how far each is, and whether it is as it was added. */
export function CohortsScreen() {
  const room = useRoom();
  const [again, setAgain] = useState(0);
  const list = useCohortRows(again);
  const rows = list.kind === "read" ? list.rows : noRows;
  const page = Math.max(1, room.rows - 5);
  const cursor = useRowCursor(rows, idOf, page);
  const { current } = cursor;
  useCohortKeys(current, cursor.actions, () => setAgain((times) => times + 1));
  return (
    <Body>
      {rows.length === 0 ? (
        <NoCohorts list={list} />
      ) : (
        <DataTable
          columns={cohortColumns(room.columns)}
          rows={cursor.visible}
          cursor={current?.cohort.name ?? null}
          first={cursor.top}
        />
      )}
      <Box flexGrow={1} />
      {list.kind === "read"
        ? list.problems.slice(0, 1).map((problem) => (
            <Paragraph key={problem.message} tone="bad" most={2}>
              {cohortFailureWords(problem)}
            </Paragraph>
          ))
        : null}
      {current === null ? null : (
        <>
          <CohortDetail row={current} />
          <Text tone="muted">{`${count(cursor.position + 1)} of ${count(rows.length)}`}</Text>
        </>
      )}
    </Body>
  );
}

function NoCohorts({ list }: { readonly list: CohortList }) {
  const { key } = useApp();
  switch (list.kind) {
    case "reading":
      return <Paragraph tone="muted">Reading the cohorts…</Paragraph>;
    case "failed":
      return <Paragraph tone="bad">{cohortFailureWords(list.error)}</Paragraph>;
    case "read":
      return (
        <>
          <Paragraph>No cohort yet.</Paragraph>
          <Paragraph tone="muted">
            {`A cohort is your list of accounts, such as a migration wave, stored under a name. ${key("add")} adds one from a file, as supplyline cohorts add does.`}
          </Paragraph>
        </>
      );
  }
}

/** How far the cohort under the cursor is, or what is wrong with its list. */
function CohortDetail({ row }: { readonly row: CohortRow }) {
  const now = useNow(60_000);
  const { cohort, figures } = row;
  if (figures === null) return <Text tone="muted">{`Reading the list of ${cohort.name}…`}</Text>;
  if (figures.kind === "failed") {
    return (
      <Paragraph tone="bad" most={2}>
        {cohortFailureWords(figures.error)}
      </Paragraph>
    );
  }
  const { observed } = figures;
  if (observed === null) {
    return (
      <Text>{`No complete list of ${cohort.supplier} was observed yet: Enter loads it.`}</Text>
    );
  }
  const { imported, pending, observedAt } = observed;
  const unlisted = cohort.accounts - imported - pending;
  const parts = [
    `${count(imported)} of ${count(cohort.accounts)} imported`,
    ...(pending === 0 ? [] : [`${count(pending)} pending`]),
    ...(unlisted === 0 ? [] : [`${count(unlisted)} on no list`]),
  ];
  return (
    <Paragraph most={2}>{`${parts.join(", ")}; list of ${sinceThen(observedAt, now)}`}</Paragraph>
  );
}

/** The columns that fit into a width, in their order. */
function cohortColumns(width: number): readonly Column<CohortRow>[] {
  const numbers = { width: 9, align: "right" } as const;
  const wide: readonly Column<CohortRow>[] = [
    column("added", "Added", 16, ({ cohort }) =>
      formatInstant(cohort.createdAt, { seconds: false }),
    ),
    column("source", "Source", 18, sourceText),
  ];
  const columns: readonly Column<CohortRow>[] = [
    column("supplier", "Supplier", 10, ({ cohort }) => cohort.supplier),
    { id: "accounts", title: "Accounts", ...numbers, text: ({ cohort }) => count(cohort.accounts) },
    { id: "imported", title: "Imported", ...numbers, text: importedText },
    { id: "missing", title: "Missing", ...numbers, text: missingText, tone: missingTone },
    ...(width >= 116 ? wide : width >= 96 ? wide.slice(0, 1) : []),
    ...(width >= 76 ? [column("list", "List", 9, listText, { tone: listTone })] : []),
  ];
  const used = columns.reduce((sum, column) => sum + column.width + 2, 4);
  const name: Column<CohortRow> = {
    id: "name",
    title: "Cohort",
    width: Math.max(8, Math.min(40, width - used)),
    // Where the state of the list has no column, one that cannot be used is marked.
    text: ({ cohort, figures }) =>
      width < 76 && figures?.kind === "failed" ? `! ${cohort.name}` : cohort.name,
    tone: listTone,
  };
  return [name, ...columns];
}

function observedOf({ figures }: CohortRow) {
  return figures?.kind === "read" ? figures.observed : null;
}

function importedText(row: CohortRow): string {
  const observed = observedOf(row);
  return observed === null ? "–" : count(observed.imported);
}

function missingText(row: CohortRow): string {
  const observed = observedOf(row);
  return observed === null ? "–" : count(row.cohort.accounts - observed.imported);
}

function missingTone(row: CohortRow): Tone {
  const observed = observedOf(row);
  if (observed === null) return "plain";
  return observed.imported < row.cohort.accounts ? "waiting" : "ok";
}

function sourceText({ cohort: { layout, column } }: CohortRow): string {
  return column === null ? layout : `${layout}, ${column}`;
}

function listText({ figures }: CohortRow): string {
  if (figures === null) return "reading";
  if (figures.kind === "read") return "as added";
  return isChanged(figures.error) ? "changed" : "damaged";
}

function listTone({ figures }: CohortRow): Tone {
  return figures?.kind === "failed" ? "bad" : "plain";
}

function isChanged(error: unknown): boolean {
  return error instanceof Error && "kind" in error && error.kind === "changed";
}
