import type { InputIssue, IssueCause } from "../../bulk/input/issues.ts";
import { type Column, column } from "../../components/data-table.tsx";
import { count } from "../../text/numbers.ts";

type Severity = Pick<InputIssue, "severity">;

function severityColumn<Row extends Severity>(ascii: boolean): Column<Row> {
  return column(
    "severity",
    "",
    1,
    ({ severity }) => (severity === "error" ? (ascii ? "x" : "✗") : "!"),
    { tone: ({ severity }) => (severity === "error" ? "bad" : "waiting") },
  );
}

/** From this width on, there is room for the account. */
const medium = 72;

function withMessage<Row extends { readonly message: string }>(
  columns: readonly Column<Row>[],
  width: number,
): readonly Column<Row>[] {
  const used = columns.reduce((sum, column) => sum + column.width + 2, 4);
  const message: Column<Row> = column(
    "message",
    "Issue",
    Math.max(8, width - used),
    (row) => row.message,
  );
  return [...columns, message];
}

export function causeColumns(width: number, ascii: boolean): readonly Column<IssueCause>[] {
  return withMessage<IssueCause>(
    [
      severityColumn(ascii),
      column("count", "Rows", 9, (one) => count(one.count), { align: "right" }),
      column("column", "Field", 23, ({ column }) => column ?? "–"),
    ],
    width,
  );
}

/** One line for each issue of a row. */
export function issueColumns(width: number, ascii: boolean): readonly Column<InputIssue>[] {
  const account: Column<InputIssue> = column("account", "Account", 14, (one) => one.account ?? "–");
  return withMessage<InputIssue>(
    [
      severityColumn(ascii),
      column("line", "Line", 9, ({ line }) => count(line), { align: "right" }),
      ...(width < medium ? [] : [account]),
      column("column", "Field", 18, ({ column }) => column ?? "–"),
    ],
    width,
  );
}
