/** The columns of requests and of their rows, from their fields. */
import { type Column, column, fieldColumn } from "../../components/list-screen/column.ts";
import { shortInstant } from "../../text/dates.ts";
import { count } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import type { Tone } from "../../theme.tsx";
import { approvalFields, approvalRowFields } from "../../writes/approval-fields.ts";
import type { Approval, ApprovalRow, RequestStanding } from "../../writes/team/approvals.ts";
import { overrideWords, requestWords, standingLabel } from "../../writes/words/approvals.ts";
import { personWords } from "../../writes/words/authors.ts";

const tones: Readonly<Record<RequestStanding, Tone>> = {
  waits: "waiting",
  approved: "ok",
  refused: "bad",
  expired: "muted",
  used: "muted",
};

const noValue = "–";

/** Returns the columns of requests. `now` is the time to which an instant is shortened. */
export function requestColumns(now: number): readonly Column<Approval>[] {
  const { approval, askedAt, by, operation, rows, sum, state } = approvalFields;
  return [
    fieldColumn(approval, "request", "Request", 7),
    fieldColumn(askedAt, "asked", "Asked", 11, {
      drop: 3,
      text: ({ at }) => shortInstant(at, now),
    }),
    fieldColumn(by, "by", "By", 8, {
      maxWidth: 24,
      text: (of) => (of.isMine ? "you" : personWords(of)),
    }),
    fieldColumn(operation, "what", "What", 24, {
      ...{ fills: true, names: true, minWidth: 10 },
      text: requestWords,
    }),
    fieldColumn(rows, "rows", "Rows", 4, { align: "right", text: (of) => count(of.rows) }),
    fieldColumn(sum, "sum", "Sum", 9, {
      ...{ align: "right", maxWidth: 18 },
      text: (of) => (of.sum === null ? noValue : safe(of.sum)),
    }),
    fieldColumn(state, "state", "State", 8, {
      maxWidth: 20,
      text: standingLabel,
      tone: (of) => tones[of.standing],
    }),
  ];
}

export const requestRowColumns: readonly Column<ApprovalRow>[] = [
  fieldColumn(approvalRowFields.line, "line", "Line", 6, { drop: 5, align: "right" }),
  fieldColumn(approvalRowFields.supplier, "supplier", "Supplier", 8, { drop: 3 }),
  fieldColumn(approvalRowFields.account, "account", "Account", 12, { maxWidth: 30, names: true }),
  fieldColumn(approvalRowFields.amount, "amount", "Amount", 9, { align: "right", maxWidth: 18 }),
  fieldColumn(approvalRowFields.reference, "reference", "Reference", 10, { drop: 4, maxWidth: 30 }),
  fieldColumn(approvalRowFields.day, "day", "Day", 10, { drop: 2 }),
  fieldColumn(approvalRowFields.id, "id", "ID", 10, { drop: 1, maxWidth: 40 }),
  column("override", "Overrides", 9, (row) => overrideWords(row) ?? "", {
    ...{ drop: 6, fills: true },
    tone: () => "waiting",
  }),
];
