import { type Column, column } from "../../components/column.ts";
import type { FilterTexts } from "../../components/word-filter.ts";
import { formatInstant } from "../../text/dates.ts";
import { atLeastAge } from "../../text/durations.ts";
import { count } from "../../text/numbers.ts";
import { classWords } from "../../triage/reconcile/class-words.ts";
import type { RowClass } from "../../triage/reconcile/classes.ts";
import type { ReconciledRow } from "../../triage/reconcile/reconciled.ts";
import { errorWords } from "../../triage/reconcile/row-text.ts";

const none = "–";

/** What a filter word looks into, by the name of the column. */
export const filterColumns: Readonly<Record<string, FilterTexts<ReconciledRow>>> = {
  ext: (row) => [row.external],
  line: (row) => [row.line === null ? null : String(row.line)],
  svc: (row) => [row.service],
  created: (row) => [row.created],
  near: (row) => [row.suggestion],
  error: (row) => [row.error === null ? null : errorWords(row.error)],
};

export const filterAnywhere: FilterTexts<ReconciledRow> = (row) =>
  Object.values(filterColumns).flatMap((texts) => texts(row));

/** The columns that say something about the rows of a class, as many as fit. */
export function rowColumns(
  name: RowClass,
  width: number,
  now: number,
): readonly Column<ReconciledRow>[] {
  const line: Column<ReconciledRow> = column(
    "line",
    "Line",
    9,
    (row) => (row.line === null ? none : count(row.line)),
    { align: "right" },
  );
  const lines = name === "extra" ? [] : [line];
  const more = moreColumns(name, width, now);
  const used = [...lines, ...more].reduce((sum, column) => sum + column.width + 2, 4);
  const external: Column<ReconciledRow> = column(
    "external",
    "External account",
    Math.max(14, Math.min(36, width - used)),
    (row) => row.external ?? none,
    { shortTitle: "Account" },
  );
  const spare = width - used - external.width;
  // The last column takes the room that is left, and gives way where there is none.
  const last = more.at(-1);
  const fitted =
    last === undefined
      ? []
      : [
          ...more.slice(0, -1),
          { ...last, width: Math.max(8, Math.min(60, last.width + Math.max(spare, -20))) },
        ];
  return [external, ...lines, ...fitted];
}

/** From this width on, times have room for more than their date. */
const roomy = 72;

function moreColumns(name: RowClass, width: number, now: number): readonly Column<ReconciledRow>[] {
  const service: Column<ReconciledRow> = column(
    "service",
    "Service account",
    16,
    (row) => row.service ?? none,
    { shortTitle: "Service acct" },
  );
  const time = width < roomy ? 10 : 19;
  const created: Column<ReconciledRow> = column("created", "Created", time, (row) =>
    createdText(row.created, time),
  );
  const suggestion: Column<ReconciledRow> = column(
    "suggestion",
    "Did you mean",
    18,
    (row) => row.suggestion ?? none,
    { tone: () => "busy" },
  );
  switch (name) {
    case "imported":
    case "extra":
      return [service, created];
    case "pending":
      return [
        column("pending", "Pending for", 12, ({ pendingSince }) =>
          pendingSince === null ? none : atLeastAge(now - pendingSince),
        ),
      ];
    case "in-progress":
      return [column("status", "Status", 14, (row) => row.status ?? none)];
    case "failed":
    case "not-staged":
      return [suggestion];
    case "absent":
      return [
        suggestion,
        column("error", "Lookup", 20, ({ error, status }) =>
          error === null ? (status ?? "not checked") : errorWords(error),
        ),
      ];
    case "duplicate":
      return [
        column(
          "first",
          "First on line",
          13,
          (row) => (row.firstLine === null ? none : count(row.firstLine)),
          { align: "right" },
        ),
      ];
    case "malformed":
      return [
        column("error", "Why", 30, ({ error }) => (error === null ? none : errorWords(error)), {
          tone: () => classWords.malformed.tone,
        }),
      ];
  }
}

/** The first `cells` of the time; a text that is no time stays whole. */
function createdText(created: string | null, cells: number): string {
  const ms = created === null ? Number.NaN : Date.parse(created);
  return Number.isNaN(ms) ? (created ?? none) : formatInstant(ms).slice(0, cells);
}
