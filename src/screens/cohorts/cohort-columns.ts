import { type Column, column } from "../../components/data-table.tsx";
import { formatInstant } from "../../text/dates.ts";
import { count } from "../../text/numbers.ts";
import type { Tone } from "../../theme.tsx";
import type { CohortRow } from "./cohort-list.ts";

/** The columns that fit into a width, in their order. */
export function cohortColumns(width: number): readonly Column<CohortRow>[] {
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
