/** The columns for the rows of one class of a comparison. */
import { type Column, column } from "../../components/list-screen/column.ts";
import { formatInstant } from "../../text/dates.ts";
import { atLeastAge } from "../../text/durations.ts";
import { count } from "../../text/numbers.ts";
import { classWords } from "../../triage/reconcile/class-words.ts";
import type { RowClass } from "../../triage/reconcile/classes.ts";
import type { ReconciledRow } from "../../triage/reconcile/reconciled.ts";
import { type RowField, rowCell, rowErrorWords } from "../../triage/reconcile/row-text.ts";

const none = "–";

/**
 * The size limits of a column that fills the remaining room, and shrinks if there is too little.
 */
const last = { least: 8, most: 60 } as const;

/**
 * Returns the fields of the rows of a class as columns. Fields without information about the class
 * have no width.
 */
export function rowColumns(name: RowClass, now: number): readonly Column<ReconciledRow>[] {
  const of = (...classes: readonly RowClass[]) => classes.includes(name);
  const field = (
    id: string,
    title: string,
    of: RowField,
    width: number,
    more: Partial<Column<ReconciledRow>> = {},
  ): Column<ReconciledRow> =>
    column(id, title, width, (row) => String(rowCell(row, of) ?? none), {
      field: of,
      value: (row) => rowCell(row, of),
      ...more,
    });
  const number = { align: "right" } as const;
  return [
    field("ext", "External account", "external_account_number", 14, { short: "Account", most: 36 }),
    field("line", "Line", "line", of("extra") ? 0 : 9, {
      ...number,
      text: ({ line }) => (line === null ? none : count(line)),
    }),
    field("class", "Class", "class", 0),
    field("svc", "Service account", "service_account_number", of("imported", "extra") ? 16 : 0, {
      short: "Service acct",
    }),
    field("created", "Created", "account_created_at", of("imported", "extra") ? 19 : 0, {
      least: 10,
      text: ({ created }, width) => createdText(created, width),
    }),
    field("pending", "Pending for", "pending_since", of("pending") ? 12 : 0, {
      text: ({ pendingSince }) => (pendingSince === null ? none : atLeastAge(now - pendingSince)),
      ...last,
    }),
    field("status", "Status", "status", of("in-progress") ? 14 : 0, last),
    field("first", "First on line", "first_line", of("duplicate") ? 13 : 0, {
      ...number,
      text: ({ firstLine }) => (firstLine === null ? none : count(firstLine)),
    }),
    field("near", "Did you mean", "suggestion", of("failed", "not-staged", "absent") ? 18 : 0, {
      ...(of("absent") ? {} : last),
    }),
    field(
      "error",
      of("malformed") ? "Why" : "Lookup",
      "error",
      of("malformed", "absent") ? 20 : 0,
      {
        text: ({ error, status }) =>
          error === null ? (of("absent") ? (status ?? "not checked") : none) : rowErrorWords(error),
        ...(of("malformed") ? { tone: () => classWords.malformed.tone } : {}),
        ...last,
      },
    ),
  ];
}

/** Formats the first `cells` characters of the time. A text that is not a time stays complete. */
function createdText(created: string | null, cells: number): string {
  const ms = created === null ? Number.NaN : Date.parse(created);
  return Number.isNaN(ms) ? (created ?? none) : formatInstant(ms).slice(0, cells);
}
