import type { InputIssue, IssueCause } from "../../bulk/input/issues.ts";
import {
  type Column,
  column,
  countColumn,
  fieldColumn,
} from "../../components/list-screen/column.ts";
import { fieldsOf } from "../../text/fields.ts";

type CommonPart = Pick<InputIssue, "severity" | "column" | "message">;

const common = fieldsOf<CommonPart>();
const cause = fieldsOf<IssueCause>();
const issue = fieldsOf<InputIssue>();

const severity = common("severity", "text", "`error`, `held` or `warning`.", (of) => of.severity);
const field = common(
  "field",
  "text or null",
  "The column, or null for the whole row.",
  (of) => of.column,
);
const message = common(["message", "Issue"], "text", "The reason.", (of) => of.message);
const rows = cause("rows", "number", "The number of rows.", ({ count }) => count);
const line = issue("line", "number", "The line of the row.", (of) => of.line);
const supplier = issue("supplier", "text or null", "The supplier code.", (of) => of.supplier);
const account = issue(
  "account",
  "text or null",
  "The account or supply point.",
  (of) => of.account,
);

export const causeFields = [severity, rows, field, message];

export const issueFields = [severity, line, supplier, account, field, message];

const severityMarks = { error: "✗", held: "=", warning: "!" } as const;

const severityColumn: Column<CommonPart> = fieldColumn(severity, "severity", "", 1, {
  text: (row) => severityMarks[row.severity],
  tone: (row) => (row.severity === "error" ? "bad" : "waiting"),
});

const fieldText = ({ column: name }: CommonPart) => name ?? "–";

export const causeColumns: readonly Column<IssueCause>[] = [
  severityColumn,
  countColumn("rows", "Rows", 5, rows.value, { maxWidth: 9 }),
  fieldColumn(field, "field", "Field", 23, { text: fieldText }),
  column("message", "Issue", 8, message.value, { maxWidth: 200 }),
];

export const issueColumns: readonly Column<InputIssue>[] = [
  severityColumn,
  countColumn("line", "Line", 5, line.value, { maxWidth: 9 }),
  fieldColumn(supplier, "supplier", "Supplier", 8, {
    text: (row) => row.supplier ?? "–",
    drop: 2,
    maxWidth: 16,
  }),
  fieldColumn(account, "account", "Account", 14, {
    text: (row) => row.account ?? "–",
    drop: 1,
    names: true,
  }),
  fieldColumn(field, "field", "Field", 18, { text: fieldText, drop: 3 }),
  column("message", "Issue", 20, message.value, { maxWidth: 200 }),
];
