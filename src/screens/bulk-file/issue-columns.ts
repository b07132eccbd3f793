import type { InputIssue, IssueCause } from "../../bulk/input/issues.ts";
import type { Column } from "../../components/data-table.tsx";
import { count } from "../../text/numbers.ts";

type Severity = Pick<InputIssue, "severity">;

function severityColumn<Row extends Severity>(ascii: boolean): Column<Row> {
  return {
    id: "severity",
    title: "",
    width: 1,
    text: ({ severity }) => (severity === "error" ? (ascii ? "x" : "✗") : "!"),
    tone: ({ severity }) => (severity === "error" ? "bad" : "waiting"),
  };
}

/** From this width on, there is room for the account. */
const medium = 72;

function withMessage<Row extends { readonly message: string }>(
  columns: readonly Column<Row>[],
  width: number,
): readonly Column<Row>[] {
  const used = columns.reduce((sum, column) => sum + column.width + 2, 4);
  const message: Column<Row> = {
    id: "message",
    title: "Issue",
    width: Math.max(8, width - used),
    text: (row) => row.message,
  };
  return [...columns, message];
}

/** One line for each cause of issues. */
export function causeColumns(width: number, ascii: boolean): readonly Column<IssueCause>[] {
  return withMessage<IssueCause>(
    [
      severityColumn(ascii),
      { id: "count", title: "Rows", width: 9, align: "right", text: (one) => count(one.count) },
      { id: "column", title: "Field", width: 23, text: ({ column }) => column ?? "–" },
    ],
    width,
  );
}

/** One line for each issue of a row. */
export function issueColumns(width: number, ascii: boolean): readonly Column<InputIssue>[] {
  const account: Column<InputIssue> = {
    id: "account",
    title: "Account",
    width: 14,
    text: (one) => one.account ?? "–",
  };
  return withMessage<InputIssue>(
    [
      severityColumn(ascii),
      { id: "line", title: "Line", width: 9, align: "right", text: ({ line }) => count(line) },
      ...(width < medium ? [] : [account]),
      { id: "column", title: "Field", width: 18, text: ({ column }) => column ?? "–" },
    ],
    width,
  );
}
